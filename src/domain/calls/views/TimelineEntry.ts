// The entries of a call's timeline that are not its events and not its money: questions, actions, commands, live
// streams and webhooks.
import { Schema } from "effect"
import { CallId } from "../../BrandedIds.ts"
import type { CallTrail, CommandTrail, TrailLine } from "./CallTrail.ts"
import type { QuestionReason } from "../state/Script.ts"
import { isoInstant } from "../../kit/Instants.ts"

export const TimelineEntry = Schema.Struct({
  id: Schema.String.annotate({ description: "The same in every reading of the timeline." }),
  caused_by: Schema.NullOr(Schema.String).annotate({
    description: "The `id` of the entry that caused this one. Null if that is not known, or not listed."
  }),
  at: Schema.String,
  call_id: CallId.annotate({ description: "The call, or one of its legs." }),
  kind: Schema.String.annotate({
    description:
      "A kind of event, or `hold.placed`, `hold.extended`, `hold.captured`, `hold.released`, `charge.booked`, `callback.asked`, `callback.attempt`, `callback.answered`, `action.started`, `action.finished`, `announcement`, `pbx.command`, `stream.opened`, `stream.closed`, `webhook.queued`, `webhook.attempt`."
  }),
  cause: Schema.String.annotate({
    description:
      "The source of the entry (`request`, `dial`, `pbx`, `callback`, `clock`, `wallet`, `call`, `stream` or `webhook`), a colon, and details."
  }),
  detail: Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "What belongs to this kind of entry." })
}).annotate({ identifier: "TimelineEntry" })
export type TimelineEntry = typeof TimelineEntry.Type

/** An entry with its time in epoch milliseconds. */
export interface Dated extends Omit<TimelineEntry, "caused_by"> {
  readonly time: number
}

export const entry = (time: number, fields: Omit<Dated, "at" | "time">): Dated => ({
  at: isoInstant(time),
  time,
  ...fields
})

/**
 * When the gateway acknowledged a command, by command id, in epoch milliseconds. Only the latest commands are known.
 */
export type Acknowledged = Readonly<Record<string, number>>

const questionCauses: Partial<Record<QuestionReason, string>> = {
  answered: "pbx: leg.answered",
  incoming: "pbx: session.created"
}

const askedKey = (call_id: string, at: number, reason: unknown): string => `${call_id} ${at} ${String(reason)}`

/** Questions of calls that an older engine began: it kept no lines for them. */
export const ofCallbacks = ({ callbacks, lines }: CallTrail): ReadonlyArray<Dated> => {
  const known = new Set(
    lines
      .filter(({ kind }) => kind === "callback.asked")
      .map(({ at, call_id, detail }) => askedKey(call_id, at, detail["reason"]))
  )
  return callbacks
    .filter(({ asked_at, call_id, reason }) => !known.has(askedKey(call_id, asked_at, reason)))
    .flatMap(ofCallback)
}

const ofCallback = ({
  actions,
  answered_at,
  asked_at,
  call_id,
  reason,
  url
}: CallTrail["callbacks"][number]): ReadonlyArray<Dated> => {
  const id = `${call_id}:callback@${asked_at}`
  return [
    entry(asked_at, {
      id,
      call_id,
      kind: "callback.asked",
      cause: questionCauses[reason] ?? `call: ${reason}`,
      detail: { reason, url }
    }),
    ...(answered_at === null
      ? []
      : [
          entry(answered_at, {
            id: `${id}:answer`,
            call_id,
            kind: "callback.answered",
            cause: `callback: ${reason}`,
            detail: { reason, actions, duration_ms: answered_at - asked_at }
          })
        ])
  ]
}

const causeOfLine = ({ detail, kind }: TrailLine): string => {
  const reason = String(detail["reason"])
  switch (kind) {
    case "callback.asked":
      return questionCauses[reason as QuestionReason] ?? `call: ${reason}`
    case "callback.attempt":
      return "call: its question"
    case "callback.answered":
      return `callback: ${reason}`
    case "action.started":
      return "call: its script"
    case "action.finished":
      return detail["command_id"] === undefined ? "call: its script" : "pbx: its report"
    case "hold.extended":
      return "clock: the next minute"
    default:
      return "call: it is refused"
  }
}

export const ofLines = ({ lines }: CallTrail): ReadonlyArray<Dated> =>
  lines.map((line) =>
    entry(line.at, {
      id: `${line.call_id}:${line.key}`,
      call_id: line.call_id,
      kind: line.kind,
      cause: causeOfLine(line),
      detail: line.detail
    })
  )

/** Why the call sends a PBX command, by the first part of the command's id. */
const commandCauses: Readonly<Record<string, string>> = {
  originate: "call: its beginning",
  record: "call: its beginning",
  bridge: "dial: a leg was taken",
  cut: "request: update",
  mute: "request: update",
  hold: "request: update",
  limit: "wallet: what it can pay",
  hangup: "call: its end"
}

const commandKind = ({ call_id, command_id }: CommandTrail): string =>
  command_id.slice(call_id.length + 1).replace(/:.*$/s, "")

export const ofCommands = ({ commands }: CallTrail, acknowledged: Acknowledged): ReadonlyArray<Dated> =>
  commands.map((command) => {
    const { at, call_id, command_id } = command
    const kind = commandKind(command)
    const acknowledged_at = acknowledged[command_id]
    return entry(at, {
      id: command_id,
      call_id,
      kind: "pbx.command",
      cause: commandCauses[kind] ?? "call: its script",
      detail: {
        command_id,
        command: kind === "record" ? "record.start" : kind,
        acknowledged_at: acknowledged_at === undefined ? null : isoInstant(acknowledged_at)
      }
    })
  })

export const ofWatches = ({ watches }: CallTrail): ReadonlyArray<Dated> =>
  watches.flatMap(({ by, call_id, closed_at, opened_at, stream_id }) => {
    const detail = { stream_id, by }
    return [
      entry(opened_at, {
        id: `stream:${stream_id}:opened`,
        call_id,
        kind: "stream.opened",
        cause: "request: stream",
        detail
      }),
      ...(closed_at === null
        ? []
        : [
            entry(closed_at, {
              id: `stream:${stream_id}:closed`,
              call_id,
              kind: "stream.closed",
              cause: "stream: its client left",
              detail
            })
          ])
    ]
  })

export const ofDeliveries = ({ deliveries }: CallTrail): ReadonlyArray<Dated> =>
  deliveries.flatMap(({ attempt_log, call_id, created_at, event_id, event_kind, id, status, subscription_id }) => {
    const of = { call_id, cause: `webhook: ${event_kind}` }
    const detail = { delivery_id: id, subscription_id, event_id }
    return [
      entry(created_at, { ...of, id, kind: "webhook.queued", detail: { ...detail, status } }),
      ...attempt_log.map(({ at, duration_ms, error, http_status }) =>
        entry(Date.parse(at), {
          ...of,
          id: `${id}:attempt@${at}`,
          kind: "webhook.attempt",
          detail: { ...detail, duration_ms, http_status, error }
        })
      )
    ]
  })

/** The order of the lines of one step of a script. */
const lineOrder = ["callback.asked", "callback.attempt", "callback.answered", "action.started", "action.finished"]

/** Orders lines of the same instant as they came about. Other entries keep their order. */
export const byStep = (a: Dated, b: Dated): number => {
  const [one, other] = [lineOrder.indexOf(a.kind), lineOrder.indexOf(b.kind)]
  if (one < 0 || other < 0 || a.call_id !== b.call_id) return 0
  return Number(a.detail["step"]) - Number(b.detail["step"]) || one - other
}
