// What the ledger, the log and the webhooks know of a call and of the legs that it dialled.
import type { CallEventRecord } from "./CallEventRecord.ts"
import type { CallbackLogEntry } from "../state/CallbackLog.ts"
import type { StreamViewer } from "../state/Call.ts"
import type { Attempt, DeliveryStatus } from "../../webhooks/DeliveryRecord.ts"
import type { HoldRow } from "../../journal/Rows.ts"
import type { CallId, GatewayId, SubscriptionId } from "../../BrandedIds.ts"

/** A movement of the wallet's money. Instants are epoch milliseconds. */
export interface ChargeEntry {
  readonly id: string
  readonly call_id: CallId
  readonly amount_minor: number
  readonly balance_after_minor: number
  readonly created_at: number
  readonly lines: ReadonlyArray<{ readonly account: string; readonly amount_minor: number }>
}

/** A row of the rate table as it was when a call was placed. */
export interface RateProof {
  readonly id: string
  readonly prefix: string
  readonly country: string | null
  readonly description: string
  readonly class: string
  readonly per_min_minor: number
  readonly effective_from: number
  readonly effective_to: number | null
}

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
  readonly attempt_log: ReadonlyArray<Attempt>
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

/** The money of calls: what was set aside for them, and what they were charged. */
export interface CallMoney {
  readonly holds: ReadonlyArray<HoldRow>
  readonly charges: ReadonlyArray<ChargeEntry>
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
