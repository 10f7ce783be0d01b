// Everything that happened to a call and to its legs, in order and with causes, and the state of the call at any
// instant (docs/calls.md, "What happened, and when").
import { Schema } from "effect"
import { startedLate } from "./CallPayload.ts"
import type { CallTrail, EarlierLine, LoggedEvent, TrailLine, Place } from "./CallTrail.ts"
import { CallRecord } from "../state/CallRecord.ts"
import { HoldBreakdown, holdBreakdowns } from "./ChargeBreakdown.ts"
import { CallId } from "../../BrandedIds.ts"
import { withCauses } from "./TimelineCauses.ts"
import {
  type Acknowledged,
  type Dated,
  entry,
  ofCallbacks,
  ofCommands,
  ofLines,
  ofWatches,
  ofWebhooks,
  TimelineEntry
} from "./TimelineEntry.ts"
import { comparePlaces, eventPlace, stepOfKey, tiePrefix } from "./TimelinePlace.ts"
import { pageOf } from "../../paging/Page.ts"
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
    description: "Whether the call has more entries, up to `at`, than are listed."
  }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The `cursor` of the next page. Null on the last."
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

const ofEvents = ({ events }: Pick<CallTrail, "events">): ReadonlyArray<Dated> =>
  events.map((event) =>
    entry(Date.parse(event.occurred_at), eventPlace(event).tie, {
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
const listedAt = ({ call_id, id, placed_at }: CallTrail["holds"][number], trail: CallTrail): number => {
  const { earlier, events, holds } = trail
  const call = [...earlier.events, ...events].find(
    (event) => event.call_id === call_id && event.kind === "call.ringing"
  )
  if (id !== call_id || call === undefined || causeOf(call).startsWith("pbx:")) return placed_at
  const { parent_call_id } = call.payload as Payload
  const shared = holds.some((hold) => hold.call_id === parent_call_id && hold.id !== parent_call_id)
  return shared ? placed_at : Math.min(placed_at, Date.parse(call.occurred_at))
}

/** Holds of one instant are in the order in which they were placed. */
const holdTie = ({ id, placed_at }: CallTrail["holds"][number]): string => `${String(placed_at).padStart(15, "0")}${id}`

const holdPlaced = (hold: CallTrail["holds"][number], trail: CallTrail): Dated =>
  entry(listedAt(hold, trail), `${tiePrefix.heldMoney}${holdTie(hold)}`, {
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
            entry(closed_at, `${tiePrefix.otherMoney}a${holdTie(hold)}`, {
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
    entry(created_at, `${tiePrefix.otherMoney}b${id}`, {
      id,
      call_id,
      kind: "charge.booked",
      cause: "call: its end",
      detail: { entry_id: id, amount_minor, balance_after_minor }
    })
  )
]

const recordOf = (payload: Payload): CallRecord => ({ ...payload, kind: payload.call_kind })

/** The record in the last event of the call up to `at`. */
const recordAt = (events: ReadonlyArray<LoggedEvent>, call_id: CallId, at: number): CallRecord | undefined => {
  const last = events.findLast(
    (event) => event.call_id === call_id && event.kind !== "transcript.turn" && Date.parse(event.occurred_at) <= at
  )
  return last && recordOf(last.payload as Payload)
}

/** What is known of an instant besides the trail. */
interface AsOfInstant {
  readonly at: number
  readonly balance_minor: number | undefined
  /** The last event of the call and of each leg up to then. */
  readonly latest: ReadonlyArray<LoggedEvent>
}

const stateAt = (call: CallRecord, { holds }: CallTrail, { at, balance_minor, latest }: AsOfInstant) => ({
  call: recordAt(latest, call.id, at) ?? call,
  legs: call.child_call_ids.flatMap((id) => recordAt(latest, id, at) ?? []),
  holds: holdBreakdowns(
    holds.filter(({ closed_at, placed_at }) => placed_at <= at && (closed_at === null || closed_at > at))
  ).map((hold) => ({ ...hold, status: "open" as const, captured_minor: 0, closed_at: null })),
  balance_minor: balance_minor ?? null
})

const lineOf = ({ verb, ...line }: EarlierLine): TrailLine => ({
  ...line,
  detail: { step: stepOfKey(line.key), ...(verb !== null && { verb }) }
})

/** Deliveries whose attempts, and events whose deliveries, are in this part and come later, whether or not they are. */
const unseenCauses = ({ webhooks }: CallTrail): ReadonlySet<string> =>
  new Set(
    webhooks.flatMap(({ attempt, created_at, event_at, event_id, id }) => {
      if (attempt === null) return event_at <= created_at ? [event_id] : []
      return created_at <= Date.parse(attempt.at) ? [id] : []
    })
  )

const shownEntry = ({ place, ...entry }: Dated & Pick<TimelineEntry, "caused_by">): TimelineEntry => ({
  ...entry,
  at: isoInstant(place.at)
})

interface TimelineOptions {
  /** Default: all entries of the trail. */
  readonly limit?: number
  /** The place of the last entry of the page before. */
  readonly after?: Place | undefined
  /** Ends the timeline at an instant, and adds the state then. */
  readonly as_of?: AsOfInstant | undefined
}

/** A page of a timeline, and the place of its last entry if there are more. */
export interface TimelinePage extends Omit<Timeline, "next_cursor"> {
  readonly next: Place | null
}

/** A page of the timeline of a call. The trail begins where the page does, or before. */
export const timelinePage = (
  call: CallRecord,
  trail: CallTrail,
  acknowledged: Acknowledged,
  { after, as_of, limit = Infinity }: TimelineOptions = {}
): TimelinePage => {
  const { earlier, horizon } = trail
  const whole = [
    ...ofMoney(trail),
    ...ofEvents(trail),
    ...ofCallbacks(trail),
    ...ofLines(trail),
    ...ofCommands(trail, acknowledged),
    ...ofWatches(trail),
    ...ofWebhooks(trail)
  ]
  const isBefore = ({ place }: Dated) => after !== undefined && comparePlaces(place, after) <= 0
  const inOrder = (a: Dated, b: Dated) => comparePlaces(a.place, b.place)
  const before = [
    ...whole.filter(isBefore),
    ...ofEvents({ events: earlier.events }),
    ...ofLines({ lines: earlier.lines.map(lineOf) })
  ].sort(inOrder)
  const following = whole
    .filter((entry) => !isBefore(entry))
    .filter(({ place }) => as_of === undefined || place.at <= as_of.at)
    .filter(({ place }) => horizon === null || comparePlaces(place, horizon) <= 0)
    .sort(inOrder)
  const isLeg = new Set(call.child_call_ids)
  const parentOf = (call_id: CallId) => (isLeg.has(call_id) ? call.id : null)
  const { next, rows } = pageOf(following, limit, ({ place: { at, tie } }) => ({ sort: at, id: tie }))
  const last = rows.at(-1)?.place ?? null
  const has_more = next !== null || horizon !== null
  return {
    call_id: call.id,
    entries: withCauses(rows, parentOf, before, unseenCauses(trail)).map(shownEntry),
    has_more,
    next: has_more ? last : null,
    ...(as_of !== undefined && { as_of: stateAt(call, trail, as_of) })
  }
}
