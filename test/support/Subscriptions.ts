// Commands, deliveries and decisions of one subscription, for tests of its rules.
import { Result } from "effect"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import { decideSubscription } from "../../src/domain/webhooks/DecideSubscription.ts"
import type { DeliveryRecord, DueDelivery, Outcome } from "../../src/domain/webhooks/DeliveryRecord.ts"
import { planSubscription } from "../../src/domain/webhooks/PlanSubscription.ts"
import { evolve, type Subscription } from "../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionCommand } from "../../src/domain/webhooks/SubscriptionCommand.ts"

export const create: Extract<SubscriptionCommand, { _tag: "Create" }> = {
  _tag: "Create",
  origin: systemOrigin,
  facts: {
    workspace_id: "w1",
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

/** As the routing of a number asks for it. */
export const route = (url: string): SubscriptionCommand => ({
  _tag: "Route",
  facts: { ...create.facts, url, source: "number_routing" },
  origin: systemOrigin
})

export const replay: SubscriptionCommand = {
  _tag: "Replay",
  replay: { replay_id: "r1", queued: 1, next_from: null },
  events: [{ event_id: "e1", event_kind: "call.busy", subject_id: "c1", sequence: 4 }],
  origin: systemOrigin
}

export const remove: SubscriptionCommand = { _tag: "Delete", origin: systemOrigin }

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

export const finished = (delivery_id: string, attempt: number, ended: Outcome): SubscriptionCommand => ({
  _tag: "AttemptFinished",
  delivery_id,
  attempt,
  outcome: ended
})

export const decide = (state: Subscription, command: SubscriptionCommand, now = 0) => {
  const { events, reply, volatile } = Result.getOrThrow(decideSubscription(state, command, now))
  return { events, reply, volatile: volatile === true, state: events.reduce(evolve, state) }
}
export const tell = (state: Subscription, command: SubscriptionCommand, now = 0) => decide(state, command, now).state

export const load = (
  state: Subscription,
  deliveries: ReadonlyArray<DueDelivery>,
  change: Partial<Extract<SubscriptionCommand, { _tag: "Loaded" }>> = {}
) =>
  tell(state, {
    _tag: "Loaded",
    load: state.memory.loads,
    pokes: state.memory.pokes,
    revision: state.kept?.revision ?? 0,
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
  subscription_id: "s1",
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

export const retryOf = (delivery: DeliveryRecord, revision = 1): SubscriptionCommand => ({
  _tag: "Retry",
  delivery,
  revision
})

export const rotate = (
  change: Partial<Extract<SubscriptionCommand, { _tag: "RotateSecret" }>> = {}
): SubscriptionCommand => ({
  _tag: "RotateSecret",
  secret: "sealed-2",
  previous_valid_seconds: 60,
  blocked: [],
  revision: 1,
  origin: systemOrigin,
  ...change
})

export const keysOf = (state: Subscription) => planSubscription(state).map(({ key }) => key)
