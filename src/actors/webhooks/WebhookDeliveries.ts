// What a workspace can ask of the deliveries of a subscription.
import { Clock, Effect } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { WebhookNotFound } from "../../domain/errors/WebhookErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import type { After } from "../../domain/paging/After.ts"
import { type DeliveryFilter, DeliveryReads } from "../../domain/ports/DeliveryReads.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WebhookSender } from "../../domain/ports/WebhookSender.ts"
import { deliveryBody } from "../../domain/webhooks/DeliveryBody.ts"
import type { DeliveryRecord } from "../../domain/webhooks/DeliveryRecord.ts"
import type { EventKind } from "../../domain/webhooks/EventTable.ts"
import {
  replayMax,
  replayOf,
  type ReplayRecord,
  type ReplayRequest,
  replaySpan_ms
} from "../../domain/webhooks/ReplayRecord.ts"
import { secretUnset } from "../../domain/webhooks/Settlement.ts"
import type { TestRecord } from "../../domain/webhooks/TestRecord.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { ownSubscription } from "./OwnSubscription.ts"
import { isUuid } from "../../domain/Uuid.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { SubscriptionActor } from "./SubscriptionActor.ts"
import { makeOpenSecrets } from "./VoiceSecrets.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

export interface WebhookDeliveries {
  /** Newest first, at most `page.limit`. */
  readonly deliveries: (
    workspace_id: string,
    subscription_id: string,
    filter: DeliveryFilter,
    page: { readonly after?: After; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<DeliveryRecord>, Unhappy>
  readonly delivery: (
    workspace_id: string,
    subscription_id: string,
    id: string
  ) => Effect.Effect<DeliveryRecord, Unhappy>
  /** Makes it due at once. */
  readonly retry: (
    workspace_id: string,
    subscription_id: string,
    id: string,
    idempotency?: IdempotentRequest
  ) => Effect.Effect<DeliveryRecord, Unhappy>
  /** Makes new deliveries of what was delivered, or given up, in a stretch of time. */
  readonly replay: (
    workspace_id: string,
    subscription_id: string,
    request: ReplayRequest,
    context?: RequestContext
  ) => Effect.Effect<ReplayRecord, Unhappy>
  /** Sends one event now, whatever the subscription's status and selectors, and waits for the receiver's answer. */
  readonly test: (
    workspace_id: string,
    id: string,
    event_kind: EventKind,
    idempotency?: IdempotentRequest
  ) => Effect.Effect<TestRecord, Unhappy>
}

/** One attempt of an event that never was. */
const makeTest = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const sender = yield* WebhookSender
  const openSecrets = yield* makeOpenSecrets
  return (workspace_id: string, id: string, event_kind: EventKind): Effect.Effect<TestRecord, Failure | NotCommitted> =>
    Effect.gen(function* () {
      const reply = yield* system.ask(SubscriptionActor, id, { _tag: "AskSending" })
      if (reply._tag !== "Sending") return yield* new WebhookNotFound()
      const { api_version, signature_format, url } = reply
      const delivery_id = ids.uuid()
      const secrets = yield* openSecrets(id, workspace_id, reply.secrets)
      if (secrets.length === 0) return { delivery_id, http_status: null, duration_ms: 0, error: secretUnset }
      const event = {
        event_id: ids.uuid(),
        event_kind,
        occurred_at: yield* Clock.currentTimeMillis,
        sequence: 1,
        payload: JSON.stringify({ kind: event_kind, test: true })
      }
      const body = deliveryBody(event, workspace_id, api_version)
      const { duration_ms, error, http_status } = yield* sender.send({
        url,
        delivery_id,
        event_kind,
        body,
        signature_format,
        secrets
      })
      return { delivery_id, http_status, duration_ms, error }
    })
})

const spanOf = ({
  from: first,
  to: last
}: ReplayRequest): Effect.Effect<{ readonly from: number; readonly to: number }, BadRequest> => {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  if (from < to && to - from <= replaySpan_ms) return Effect.succeed({ from, to })
  const [code, message] =
    from < to ? ["too_long", "At most 31 days after `from`."] : (["not_after_from", "Must be after `from`."] as const)
  return Effect.fail(new BadRequest({ details: [{ field: "/to", code, message }] }))
}

const makeReplay = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const reads = yield* DeliveryReads
  const own = yield* ownSubscription
  const replay: WebhookDeliveries["replay"] = (workspace_id, subscription_id, request, context = systemContext) =>
    Effect.gen(function* () {
      yield* own(workspace_id, subscription_id)
      const { event_kinds = [], only = "dead_letter" } = request
      const query = { ...(yield* spanOf(request)), event_kinds, only }
      const rows = yield* reads.replayable(workspace_id, subscription_id, query, replayMax + 1)
      const { events, next_from } = replayOf(rows)
      const replay = { replay_id: ids.uuid(), queued: events.length, next_from }
      yield* system.ask(SubscriptionActor, subscription_id, { _tag: "Replay", replay, events, ...context })
      return replay
    })
  return replay
})

/** The deliveries of a subscription that are being attempted. */
const inFlight = Effect.map(
  ActorSystem,
  (system) => (id: string) =>
    Effect.map(system.ask(SubscriptionActor, id, { _tag: "AskInFlight" }), (reply) =>
      reply._tag === "InFlight" ? reply.delivery_ids : []
    )
)

export const makeWebhookDeliveries = Effect.gen(function* () {
  const system = yield* ActorSystem
  const reads = yield* DeliveryReads
  const own = yield* ownSubscription
  const sendTest = yield* makeTest
  const flying = yield* inFlight

  const found = (workspace_id: string, subscription_id: string, id: string) =>
    Effect.gen(function* () {
      yield* own(workspace_id, subscription_id)
      if (!isUuid(id)) return yield* new WebhookNotFound()
      const {
        deliveries: [delivery],
        revision
      } = yield* reads.find(workspace_id, subscription_id, { id }, 1)
      return delivery === undefined ? yield* new WebhookNotFound() : { delivery, revision }
    })

  const deliveries: WebhookDeliveries = {
    deliveries: (workspace_id, subscription_id, filter, { after, limit }) =>
      Effect.gen(function* () {
        yield* own(workspace_id, subscription_id)
        const in_flight = yield* flying(subscription_id)
        return yield* reads.list(workspace_id, subscription_id, { ...filter, in_flight }, after, limit)
      }),
    delivery: (workspace_id, subscription_id, id) =>
      Effect.gen(function* () {
        const { delivery } = yield* found(workspace_id, subscription_id, id)
        const waits = delivery.status === "pending" || delivery.status === "retrying"
        return waits && (yield* flying(subscription_id)).includes(id)
          ? { ...delivery, status: "in_flight" as const }
          : delivery
      }),
    replay: yield* makeReplay,
    retry: (workspace_id, subscription_id, id, idempotency) =>
      Effect.gen(function* () {
        const { delivery, revision } = yield* found(workspace_id, subscription_id, id)
        const reply = yield* system.ask(SubscriptionActor, subscription_id, {
          _tag: "Retry",
          delivery,
          revision,
          ...(idempotency && { idempotency })
        })
        return reply._tag === "Retried" ? reply.delivery : delivery
      }),
    test: (workspace_id, id, event_kind, idempotency) =>
      Effect.gen(function* () {
        yield* own(workspace_id, id)
        const result = yield* sendTest(workspace_id, id, event_kind)
        yield* system.ask(SubscriptionActor, id, { _tag: "Test", result, ...(idempotency && { idempotency }) })
        return result
      })
  }
  return deliveries
})
