// What a workspace can do with the deliveries of a subscription.
import { Effect } from "effect"
import { BadRequest, type ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { type WebhookDeliveryNotRetryable, WebhookNotFound } from "../../domain/errors/WebhookErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import type { After } from "../../domain/paging/After.ts"
import { DeliveryReads } from "../../domain/ports/webhooks/DeliveryReads.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { isUuid } from "../../domain/Uuid.ts"
import { deliveryBody } from "../../domain/webhooks/DeliveryBody.ts"
import type {
  DeliveryFilter,
  DeliveryRecord,
  DeliveryWithBody,
  ListedDelivery
} from "../../domain/webhooks/DeliveryRecord.ts"
import type { EventKind } from "../../domain/events/EventTable.ts"
import {
  maxReplay,
  maxReplaySpan_ms,
  replayOf,
  type ReplayRecord,
  type ReplayRequest
} from "../../domain/webhooks/ReplayRecord.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import type { TestRecord } from "../../domain/webhooks/TestRecord.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { ownSubscription } from "./OwnSubscription.ts"
import type { SubscriptionErrors } from "./WebhookChanges.ts"
import { makeSendTest } from "./WebhookTest.ts"
import type { SubscriptionId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

export interface WebhookDeliveries {
  /** Newest first, at most `page.limit`. */
  readonly deliveries: (
    workspace_id: WorkspaceId,
    subscription_id: SubscriptionId,
    filter: DeliveryFilter,
    page: { readonly after?: After; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<ListedDelivery>, SubscriptionErrors>
  /** With the body that its attempts send. */
  readonly delivery: (
    workspace_id: WorkspaceId,
    subscription_id: SubscriptionId,
    id: string
  ) => Effect.Effect<DeliveryWithBody, SubscriptionErrors>
  /** Makes the delivery due at once. */
  readonly retry: (
    workspace_id: WorkspaceId,
    subscription_id: SubscriptionId,
    id: string,
    idempotency?: IdempotentRequest
  ) => Effect.Effect<DeliveryRecord, SubscriptionErrors | WebhookDeliveryNotRetryable | ServiceUnavailable>
  /** Makes new deliveries of the events whose deliveries in a period have ended. */
  readonly replay: (
    workspace_id: WorkspaceId,
    subscription_id: SubscriptionId,
    request: ReplayRequest,
    context?: RequestContext
  ) => Effect.Effect<ReplayRecord, SubscriptionErrors | BadRequest>
  /** Sends one event now, whatever the subscription's status and selectors, and waits for the receiver's response. */
  readonly test: (
    workspace_id: WorkspaceId,
    id: SubscriptionId,
    event_kind: EventKind,
    idempotency?: IdempotentRequest
  ) => Effect.Effect<TestRecord, SubscriptionErrors>
}

/** The period of a replay in epoch milliseconds; `to` is exclusive. */
const periodOf = (
  request: ReplayRequest
): Effect.Effect<{ readonly from: number; readonly to: number }, BadRequest> => {
  const [from, to] = [Date.parse(request.from), Date.parse(request.to)]
  if (from < to && to - from <= maxReplaySpan_ms) return Effect.succeed({ from, to })
  const [code, message] =
    from < to ? ["too_long", "At most 31 days after `from`."] : (["not_after_from", "Must be after `from`."] as const)
  return Effect.fail(new BadRequest({ details: [{ field: "/to", code, message }] }))
}

const makeReplay = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const reads = yield* DeliveryReads
  const own = yield* ownSubscription
  const replay: WebhookDeliveries["replay"] = traced("Webhooks.replay")(function* (
    workspace_id,
    subscription_id,
    request,
    context = systemContext
  ) {
    yield* own(workspace_id, subscription_id)
    const { event_kinds = [], only = "dead_letter" } = request
    const query = { ...(yield* periodOf(request)), event_kinds, only }
    const rows = yield* reads.replayable(workspace_id, subscription_id, query, maxReplay + 1)
    const { events, next_from } = replayOf(rows)
    const replay = { replay_id: ids.uuid(), queued: events.length, next_from }
    return yield* system.ask(SubscriptionCommands.Replay, subscription_id, { replay, events, ...context })
  })
  return replay
})

export const makeWebhookDeliveries = Effect.gen(function* () {
  const system = yield* ActorSystem
  const reads = yield* DeliveryReads
  const own = yield* ownSubscription
  const sendTest = yield* makeSendTest

  /** Ids of the deliveries that are being attempted. */
  const inFlight = (id: SubscriptionId) => system.ask(SubscriptionCommands.AskInFlight, id, {})

  const find = Effect.fnUntraced(function* (workspace_id: WorkspaceId, subscription_id: SubscriptionId, id: string) {
    const { api_version } = yield* own(workspace_id, subscription_id)
    if (!isUuid(id)) return yield* new WebhookNotFound()
    const {
      deliveries: [delivery],
      revision
    } = yield* reads.find(workspace_id, subscription_id, { id }, 1)
    return delivery === undefined ? yield* new WebhookNotFound() : { delivery, revision, api_version }
  })

  const deliveries: WebhookDeliveries = {
    deliveries: traced("Webhooks.deliveries")(function* (workspace_id, subscription_id, filter, { after, limit }) {
      yield* own(workspace_id, subscription_id)
      const in_flight = yield* inFlight(subscription_id)
      return yield* reads.list(workspace_id, subscription_id, { ...filter, in_flight }, after, limit)
    }),
    delivery: traced("Webhooks.delivery")(function* (workspace_id, subscription_id, id) {
      const { api_version, delivery } = yield* find(workspace_id, subscription_id, id)
      const event = yield* reads.event(workspace_id, subscription_id, id)
      const body = event === undefined ? null : deliveryBody(event, workspace_id, api_version)
      const waits = delivery.status === "pending" || delivery.status === "retrying"
      return waits && (yield* inFlight(subscription_id)).includes(id)
        ? { ...delivery, status: "in_flight" as const, body }
        : { ...delivery, body }
    }),
    replay: yield* makeReplay,
    retry: traced("Webhooks.retry")(function* (workspace_id, subscription_id, id, idempotency) {
      const { delivery, revision } = yield* find(workspace_id, subscription_id, id)
      const command = { delivery, revision, ...(idempotency && { idempotency }) }
      return yield* system.ask(SubscriptionCommands.Retry, subscription_id, command)
    }),
    test: traced("Webhooks.test")(function* (workspace_id, id, event_kind, idempotency) {
      yield* own(workspace_id, id)
      const result = yield* sendTest(workspace_id, id, event_kind)
      return yield* system.ask(SubscriptionCommands.Test, id, { result, ...(idempotency && { idempotency }) })
    })
  }
  return deliveries
})
