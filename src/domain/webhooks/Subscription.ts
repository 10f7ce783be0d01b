// A webhook subscription: what is kept of it, what its actor has in memory, and how both change.
import { afterOutcome, type Breaker, closed, halfOpen, phase } from "./Breaker.ts"
import type { DueDelivery } from "./DeliveryRecord.ts"
import type { Settlement } from "./Settlement.ts"
import type { SubscriptionFacts } from "./SubscriptionCommand.ts"
import type { DisabledReason, SubscriptionStatus } from "./SubscriptionRecord.ts"

/** Instants are epoch milliseconds. */
export interface Kept extends SubscriptionFacts {
  readonly status: SubscriptionStatus
  readonly disabled_reason: DisabledReason | null
  readonly created_at: number
  readonly updated_at: number
  readonly last_success_at: number | null
  readonly failing_since: number | null
  /** Counts what was written, so that a load can tell how much of it the disk already showed. */
  readonly revision: number
  /** Orders the events about the subscription itself. */
  readonly sequence: number
}

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
  readonly settled: ReadonlyArray<{ readonly id: string; readonly revision: number; readonly next_attempt_at: number | null }>
  readonly breaker: Breaker
}

/** `kept` is null until the subscription is made. */
export interface Subscription {
  readonly id: string
  readonly kept: Kept | null
  readonly memory: Memory
}

export type SubscriptionEvent =
  | { readonly _tag: "Created"; readonly facts: SubscriptionFacts; readonly at: number }
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
  | { readonly _tag: "DeliverySettled"; readonly delivery: DueDelivery; readonly settlement: Settlement; readonly at: number }
  | { readonly _tag: "Disabled"; readonly reason: DisabledReason; readonly at: number }

/** Deliveries of one subscription in flight at once. */
const windowLimit = 50
/** A load is worth its while when so many have room. */
const refillAt = windowLimit / 2

/** One poke from the start: what was due when the actor came into memory is to be loaded. */
export const blank: Memory = {
  pokes: 1, answered: 0, loads: 0, more: false, next_due_at: null, window: [], settled: [], breaker: closed
}

export const initial = (id: string): Subscription => ({ id, kept: null, memory: blank })

/** How many deliveries may be loaded now; 0: none. */
export const roomOf = ({ kept, memory: { answered, breaker, more, pokes, window } }: Subscription): number => {
  if (kept?.status !== "active" || !(pokes > answered || more)) return 0
  switch (phase(breaker)) {
    case "open": return 0
    case "half_open": return window.length === 0 ? 1 : 0
    case "closed": return window.length <= refillAt ? windowLimit - window.length : 0
  }
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)

const loaded = (memory: Memory, event: Extract<SubscriptionEvent, { _tag: "LoadCame" }>): Memory => {
  const settled = memory.settled.filter(({ revision }) => revision > event.revision)
  const known = new Set([...memory.window, ...settled].map(({ id }) => id))
  return {
    ...memory,
    answered: event.pokes,
    loads: memory.loads + 1,
    more: event.more,
    next_due_at: settled.reduce((due, { next_attempt_at }) => earlier(due, next_attempt_at), event.next_due_at),
    window: [...memory.window, ...event.deliveries.filter(({ id }) => !known.has(id))],
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

const created = (facts: SubscriptionFacts, at: number): Kept => ({
  ...facts,
  status: "active",
  disabled_reason: null,
  created_at: at,
  updated_at: at,
  last_success_at: null,
  failing_since: null,
  revision: 1,
  sequence: 0
})

export const evolve = (state: Subscription, event: SubscriptionEvent): Subscription => {
  const { id, kept, memory } = state
  switch (event._tag) {
    // Nothing can be due to a subscription that was not there.
    case "Created": return { id, kept: created(event.facts, event.at), memory: { ...memory, answered: memory.pokes } }
    case "Poked": {
      // The load that follows finds out what waits next.
      const next_due_at = memory.next_due_at !== null && memory.next_due_at <= event.at ? null : memory.next_due_at
      return { ...state, memory: { ...memory, pokes: memory.pokes + 1, next_due_at } }
    }
    case "ProbeBegan": return { ...state, memory: { ...memory, breaker: halfOpen(memory.breaker) } }
    case "LoadCame": return { ...state, memory: loaded(memory, event) }
    case "DeliverySettled": return kept === null ? state : { id, ...settled(kept, memory, event) }
    case "Disabled": {
      if (kept === null) return state
      const { at, reason } = event
      return {
        ...state,
        kept: {
          ...kept, status: "disabled", disabled_reason: reason, updated_at: at, revision: kept.revision + 1,
          sequence: kept.sequence + 1
        }
      }
    }
  }
}
