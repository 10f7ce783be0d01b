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

export interface DeliveryTrail {
  readonly id: string
  readonly call_id: CallId
  readonly subscription_id: SubscriptionId
  readonly event_id: string
  readonly event_kind: string
  readonly status: DeliveryStatus
  readonly created_at: number
  readonly attempt_log: ReadonlyArray<ListedAttempt>
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

/** Everything that is known of several calls, each list in the order of time. */
export interface CallTrail extends CallMoney {
  readonly events: ReadonlyArray<LoggedEvent>
  readonly lines: ReadonlyArray<TrailLine>
  /** Whether there is more than is listed here. */
  readonly is_partial: boolean
  readonly deliveries: ReadonlyArray<DeliveryTrail>
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
