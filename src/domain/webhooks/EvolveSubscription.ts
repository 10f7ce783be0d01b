import { afterOutcome, closed, halfOpen } from "./Breaker.ts"
import {
  emptyMemory,
  type LiveData,
  type Memory,
  nextWindow,
  type PresentSubscription,
  type Subscription,
  type SubscriptionData,
  type SubscriptionEvent,
  unchangedSince,
  windowOf
} from "./Subscription.ts"
import type { Settlement } from "./Settlement.ts"
import type { SubscriptionChange, SubscriptionFacts } from "./SubscriptionCommand.ts"

type EventOf<Tag extends SubscriptionEvent["_tag"]> = Extract<SubscriptionEvent, { readonly _tag: Tag }>
type Next = Pick<PresentSubscription, "data" | "memory">

const earlier = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b)

/** A new subscription. One that replaces a deleted one continues its counts. */
export const createdData = (
  previous: SubscriptionData | undefined,
  facts: SubscriptionFacts,
  at: number
): LiveData => ({
  ...facts,
  status: "active",
  disabled_reason: null,
  created_at: at,
  updated_at: at,
  last_success_at: null,
  failing_since: null,
  revision: (previous?.revision ?? 0) + 1,
  sequence: previous?.sequence ?? 0
})

/** Setting the status also ends a disablement. */
export const changedData = <Data extends SubscriptionData>(
  data: Data,
  change: SubscriptionChange,
  at: number
): Data => ({
  ...data,
  ...change,
  ...(change.status !== undefined && { disabled_reason: null, failing_since: null }),
  updated_at: at,
  revision: data.revision + 1
})

const loaded = (memory: Memory, event: EventOf<"LoadCame">): Memory => {
  const settled = memory.settled.filter(({ revision }) => revision > event.revision)
  return {
    ...memory,
    answered: event.pokes,
    loads: memory.loads + 1,
    more: event.more,
    next_due_at: settled.reduce((due, { next_attempt_at }) => earlier(due, next_attempt_at), event.next_due_at),
    window: [...memory.window, ...unchangedSince(memory, event.revision, event.deliveries)],
    settled
  }
}

/** Remembers a row that changes with `revision`: a load that began earlier reads the old one. */
const rowChanged = (memory: Memory, id: string, revision: number, next_attempt_at: number | null): Memory => ({
  ...memory,
  next_due_at: earlier(memory.next_due_at, next_attempt_at),
  settled: [...memory.settled, { id, revision, next_attempt_at }]
})

/** Since when every attempt has failed, once an attempt has ended at `at` with this settlement; null: it succeeded. */
export const failingSince = (
  { failing_since }: Pick<SubscriptionData, "failing_since">,
  { status }: Settlement,
  at: number
): number | null => (status === "blocked" ? failing_since : status === "succeeded" ? null : (failing_since ?? at))

const settled = ({ data, memory }: Next, { at, delivery, settlement }: EventOf<"DeliverySettled">): Next => {
  const { next_attempt_at, status } = settlement
  const revision = data.revision + 1
  const ok = status === "succeeded"
  const attempted = status !== "blocked"
  const failing_since = failingSince(data, settlement, at)
  return {
    data: { ...data, revision, failing_since, ...(ok && { last_success_at: at }) },
    memory: {
      ...rowChanged(memory, delivery.id, revision, next_attempt_at),
      window: memory.window.filter(({ id }) => id !== delivery.id),
      ...(attempted && {
        window_size: nextWindow(windowOf({ data, memory }), ok),
        breaker: afterOutcome(memory.breaker, ok, at)
      })
    }
  }
}

/** It counts as a poke, so that a load reads the delivery again, even if one has just passed it over. */
const returned = (memory: Memory, { delivery_id }: EventOf<"DeliveryReturned">): Memory => ({
  ...memory,
  pokes: memory.pokes + 1,
  window: memory.window.filter(({ id }) => id !== delivery_id)
})

const moved = ({ data, memory }: Next, { delivery, settlement }: EventOf<"DeliveryMoved">): Next => {
  const revision = data.revision + 1
  return {
    data: { ...data, revision },
    memory: rowChanged(memory, delivery.id, revision, settlement.next_attempt_at)
  }
}

/** The new deliveries are due, but no load that began before the commit can read them. */
const replayed = ({ data, memory }: Next, { at, replay }: EventOf<"Replayed">): Next => {
  const revision = data.revision + 1
  return { data: { ...data, revision }, memory: rowChanged(memory, replay.replay_id, revision, at) }
}

const changed = ({ data, memory }: Next, { at, change }: EventOf<"Changed">): Next => ({
  data: changedData(data, change, at),
  memory: {
    ...memory,
    pokes: memory.pokes + 1,
    breaker: change.url !== undefined || change.status === "active" ? closed : memory.breaker
  }
})

/** Drops the secrets. An empty window interrupts the attempts, and a load finds all deliveries to end them. */
const deleted = ({ data, memory }: Next, { at }: EventOf<"Deleted">): Next => {
  const { previous_secret: _, unmailed_at: __, ...rest } = data
  return {
    data: { ...rest, status: "deleted", secret: null, updated_at: at, revision: data.revision + 1 },
    memory: { ...memory, pokes: memory.pokes + 1, next_due_at: null, window: [], breaker: closed }
  }
}

const rotated = (
  { previous_secret: _, ...data }: SubscriptionData,
  { at, previous_expires_at, secret }: EventOf<"SecretRotated">
): SubscriptionData => ({
  ...data,
  secret,
  ...(data.secret !== null &&
    previous_expires_at !== null && {
      previous_secret: { sealed: data.secret, expires_at: previous_expires_at }
    }),
  updated_at: at,
  revision: data.revision + 1
})

const disabled = (data: SubscriptionData, { at, reason }: EventOf<"Disabled">): SubscriptionData => ({
  ...data,
  status: "disabled",
  disabled_reason: reason,
  unmailed_at: at,
  updated_at: at,
  revision: data.revision + 1,
  sequence: data.sequence + 1
})

const mailed = ({ unmailed_at: _, ...data }: SubscriptionData): SubscriptionData => ({
  ...data,
  revision: data.revision + 1
})

/** The load that follows finds the next due time. */
const poked = (memory: Memory, { at }: EventOf<"Poked">): Memory => ({
  ...memory,
  pokes: memory.pokes + 1,
  next_due_at: memory.next_due_at !== null && memory.next_due_at <= at ? null : memory.next_due_at
})

const evolvePresent = (state: PresentSubscription, event: SubscriptionEvent): PresentSubscription => {
  const { data, memory } = state
  switch (event._tag) {
    case "Created":
      return { ...state, data: createdData(data, event.facts, event.at) }
    case "Poked":
      return { ...state, memory: poked(memory, event) }
    case "ProbeBegan":
      return { ...state, memory: { ...memory, breaker: halfOpen(memory.breaker) } }
    case "LoadCame":
      return { ...state, memory: loaded(memory, event) }
    case "DeliverySettled":
      return { ...state, ...settled(state, event) }
    case "DeliveryReturned":
      return { ...state, memory: returned(memory, event) }
    case "DeliveryMoved":
      return { ...state, ...moved(state, event) }
    case "Changed":
      return { ...state, ...changed(state, event) }
    case "Deleted":
      return { ...state, ...deleted(state, event) }
    case "Replayed":
      return { ...state, ...replayed(state, event) }
    case "SecretRotated":
      return { ...state, data: rotated(data, event) }
    case "Mailed":
      return { ...state, data: mailed(data) }
    case "Disabled":
      return { ...state, data: disabled(data, event) }
  }
}

export const evolveSubscription = (state: Subscription, event: SubscriptionEvent): Subscription => {
  if (state._tag === "Present") return evolvePresent(state, event)
  if (event._tag !== "Created") return state
  // Nothing can be due to a new subscription, so its first poke needs no load.
  const memory = { ...emptyMemory, answered: emptyMemory.pokes }
  return { _tag: "Present", id: state.id, data: createdData(undefined, event.facts, event.at), memory }
}
