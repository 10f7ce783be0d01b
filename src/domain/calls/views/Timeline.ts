// Everything that happened to a call and to its legs, in order and with causes, and the state of the call at any
// instant (docs/calls.md, "What happened, and when").
import { Schema } from "effect"
import { startedLate } from "./CallPayload.ts"
import type { CallTrail, LoggedEvent } from "./CallTrail.ts"
import { CallRecord } from "../state/CallRecord.ts"
import { HoldBreakdown, holdBreakdowns } from "./ChargeBreakdown.ts"
import { CallId } from "../../BrandedIds.ts"
import { withCauses } from "./TimelineCauses.ts"
import {
  type Acknowledged,
  byStep,
  type Dated,
  entry,
  ofCallbacks,
  ofCommands,
  ofDeliveries,
  ofLines,
  ofWatches,
  TimelineEntry
} from "./TimelineEntry.ts"
import { isoInstant } from "../../kit/Instants.ts"

const AsOf = Schema.Struct({
  call: CallRecord,
  legs: Schema.Array(CallRecord),
  holds: Schema.Array(HoldBreakdown).annotate({
    description: "The holds that were open at that instant, with their final amounts."
  }),
  balance_minor: Schema.NullOr(Schema.Int).annotate({
    description: "The balance of the wallet; null before its first entry."
  })
}).annotate({ identifier: "CallAsOf" })

export const Timeline = Schema.Struct({
  call_id: CallId,
  entries: Schema.Array(TimelineEntry),
  has_more: Schema.Boolean.annotate({
    description:
      "Whether the call has more entries than are listed. The first 2,000 of each kind of row are read, and of those the first 4 MiB."
  }),
  as_of: Schema.optionalKey(AsOf).annotate({ description: "Only if the request has `at`: the state at that instant." })
}).annotate({ identifier: "CallTimeline" })
export type Timeline = typeof Timeline.Type

/** The payload of a call's event: the record and some members of its own. */
type Payload = CallRecord & { readonly call_kind: CallRecord["kind"]; readonly step?: string; readonly cause?: string }

/** The cause text by hangup cause. Calls with other hangup causes were ended by the PBX. */
const endings: Readonly<Record<string, string>> = {
  canceled_by_workspace: "request: terminate",
  ring_timeout: "clock: ring",
  max_duration: "clock: maximum",
  session_lost: "clock: life",
  balance_exhausted: "wallet: the next minute was refused",
  destination_refused: "call: its destinations were refused",
  insufficient_funds: "wallet: the first minute was refused",
  callback_failed: "callback: it failed",
  callback_timeout: "callback: it did not answer in time",
  voice_action_invalid: "callback: its answer was not understood",
  actions_ended: "call: no action was left",
  answered_elsewhere: "dial: another leg was answered"
}

/** Hangup causes of a limit that either the engine or the PBX enforces. With a SIP code it was the PBX. */
const limitCauses: ReadonlySet<string> = new Set(["balance_exhausted", "max_duration"])

const endingOf = ({ hangup_cause, hangup_source, sip_code }: Payload): string => {
  if (sip_code !== null && hangup_cause !== null && limitCauses.has(hangup_cause)) return "pbx: leg.hangup"
  if (hangup_cause !== null && endings[hangup_cause] !== undefined) return endings[hangup_cause]
  if (hangup_source === "workspace") return "callback: hangup"
  return hangup_source === "platform" ? "call: the call that dialled it" : "pbx: leg.hangup"
}

const beginningOf = ({ call_kind, direction, parent_call_id }: Payload): string => {
  if (parent_call_id !== null) return `dial: ${parent_call_id}`
  return direction === "outbound" && (call_kind === "api" || call_kind === "chatapp")
    ? "request: originate"
    : "pbx: session.created"
}

const causeOf = ({ kind, payload }: LoggedEvent): string => {
  const call = payload as Payload
  switch (kind) {
    case "call.ringing":
      return beginningOf(call)
    case "call.progress":
      return call.step === "dial_refused"
        ? "call: dial"
        : `pbx: ${call.step?.includes(".") === true ? call.step : `leg.${call.step}`}`
    case "call.answered":
      return "pbx: leg.answered"
    case "call.bridged":
      return "pbx: leg.bridged"
    case "call.answer_ignored":
      return call.step === startedLate ? "pbx: session.created" : "pbx: leg.answered"
    case "call.callback_failed":
      return `callback: ${call.cause}`
    case "call.balance_low":
      return "wallet: the next minute was refused"
    case "call.completed":
    case "call.no_answer":
    case "call.busy":
    case "call.failed":
    case "call.canceled":
      return endingOf(call)
    case "call.transcript_available":
      return "call: its end"
    case "call.stream_started":
    case "call.stream_ended":
      return `pbx: ${kind.replace("call.stream_", "stream.")}`
    default:
      return `pbx: ${kind.slice(kind.indexOf(".") + 1)}`
  }
}

const recordMembers = new Set([...Object.keys(CallRecord.fields), "call_kind"])

/** The members that the event adds to the record, and the status of the record. */
const detailOf = ({ kind, late, payload, sequence }: LoggedEvent): Readonly<Record<string, unknown>> => {
  if (kind === "transcript.turn") return { sequence, ...(payload as object) }
  const call = payload as Payload
  const added = Object.entries(call).filter(([name]) => !recordMembers.has(name))
  return {
    sequence,
    status: call.status,
    ...(late && { late }),
    ...(call.hangup_cause !== null && {
      hangup_cause: call.hangup_cause,
      hangup_source: call.hangup_source,
      sip_code: call.sip_code
    }),
    ...Object.fromEntries(added)
  }
}

const ofEvents = ({ events }: CallTrail): ReadonlyArray<Dated> =>
  events.map((event) =>
    entry(Date.parse(event.occurred_at), {
      id: event.id,
      call_id: event.call_id,
      kind: event.kind,
      cause: causeOf(event),
      detail: detailOf(event)
    })
  )

/**
 * A call shows the time of its request, and its first minute was held between the request and the call. So that hold
 * is listed with the call, and before it; `placed_at` has its own time, some milliseconds later. An inbound call is
 * held for after it came in, and a leg that took over the hold of its dial, when it was answered.
 */
const listedAt = ({ call_id, id, placed_at }: CallTrail["holds"][number], { events, holds }: CallTrail): number => {
  const call = events.find((event) => event.call_id === call_id && event.kind === "call.ringing")
  if (id !== call_id || call === undefined || causeOf(call).startsWith("pbx:")) return placed_at
  const { parent_call_id } = call.payload as Payload
  const shared = holds.some((hold) => hold.call_id === parent_call_id && hold.id !== parent_call_id)
  return shared ? placed_at : Math.min(placed_at, Date.parse(call.occurred_at))
}

const holdPlaced = (hold: CallTrail["holds"][number], trail: CallTrail): Dated =>
  entry(listedAt(hold, trail), {
    id: `hold:${hold.id}:placed`,
    call_id: hold.call_id,
    kind: "hold.placed",
    cause: "call: its first minute",
    detail: { hold_id: hold.id, amount_minor: hold.amount_minor, placed_at: isoInstant(hold.placed_at) }
  })

const ofMoney = (trail: CallTrail): ReadonlyArray<Dated> => [
  ...trail.holds.flatMap((hold) => {
    const { amount_minor, call_id, captured_minor, closed_at, id, status } = hold
    return [
      holdPlaced(hold, trail),
      ...(closed_at === null
        ? []
        : [
            entry(closed_at, {
              id: `hold:${id}:${status}`,
              call_id,
              kind: `hold.${status}`,
              cause: "call: its end",
              detail: { hold_id: id, amount_minor, captured_minor }
            })
          ])
    ]
  }),
  ...trail.charges.map(({ amount_minor, balance_after_minor, call_id, created_at, id }) =>
    entry(created_at, {
      id,
      call_id,
      kind: "charge.booked",
      cause: "call: its end",
      detail: { entry_id: id, amount_minor, balance_after_minor }
    })
  )
]

/**
 * The order of entries of the same instant: money is held before the call is placed, and webhooks follow the event.
 */
const rank = ({ kind }: Dated): number => {
  if (kind === "hold.placed") return 0
  if (kind.startsWith("hold.") || kind === "charge.booked") return 1
  return kind.startsWith("webhook.") ? 4 : kind === "pbx.command" ? 3 : 2
}

const recordOf = (payload: Payload): CallRecord => ({ ...payload, kind: payload.call_kind })

/** The record in the last event of the call up to `at`. */
const recordAt = (events: ReadonlyArray<LoggedEvent>, call_id: CallId, at: number): CallRecord | undefined => {
  const last = events.findLast(
    (event) => event.call_id === call_id && event.kind !== "transcript.turn" && Date.parse(event.occurred_at) <= at
  )
  return last && recordOf(last.payload as Payload)
}

const stateAt = (call: CallRecord, { events, holds }: CallTrail, at: number, balance_minor: number | undefined) => ({
  call: recordAt(events, call.id, at) ?? call,
  legs: call.child_call_ids.flatMap((id) => recordAt(events, id, at) ?? []),
  holds: holdBreakdowns(
    holds.filter(({ closed_at, placed_at }) => placed_at <= at && (closed_at === null || closed_at > at))
  ).map((hold) => ({ ...hold, status: "open" as const, captured_minor: 0, closed_at: null })),
  balance_minor: balance_minor ?? null
})

/** The timeline of a call. `as_of`: entries up to this instant, with the state and the wallet's balance at it. */
export const timeline = (
  call: CallRecord,
  trail: CallTrail,
  acknowledged: Acknowledged,
  as_of?: { readonly at: number; readonly balance_minor: number | undefined }
): Timeline => {
  const dated = [
    ...ofMoney(trail),
    ...ofEvents(trail),
    ...ofCallbacks(trail),
    ...ofLines(trail),
    ...ofCommands(trail, acknowledged),
    ...ofWatches(trail),
    ...ofDeliveries(trail)
  ]
    .filter(({ time }) => as_of === undefined || time <= as_of.at)
    .sort((a, b) => a.time - b.time || rank(a) - rank(b) || byStep(a, b))
  const listed = withCauses(dated, (call_id) => (call.child_call_ids.includes(call_id) ? call.id : null))
  return {
    call_id: call.id,
    entries: listed.map(({ time: _, ...entry }) => entry),
    has_more: trail.is_partial,
    ...(as_of !== undefined && { as_of: stateAt(call, trail, as_of.at, as_of.balance_minor) })
  }
}
