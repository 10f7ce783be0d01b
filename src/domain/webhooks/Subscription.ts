// A webhook subscription: what is kept of it, what its actor has in memory, and how both change.
import { afterOutcome, type Breaker, closed, halfOpen, phase } from "./Breaker.ts"
import type { Origin } from "../access/Origin.ts"
import type { DueDelivery } from "./DeliveryRecord.ts"
import type { RedeliveredEvent, ReplayRecord } from "./ReplayRecord.ts"
import type { Settlement } from "./Settlement.ts"
import type { SubscriptionChange, SubscriptionFacts } from "./SubscriptionCommand.ts"
import type { DisabledReason, SubscriptionStatus } from "./SubscriptionRecord.ts"

/** Instants are epoch milliseconds. */
export interface Kept extends SubscriptionFacts {
  readonly status: SubscriptionStatus | "deleted"
  readonly disabled_reason: DisabledReason | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_success_at: number | null
  /** What `secret` was before its rotation, sealed. It signs too until it expires. */
  readonly previous_secret?: { readonly sealed: string; readonly expires_at: number }
  readonly failing_since: number | null
  /** When it was disabled by itself, as long as nobody was written to about it. */
  readonly unmailed_at?: number
  /** Counts what was written, so that a load can tell how much of it the disk already showed. */
  readonly revision: number
  /** Orders the events about the subscription itself. */
  readonly sequence: number
}

/** One that was not deleted. */
export type Live = Kept & { readonly status: SubscriptionStatus }

export const isLive = (kept: Kept | null): kept is Live => kept !== null && kept.status !== "deleted"

/** The sealed secrets in force, the newest first. */
export const secretsOf = ({ previous_secret, secret }: Kept, now: number): ReadonlyArray<string> => [
  ...(secret === null ? [] : [secret]),
  ...(previous_secret !== undefined && previous_secret.expires_at > now ? [previous_secret.sealed] : [])
]

/** What a restart forgets: deliveries are rows, and are read again. */
export interface Memory {
  /** How often the actor was told that there may be deliveries, and how much of that the last load answered. */
  readonly pokes: number
  readonly answered: number
  /** Loads that came back. */
  readonly loads: number
  /** The last load left due deliveries behind. */
  readonly more: boolean
  /** The earliest delivery that waits for its time. */
  readonly next_due_at: number | null
  /** In flight, every one of them. */
  readonly window: ReadonlyArray<DueDelivery>
  /** Settled, while a load may still see them as they were before. */
  readonly settled: ReadonlyArray<{
    readonly id: string
    readonly revision: number
    readonly next_attempt_at: number | null
  }>
  readonly breaker: Breaker
}

/** `kept` is null until the subscription is made. */
export interface Subscription {
  readonly id: string
  readonly kept: Kept | null
  readonly memory: Memory
}

export type SubscriptionEvent =
  | { readonly _tag: "Created"; readonly facts: SubscriptionFacts; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Poked"; readonly at: number }
  | { readonly _tag: "ProbeBegan" }
  | {
      readonly _tag: "LoadCame"
      readonly pokes: number
      readonly revision: number
      readonly deliveries: ReadonlyArray<DueDelivery>
      readonly more: boolean
      readonly next_due_at: number | null
    }
  | {
      readonly _tag: "DeliverySettled"
      readonly delivery: DueDelivery
      readonly settlement: Settlement
      readonly at: number
    }
  /** Its row is written anew without an attempt. */
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
  /** New deliveries were made of events that it had before. */
  | {
      readonly _tag: "Replayed"
      readonly replay: ReplayRecord
      readonly events: ReadonlyArray<RedeliveredEvent>
      readonly at: number
      readonly origin: Origin
    }
  | { readonly _tag: "Disabled"; readonly reason: DisabledReason; readonly at: number }
  | { readonly _tag: "Mailed" }

/** Deliveries of one subscription in flight at once. */
const windowLimit = 50
/** A load is worth its while when so many have room. */
const refillAt = windowLimit / 2

/** Deliveries of a deleted subscription that are ended at once. */
const sweepLimit = 500

/** One poke from the start: what was due when the actor came into memory is to be loaded. */
export const blank: Memory = {
  pokes: 1,
  answered: 0,
  loads: 0,
  more: false,
  next_due_at: null,
  window: [],
  settled: [],
  breaker: closed
}

export const initial = (id: string): Subscription => ({ id, kept: null, memory: blank })

/** How many deliveries may be loaded now; 0: none. */
export const roomOf = ({ kept, memory: { answered, breaker, more, pokes, window } }: Subscription): number => {
  if (!(pokes > answered || more)) return 0
  if (kept?.status === "deleted") return sweepLimit
  if (kept?.status !== "active") return 0
  switch (phase(breaker)) {
    case "open":
      return 0
    case "half_open":
      return window.length === 0 ? 1 : 0
    case "closed":
      return window.length <= refillAt ? windowLimit - window.length : 0
  }
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)

/** Those among rows that were read of which nothing newer is known. */
export const current = <Row extends { readonly id: string }>(
  { settled, window }: Memory,
  revision: number,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row> => {
  const known = new Set([...window, ...settled.filter((row) => row.revision > revision)].map(({ id }) => id))
  return rows.filter(({ id }) => !known.has(id))
}

const loaded = (memory: Memory, event: Extract<SubscriptionEvent, { _tag: "LoadCame" }>): Memory => {
  const settled = memory.settled.filter(({ revision }) => revision > event.revision)
  return {
    ...memory,
    answered: event.pokes,
    loads: memory.loads + 1,
    more: event.more,
    next_due_at: settled.reduce((due, { next_attempt_at }) => earlier(due, next_attempt_at), event.next_due_at),
    window: [...memory.window, ...current(memory, event.revision, event.deliveries)],
    settled
  }
}

const settled = (
  kept: Kept,
  memory: Memory,
  { at, delivery, settlement }: Extract<SubscriptionEvent, { _tag: "DeliverySettled" }>
): Omit<Subscription, "id"> => {
  const { next_attempt_at, status } = settlement
  const revision = kept.revision + 1
  const ok = status === "succeeded"
  const tried = status !== "blocked"
  return {
    kept: {
      ...kept,
      revision,
      ...(tried && (ok ? { last_success_at: at, failing_since: null } : { failing_since: kept.failing_since ?? at }))
    },
    memory: {
      ...memory,
      next_due_at: earlier(memory.next_due_at, next_attempt_at),
      window: memory.window.filter(({ id }) => id !== delivery.id),
      settled: [...memory.settled, { id: delivery.id, revision, next_attempt_at }],
      breaker: tried ? afterOutcome(memory.breaker, ok, at) : memory.breaker
    }
  }
}

const moved = (
  kept: Kept,
  memory: Memory,
  { delivery, settlement: { next_attempt_at } }: Extract<SubscriptionEvent, { _tag: "DeliveryMoved" }>
): Omit<Subscription, "id"> => {
  const revision = kept.revision + 1
  return {
    kept: { ...kept, revision },
    memory: {
      ...memory,
      next_due_at: earlier(memory.next_due_at, next_attempt_at),
      settled: [...memory.settled, { id: delivery.id, revision, next_attempt_at }]
    }
  }
}

const changed = (
  kept: Kept,
  memory: Memory,
  { at, change }: Extract<SubscriptionEvent, { _tag: "Changed" }>
): Omit<Subscription, "id"> => ({
  kept: {
    ...kept,
    ...change,
    ...(change.status !== undefined && { disabled_reason: null, failing_since: null }),
    updated_at: at,
    revision: kept.revision + 1
  },
  memory: {
    ...memory,
    pokes: memory.pokes + 1,
    breaker: change.url !== undefined || change.status === "active" ? closed : memory.breaker
  }
})

/** Its secrets are forgotten; what is in flight is broken off and ends with what waits. */
const deleted = (
  { previous_secret: _, unmailed_at: __, ...kept }: Kept,
  memory: Memory,
  at: number
): Omit<Subscription, "id"> => ({
  kept: { ...kept, status: "deleted", secret: null, updated_at: at, revision: kept.revision + 1 },
  memory: { ...memory, pokes: memory.pokes + 1, next_due_at: null, window: [], breaker: closed }
})

const rotated = (
  { previous_secret: _, ...kept }: Kept,
  { at, previous_expires_at, secret }: Extract<SubscriptionEvent, { _tag: "SecretRotated" }>
): Kept => ({
  ...kept,
  secret,
  ...(kept.secret !== null &&
    previous_expires_at !== null && {
      previous_secret: { sealed: kept.secret, expires_at: previous_expires_at }
    }),
  updated_at: at,
  revision: kept.revision + 1
})

/** One that was deleted comes back with its count of what was written. */
const created = (before: Kept | null, facts: SubscriptionFacts, at: number): Kept => ({
  ...facts,
  status: "active",
  disabled_reason: null,
  created_at: at,
  updated_at: at,
  last_success_at: null,
  failing_since: null,
  revision: (before?.revision ?? 0) + 1,
  sequence: before?.sequence ?? 0
})

/** What was made is due, and not on disk yet: as with a delivery that was moved, a load of before cannot have seen it. */
const replayed = (
  kept: Kept,
  memory: Memory,
  { at, replay }: Extract<SubscriptionEvent, { _tag: "Replayed" }>
): Omit<Subscription, "id"> => {
  const revision = kept.revision + 1
  return {
    kept: { ...kept, revision },
    memory: {
      ...memory,
      next_due_at: earlier(memory.next_due_at, at),
      settled: [...memory.settled, { id: replay.replay_id, revision, next_attempt_at: at }]
    }
  }
}

const mailed = ({ unmailed_at: _, ...kept }: Kept): Kept => ({ ...kept, revision: kept.revision + 1 })

export const evolve = (state: Subscription, event: SubscriptionEvent): Subscription => {
  const { id, kept, memory } = state
  switch (event._tag) {
    // Nothing can be due to a subscription that was not there.
    case "Created":
      return {
        id,
        kept: created(kept, event.facts, event.at),
        memory: kept === null ? { ...memory, answered: memory.pokes } : memory
      }
    case "Poked": {
      // The load that follows finds out what waits next.
      const next_due_at = memory.next_due_at !== null && memory.next_due_at <= event.at ? null : memory.next_due_at
      return { ...state, memory: { ...memory, pokes: memory.pokes + 1, next_due_at } }
    }
    case "ProbeBegan":
      return { ...state, memory: { ...memory, breaker: halfOpen(memory.breaker) } }
    case "LoadCame":
      return { ...state, memory: loaded(memory, event) }
    case "DeliverySettled":
      return kept === null ? state : { id, ...settled(kept, memory, event) }
    case "DeliveryMoved":
      return kept === null ? state : { id, ...moved(kept, memory, event) }
    case "Changed":
      return kept === null ? state : { id, ...changed(kept, memory, event) }
    case "Deleted":
      return kept === null ? state : { id, ...deleted(kept, memory, event.at) }
    case "Replayed":
      return kept === null ? state : { ...state, ...replayed(kept, memory, event) }
    case "SecretRotated":
      return kept === null ? state : { ...state, kept: rotated(kept, event) }
    case "Mailed":
      return kept === null ? state : { ...state, kept: mailed(kept) }
    case "Disabled": {
      if (kept === null) return state
      const { at, reason } = event
      return {
        ...state,
        kept: {
          ...kept,
          status: "disabled",
          disabled_reason: reason,
          unmailed_at: at,
          updated_at: at,
          revision: kept.revision + 1,
          sequence: kept.sequence + 1
        }
      }
    }
  }
}
