// What the ledger, the log and the webhooks know of a call and of the legs that it dialled.
import type { CallEventRecord } from "./CallEventRecord.ts"
import type { CallbackLogEntry } from "../state/CallbackLog.ts"
import type { CallMoney } from "./ChargeBreakdown.ts"
import type { PlacedCall, StreamViewer } from "../state/Call.ts"
import type { DeliveryStatus, ListedAttempt } from "../../webhooks/DeliveryRecord.ts"
import type { CallId, GatewayId, SubscriptionId } from "../../BrandedIds.ts"

export interface LoggedEvent extends CallEventRecord {
  readonly call_id: CallId
}

/** A delivery of an event, or one attempt of it. */
export interface WebhookTrail {
  /** The id of the delivery. */
  readonly id: string
  readonly call_id: CallId
  readonly subscription_id: SubscriptionId
  readonly event_id: string
  readonly event_kind: string
  readonly event_at: number
  readonly status: DeliveryStatus
  readonly created_at: number
  /** Null: this is the delivery itself. */
  readonly attempt: ListedAttempt | null
}

/** An earlier line, without what only its own entry shows. */
export interface EarlierLine extends Omit<TrailLine, "detail"> {
  readonly verb: string | null
}

/** Entries are in the order of their instants (epoch milliseconds), and of their ties within one. */
export interface Place {
  readonly at: number
  readonly tie: string
}

/** Which part of the trail is read. */
export interface TrailWindow {
  /** The place of the last entry that is known already. Absent: from the beginning. */
  readonly after?: Place | undefined
  /** The last instant, in epoch milliseconds. Absent: without end. */
  readonly until?: number | undefined
  /** How many events, lines and webhooks are read of each at most, and one more. */
  readonly limit: number
}

/** What the voice callback of a call was asked. Instants are epoch milliseconds. */
export interface CallbackTrail extends CallbackLogEntry {
  readonly call_id: CallId
}

/** What the PBX was told to do for a call. Instants are epoch milliseconds. */
export interface CommandTrail {
  readonly call_id: CallId
  readonly gateway_id: GatewayId
  readonly command_id: string
  readonly at: number
}

/** A live stream of a call. */
export interface WatchTrail extends StreamViewer {
  readonly call_id: CallId
}

/** A line of the timeline that is stored as it is shown (RecordTrail.ts). Instants are epoch milliseconds. */
export interface TrailLine {
  readonly call_id: CallId
  readonly key: string
  readonly kind: string
  readonly at: number
  readonly detail: Readonly<Record<string, unknown>>
}

const causeKinds = new Set(["call.ringing", "call.answered", "call.callback_failed"])

/** Whether entries that come later may have this event as their cause. */
export const isCauseEvent = ({ kind, payload }: LoggedEvent): boolean =>
  causeKinds.has(kind) || (kind === "call.progress" && Object(payload)["step"] === "dial_refused")

/** A part of what is known of several calls, each list in its order. */
export interface CallTrail extends CallMoney {
  readonly events: ReadonlyArray<LoggedEvent>
  readonly lines: ReadonlyArray<TrailLine>
  readonly webhooks: ReadonlyArray<WebhookTrail>
  /** Everything up to this place has been read. Null: everything has. */
  readonly horizon: Place | null
  /** What may have caused an entry of this part, and stands before it. */
  readonly earlier: {
    readonly events: ReadonlyArray<LoggedEvent>
    readonly lines: ReadonlyArray<EarlierLine>
  }
  readonly callbacks: ReadonlyArray<CallbackTrail>
  readonly commands: ReadonlyArray<CommandTrail>
  readonly watches: ReadonlyArray<WatchTrail>
}

/** What the state of a call itself has of its history. Null as well as absent: it has none. */
export interface CallCourse {
  readonly call_id: CallId
  readonly gateway_id: GatewayId
  readonly consulted?: PlacedCall["consulted"] | null
  readonly commands?: PlacedCall["commands"] | null
  readonly watches?: PlacedCall["watches"] | null
}

/** The part of the trail that follows from the states of the calls. */
export const trailOfCourses = (
  courses: ReadonlyArray<CallCourse>
): Pick<CallTrail, "callbacks" | "commands" | "watches"> => ({
  callbacks: courses.flatMap(({ call_id, consulted }) => (consulted ?? []).map((each) => ({ ...each, call_id }))),
  commands: courses.flatMap(({ call_id, commands, gateway_id }) =>
    (commands ?? []).map(([id, at]) => ({ call_id, gateway_id, command_id: `${call_id}:${id}`, at }))
  ),
  watches: courses.flatMap(({ call_id, watches }) => (watches ?? []).map((watch) => ({ ...watch, call_id })))
})
