// A webhook subscription: what is stored of it, and what its actor has in memory besides.
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import { type SubscriptionId, toSubscriptionId } from "../BrandedIds.ts"
import { Count, EpochMs, optional, orNull } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"
import { type Breaker, closed, phase } from "./Breaker.ts"
import type { DueDeliveries, DueDelivery, SendOptions } from "./DeliveryRecord.ts"
import type { RedeliveredEvent, ReplayRecord } from "./ReplayRecord.ts"
import type { Settlement } from "./Settlement.ts"
import { type SubscriptionChange, SubscriptionFacts } from "./SubscriptionCommand.ts"
import { DisabledReason } from "../events/DisabledReason.ts"
import { SubscriptionStatus } from "./SubscriptionRecord.ts"

/** The stored state. Deliveries are read with its `revision` in SQL. */
const SubscriptionData = Schema.Struct({
  ...SubscriptionFacts.fields,
  status: Schema.Literals([...SubscriptionStatus.literals, "deleted"]),
  disabled_reason: orNull(DisabledReason),
  created_at: EpochMs,
  updated_at: EpochMs,
  last_success_at: orNull(EpochMs),
  /** The secret before the last rotation, sealed. It signs as well until it expires. */
  previous_secret: optional(Schema.Struct({ sealed: Schema.String, expires_at: EpochMs })),
  /** Since when every attempt has failed. */
  failing_since: orNull(EpochMs),
  /** When the engine disabled the subscription; absent once the admins have been notified of it. */
  unmailed_at: optional(EpochMs),
  /** Counts writes, so that rows which were read can be compared with what was written meanwhile. */
  revision: Count,
  /** Orders the events about the subscription itself. */
  sequence: Count
})
export type SubscriptionData = typeof SubscriptionData.Type

/** The state of a subscription that was not deleted. */
export interface LiveData extends SubscriptionData {
  readonly status: SubscriptionStatus
}

/** What a restart forgets. Deliveries are rows and are read again. */
export interface Memory {
  /** How often the actor was notified that deliveries may be due. */
  readonly pokes: number
  /** How many of the pokes the last load covered. */
  readonly answered: number
  /** Loads that have finished. */
  readonly loads: number
  /** The last load left due deliveries behind. */
  readonly more: boolean
  /** The earliest time at which a waiting delivery becomes due. */
  readonly next_due_at: number | null
  /** Deliveries that are being attempted. */
  readonly window: ReadonlyArray<DueDelivery>
  /** How many may be attempted at once while the receiver is proven. */
  readonly window_size: number
  /** Deliveries that were settled. A load that began earlier may still read their old rows. */
  readonly settled: ReadonlyArray<{
    readonly id: string
    readonly revision: number
    readonly next_attempt_at: number | null
  }>
  readonly breaker: Breaker
}

export interface AbsentSubscription {
  readonly _tag: "Absent"
  readonly id: SubscriptionId
}

/** A subscription that exists, or has existed. */
export interface PresentSubscription {
  readonly _tag: "Present"
  readonly id: SubscriptionId
  readonly data: SubscriptionData
  readonly memory: Memory
}

export interface LiveSubscription extends PresentSubscription {
  readonly data: LiveData
}

export type Subscription = AbsentSubscription | PresentSubscription

export type SubscriptionEvent =
  | { readonly _tag: "Created"; readonly facts: SubscriptionFacts; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Poked"; readonly at: number }
  | { readonly _tag: "ProbeBegan" }
  | ({ readonly _tag: "LoadCame"; readonly pokes: number } & DueDeliveries)
  | {
      readonly _tag: "DeliverySettled"
      readonly delivery: DueDelivery
      readonly settlement: Settlement
      readonly at: number
    }
  /** It was not attempted after all. Its row is as it was, and is read again. */
  | { readonly _tag: "DeliveryReturned"; readonly delivery_id: string }
  /** The row of a delivery changes without an attempt. */
  | {
      readonly _tag: "DeliveryMoved"
      readonly delivery: Pick<DueDelivery, "id" | "created_at">
      readonly settlement: Settlement
    }
  | { readonly _tag: "Changed"; readonly change: SubscriptionChange; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Deleted"; readonly at: number; readonly origin: Origin }
  | {
      readonly _tag: "SecretRotated"
      readonly secret: string
      /** Null: there was no secret. */
      readonly previous_expires_at: number | null
      readonly at: number
      readonly origin: Origin
    }
  /** New deliveries were made of earlier events. */
  | {
      readonly _tag: "Replayed"
      readonly replay: ReplayRecord
      readonly events: ReadonlyArray<RedeliveredEvent>
      readonly at: number
      readonly origin: Origin
    }
  | { readonly _tag: "Disabled"; readonly reason: DisabledReason; readonly at: number }
  | { readonly _tag: "Mailed" }

/** Deliveries of one subscription that may be attempted at once. */
const maxWindow = 50
/** The window of a proven receiver whose actor has just been activated. */
const firstWindow = 4
/** Deliveries of a deleted subscription that are ended in one step. */
const sweepSize = 500

/** It begins with one poke, so that the first load reads what was due when the actor was activated. */
export const emptyMemory: Memory = {
  pokes: 1,
  answered: 0,
  loads: 0,
  more: false,
  next_due_at: null,
  window: [],
  window_size: firstWindow,
  settled: [],
  breaker: closed
}

export const subscriptionState = storedState({ schema: SubscriptionData, upgrades: [] })

export const restoreSubscription = subscriptionState.restore((data, _row, id): PresentSubscription => ({
  _tag: "Present",
  id: toSubscriptionId(id),
  data,
  memory: emptyMemory
}))

export const absentSubscription = (id: SubscriptionId): Subscription => ({ _tag: "Absent", id })

export const isLiveData = (data: SubscriptionData): data is LiveData => data.status !== "deleted"

export const isLive = (state: Subscription): state is LiveSubscription =>
  state._tag === "Present" && isLiveData(state.data)

/** The sealed secrets in force at `now`, newest first. */
export const secretsOf = ({ previous_secret, secret }: SubscriptionData, now: number): ReadonlyArray<string> => [
  ...(secret === null ? [] : [secret]),
  ...(previous_secret !== undefined && previous_secret.expires_at > now ? [previous_secret.sealed] : [])
]

export const sendOptions = (data: SubscriptionData, now: number): SendOptions => {
  const { api_version, signature_format, url } = data
  return { url, signature_format, api_version, secrets: secretsOf(data, now) }
}

/**
 * Whether the receiver accepted the last delivery. It is read from what is stored, because idle subscriptions leave
 * memory. A change, for example of the URL, makes it prove itself again.
 */
export const isProven = ({ failing_since, last_success_at, updated_at }: SubscriptionData): boolean =>
  failing_since === null && last_success_at !== null && last_success_at >= updated_at

/** How many deliveries may be attempted at once: one, unless the receiver is proven. */
export const windowOf = ({ data, memory }: Pick<PresentSubscription, "data" | "memory">): number =>
  isProven(data) ? memory.window_size : 1

/** The size of the window after an attempt: each success doubles it, a failure leaves one. */
export const nextWindow = (size: number, ok: boolean): number => (ok ? Math.min(maxWindow, size * 2) : 1)

/** How many deliveries a load may read now; 0: do not load. A window is refilled when half of it is free. */
export const loadSize = (state: PresentSubscription): number => {
  const { data, memory } = state
  const { answered, breaker, more, pokes, window } = memory
  const { status } = data
  if (pokes <= answered && !more) return 0
  if (status === "deleted") return sweepSize
  if (status !== "active") return 0
  switch (phase(breaker)) {
    case "open":
      return 0
    case "half_open":
      return window.length === 0 ? 1 : 0
    case "closed": {
      const size = windowOf(state)
      return window.length <= size / 2 ? size - window.length : 0
    }
  }
}

/** The rows, read at `revision`, of deliveries that are neither being attempted nor changed since. */
export const unchangedSince = <Row extends { readonly id: string }>(
  { settled, window }: Memory,
  revision: number,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row> => {
  const known = new Set([...window, ...settled.filter((row) => row.revision > revision)].map(({ id }) => id))
  return rows.filter(({ id }) => !known.has(id))
}
