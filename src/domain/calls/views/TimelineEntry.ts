// The entries of a call's timeline that are not its events and not its money: questions, actions, commands, live
// streams and webhooks.
import { Schema } from "effect"
import { CallId } from "../../BrandedIds.ts"
import type { CallTrail, CommandTrail, TrailLine, Place } from "./CallTrail.ts"
import { linePlace, tiePrefix, webhookPlace } from "./TimelinePlace.ts"
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

/** An entry with its place. */
export interface Dated extends Omit<TimelineEntry, "at" | "caused_by"> {
  readonly place: Place
}

export const entry = (at: number, tie: string, fields: Omit<Dated, "place">): Dated => ({
  place: { at, tie },
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

/** Questions of calls that an older engine began: it kept no lines for them. A call asks one at a time. */
export const ofCallbacks = ({ callbacks, earlier, lines }: CallTrail): ReadonlyArray<Dated> => {
  const known = new Set(
    [...earlier.lines, ...lines]
      .filter(({ kind }) => kind === "callback.asked")
      .map(({ at, call_id }) => `${call_id} ${at}`)
  )
  return callbacks.filter(({ asked_at, call_id }) => !known.has(`${call_id} ${asked_at}`)).flatMap(ofCallback)
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
    entry(asked_at, `${tiePrefix.callback}${id}`, {
      id,
      call_id,
      kind: "callback.asked",
      cause: questionCauses[reason] ?? `call: ${reason}`,
      detail: { reason, url }
    }),
    ...(answered_at === null
      ? []
      : [
          entry(answered_at, `${tiePrefix.callback}${id}:answer`, {
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

export const ofLines = ({ lines }: Pick<CallTrail, "lines">): ReadonlyArray<Dated> =>
  lines.map((line) =>
    entry(line.at, linePlace(line).tie, {
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

/** How many commands of the same call stand before this one at the same instant. */
const placesAtInstant = (commands: ReadonlyArray<CommandTrail>): ReadonlyArray<number> => {
  const counts = new Map<string, number>()
  return commands.map(({ at, call_id }) => {
    const key = `${call_id} ${at}`
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  })
}

export const ofCommands = ({ commands }: CallTrail, acknowledged: Acknowledged): ReadonlyArray<Dated> => {
  const places = placesAtInstant(commands)
  return commands.map((command, index) => {
    const { at, call_id, command_id } = command
    const kind = commandKind(command)
    const acknowledged_at = acknowledged[command_id]
    const place = String(places[index]).padStart(5, "0")
    return entry(at, `${tiePrefix.command}${call_id}${place}`, {
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
}

export const ofWatches = ({ watches }: CallTrail): ReadonlyArray<Dated> =>
  watches.flatMap(({ by, call_id, closed_at, opened_at, stream_id }) => {
    const detail = { stream_id, by }
    return [
      entry(opened_at, `${tiePrefix.stream}${stream_id}:opened`, {
        id: `stream:${stream_id}:opened`,
        call_id,
        kind: "stream.opened",
        cause: "request: stream",
        detail
      }),
      ...(closed_at === null
        ? []
        : [
            entry(closed_at, `${tiePrefix.stream}${stream_id}:until`, {
              id: `stream:${stream_id}:closed`,
              call_id,
              kind: "stream.closed",
              cause: "stream: its client left",
              detail
            })
          ])
    ]
  })

export const ofWebhooks = ({ webhooks }: Pick<CallTrail, "webhooks">): ReadonlyArray<Dated> =>
  webhooks.map((webhook) => {
    const { attempt, call_id, created_at, event_id, event_kind, id, status, subscription_id } = webhook
    const of = { call_id, cause: `webhook: ${event_kind}` }
    const detail = { delivery_id: id, subscription_id, event_id }
    const { tie } = webhookPlace(webhook)
    if (attempt === null)
      return entry(created_at, tie, { ...of, id, kind: "webhook.queued", detail: { ...detail, status } })
    const { at, duration_ms, error, http_status } = attempt
    return entry(Date.parse(at), tie, {
      ...of,
      id: `${id}:attempt@${at}`,
      kind: "webhook.attempt",
      detail: { ...detail, duration_ms, http_status, error }
    })
  })
