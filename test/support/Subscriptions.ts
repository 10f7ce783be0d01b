// Commands, deliveries and states of one subscription, for tests of its rules.
import { Result } from "effect"
import type { Tag } from "../../src/domain/Command.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { decideSubscription } from "../../src/domain/webhooks/DecideSubscription.ts"
import type { DeliveryRecord, DueDelivery, Outcome } from "../../src/domain/webhooks/DeliveryRecord.ts"
import { planSubscription } from "../../src/domain/webhooks/PlanSubscription.ts"
import { evolveSubscription } from "../../src/domain/webhooks/EvolveSubscription.ts"
import {
  absentSubscription,
  type PresentSubscription,
  type Subscription
} from "../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionCommands, SubscriptionMessage } from "../../src/domain/webhooks/SubscriptionCommand.ts"
import { subscriptionId, workspaceId } from "./Ids.ts"

export const create: SubscriptionMessage<"Create"> = {
  _tag: "Create",
  origin: systemOrigin,
  facts: {
    workspace_id: workspaceId("w1"),
    url: "https://example.com/",
    description: "mine",
    events: ["call.*"],
    kinds: ["call.completed"],
    number_ids: [],
    signature_format: "timestamped",
    api_version: "2026-10-01",
    source: "api",
    secret: "sealed"
  }
}

/** The command that the routing of a number sends. */
export const route = (url: string): SubscriptionMessage<"Route"> => ({
  _tag: "Route",
  facts: { ...create.facts, url, source: "number_routing" },
  origin: systemOrigin
})

export const replay: SubscriptionMessage<"Replay"> = {
  _tag: "Replay",
  replay: { replay_id: "r1", queued: 1, next_from: null },
  events: [{ event_id: "e1", event_kind: "call.busy", subject_id: "c1", sequence: 4 }],
  origin: systemOrigin
}

export const remove: SubscriptionMessage<"Delete"> = { _tag: "Delete", origin: systemOrigin }

export const due = (id: string, attempts = 0): DueDelivery => ({
  id,
  created_at: 0,
  attempts,
  attempt_log: [],
  event_id: `e-${id}`,
  event_kind: "call.completed",
  sequence: 1,
  occurred_at: 0,
  payload: "{}"
})

export const outcome = (http_status: number | null, error: string | null = null): Outcome => ({
  at: 0,
  duration_ms: 1,
  http_status,
  error,
  response_excerpt: null,
  retry_after_ms: null
})

export const finished = (
  delivery_id: string,
  attempt: number,
  ended: Outcome
): SubscriptionMessage<"AttemptsFinished"> => ({
  _tag: "AttemptsFinished",
  attempts: [{ delivery_id, attempt, outcome: ended }]
})

/** The decision, and the state after it. Fails if the command is refused, or leaves the subscription absent. */
export const decide = <T extends Tag<SubscriptionCommands>>(
  state: Subscription,
  command: { readonly _tag: T } & SubscriptionMessage<T>,
  now = 0
) => {
  const { events, reply, volatile } = Result.getOrThrow(decideSubscription(state, command, now))
  const after = events.reduce(evolveSubscription, state)
  if (after._tag === "Absent") throw new Error(`The subscription is absent after ${command._tag}`)
  return { events, reply, volatile: volatile === true, state: after }
}

/** The state after the command. */
export const after = (state: Subscription, command: SubscriptionMessage, now = 0): PresentSubscription =>
  decide(state, command, now).state

/** The state after a load has read these deliveries. */
export const load = (
  state: PresentSubscription,
  deliveries: ReadonlyArray<DueDelivery>,
  change: Partial<SubscriptionMessage<"Loaded">> = {}
) =>
  after(state, {
    _tag: "Loaded",
    load: state.memory.loads,
    pokes: state.memory.pokes,
    revision: state.data.revision,
    deliveries,
    more: false,
    next_due_at: null,
    ...change
  })

export const shown = (
  id: string,
  status: DeliveryRecord["status"],
  attempt_log: DeliveryRecord["attempt_log"] = []
): DeliveryRecord => ({
  id,
  subscription_id: subscriptionId("s1"),
  event_id: `e-${id}`,
  event_kind: "call.completed",
  status,
  attempts: attempt_log.length,
  next_attempt_at: null,
  created_at: "1970-01-01T00:00:00.000Z",
  finished_at: null,
  last_error: null,
  attempt_log
})

export const retryOf = (delivery: DeliveryRecord, revision = 1): SubscriptionMessage<"Retry"> => ({
  _tag: "Retry",
  delivery,
  revision
})

export const rotate = (
  change: Partial<SubscriptionMessage<"RotateSecret">> = {}
): SubscriptionMessage<"RotateSecret"> => ({
  _tag: "RotateSecret",
  secret: "sealed-2",
  previous_valid_seconds: 60,
  blocked: [],
  revision: 1,
  origin: systemOrigin,
  ...change
})

export const keysOf = (state: Subscription) => planSubscription(state).map(({ key }) => key)

export const absent = absentSubscription(subscriptionId("s1"))
export const fresh = after(absent, create, 1_000)
export const poked = after(fresh, { _tag: "Poke" })
/** Two deliveries are being attempted. */
export const loaded = load(poked, [due("a"), due("b", 3)])
/** The receiver has answered 410 Gone. */
export const disabled = after(loaded, finished("a", 1, outcome(410)))
export const deleted = after(loaded, remove)
/** The circuit breaker has opened after ten failures; one delivery is still being attempted. */
export const open = Array.from({ length: 10 }, (_, n) => `d${n}`).reduce(
  (state, id) => after(state, finished(id, 1, outcome(500)), 0),
  load(
    poked,
    Array.from({ length: 11 }, (_, n) => due(`d${n}`))
  )
)
