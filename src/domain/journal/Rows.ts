// The rows that one decision of an actor writes, and what is read back, as plain data.
import type { AuditKind } from "./AuditKind.ts"
import type { NotCommitted } from "../errors/NotCommitted.ts"
import type { CallId, NumberId, SubscriptionId, WorkspaceId } from "../BrandedIds.ts"

/** A value of a typed column beside a snapshot, by which reads filter and sort. Instants are epoch milliseconds. */
export type Column = string | number | bigint | boolean | null | ReadonlyArray<string>

/** The state of one actor after a decision. It is written only over `version - 1`; version 1 is an insert. */
export interface Snapshot {
  readonly version: number
  /** The state as JSON text. */
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
}

/** A fact for the customer: kept in the log of its subject and, where `fan_out` is set, delivered to webhooks. */
export interface EventRow {
  readonly id: string
  readonly workspace_id: WorkspaceId
  /** What the event is about: a call's id, a number's id … The log of a subject is ordered by `sequence`. */
  readonly subject_id: string
  readonly sequence: number
  readonly kind: string
  readonly occurred_at: number
  readonly late: boolean
  /** JSON text. */
  readonly payload: string
  /** The number the event belongs to, for subscriptions that filter by it. */
  readonly number_id: NumberId | null
  readonly fan_out: boolean
  /** A subscription that gets the event whatever it listens to. */
  readonly subscription_id?: SubscriptionId
}

/**
 * A line of a call's timeline that is neither an event nor a movement of money. Lines of one call have different keys;
 * a line that is written again changes nothing.
 */
export interface CallTrailRow {
  readonly workspace_id: WorkspaceId
  readonly call_id: CallId
  readonly key: string
  readonly kind: string
  readonly at: number
  /** JSON text. */
  readonly detail: string
}

/** Money set aside for a call. `amount_minor` is the whole amount held. */
export interface HoldRow {
  readonly id: string
  readonly workspace_id: WorkspaceId
  readonly call_id: CallId
  readonly amount_minor: number
  readonly status: "open" | "captured" | "released"
  readonly captured_minor: number
  readonly placed_at: number
  readonly closed_at: number | null
  /** How many of its legs use the workspace's own trunk. */
  readonly trunk_legs: number
  /** How many legs ring until one of them takes the money. */
  readonly legs: number
  /** How many of its legs have a rate of class high_risk or premium. */
  readonly high_risk_legs: number
  /** The release of a hold whose call does not exist: it is refused if a call has been stored meanwhile. */
  readonly unused?: true
}

/** One movement of money and its balanced lines. */
export interface LedgerEntryRow {
  readonly id: string
  /** Null for money that is in no wallet. */
  readonly workspace_id: WorkspaceId | null
  /** The number of the entry in its wallet, from 1 without gaps. Null for money that is in no wallet. */
  readonly sequence: number | null
  readonly kind: string
  /** Signed, as the wallet sees it. */
  readonly amount_minor: number
  readonly balance_after_minor: number
  readonly currency: string
  readonly reference_type: string
  readonly reference_id: string
  readonly description: string
  readonly created_at: number
  /** JSON text: who caused it. */
  readonly actor: string
  /** JSON text. */
  readonly metadata: string
  /** They sum to zero. */
  readonly lines: ReadonlyArray<{ readonly account: string; readonly amount_minor: number }>
}

/** The outcome of an attempt, written over the delivery that the fan-out created. */
export interface DeliveryRow {
  readonly id: string
  readonly created_at: number
  readonly status: "pending" | "in_flight" | "retrying" | "succeeded" | "dead_letter" | "blocked"
  readonly attempts: number
  readonly next_attempt_at: number | null
  readonly finished_at: number | null
  /** JSON text or null. */
  readonly last_error: string | null
  /** JSON text: an array of at most eight attempts. */
  readonly attempt_log: string
}

/** A new delivery of an event that was delivered before. Due at once. */
export interface RedeliveryRow {
  readonly id: string
  readonly workspace_id: WorkspaceId
  readonly subscription_id: SubscriptionId
  readonly event_id: string
  readonly event_kind: string
  readonly subject_id: string
  readonly sequence: number
  readonly created_at: number
}

/** One line of the audit log: who did what, from where, and what changed by it. No secret is in it. */
export interface AuditRow {
  /** Null: it was done to the platform. */
  readonly workspace_id: WorkspaceId | null
  readonly action_kind: AuditKind
  /** JSON text of an `AuditActor`. */
  readonly actor: string
  readonly target_type: string
  readonly target_id: string
  readonly ip: string | null
  readonly user_agent: string | null
  readonly request_id: string | null
  /** JSON text, or null where there was nothing. */
  readonly before: string | null
  readonly after: string | null
  readonly created_at: number
}

/** The kept answer of a request that carried an Idempotency-Key. */
export interface IdempotencyRow {
  /** Whose key it is: a workspace's, or a user's where there is no workspace yet. */
  readonly workspace_id: string
  readonly method: string
  readonly route: string
  readonly key: string
  readonly fingerprint: string
  readonly status: number
  readonly body: string
  /** Response headers beside the content type that a replay must repeat. */
  readonly headers: Readonly<Record<string, string>>
  readonly created_at: number
}

/** Everything that one decision writes, as plain data. */
export interface Entry {
  readonly actor_type: string
  readonly actor_id: string
  readonly workspace_id: WorkspaceId | null
  /** Absent where a decision changed no state but its answer must be kept. */
  readonly snapshot?: Snapshot
  /** Absent: the alarm stays as it is. Null: none. Else when the actor must be in memory again, epoch milliseconds. */
  readonly alarm?: number | null
  readonly events?: ReadonlyArray<EventRow>
  readonly trail?: ReadonlyArray<CallTrailRow>
  readonly holds?: ReadonlyArray<HoldRow>
  /** The entry is written only while this hold is open, and marks it as used by a stored call. */
  readonly needs_hold?: string
  readonly ledger?: ReadonlyArray<LedgerEntryRow>
  readonly deliveries?: ReadonlyArray<DeliveryRow>
  readonly redeliveries?: ReadonlyArray<RedeliveryRow>
  readonly idempotency?: IdempotencyRow
  readonly audit?: ReadonlyArray<AuditRow>
}

/** An actor as it is stored. */
export interface Stored {
  readonly version: number
  readonly workspace_id: WorkspaceId | null
  readonly state: string
  readonly alarm: number | null
  /** The open holds, for a wallet; empty for every other actor. */
  readonly holds: ReadonlyArray<HoldRow>
  /**
   * For a wallet: where its workspace's calls of the last hour at least went and when, the oldest first, the newest
   * 10,000.
   */
  readonly dialled?: ReadonlyArray<readonly [to: string, at: number]>
}

export interface Alarm {
  readonly actor_type: string
  readonly actor_id: string
  readonly due_at: number
}

export type Committed = { readonly ok: true } | { readonly ok: false; readonly error: NotCommitted }
