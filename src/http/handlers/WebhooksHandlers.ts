import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { secretBody } from "../../actors/shared/SealedResponse.ts"
import { subscriptionLocation, webhookSecret } from "../../actors/webhooks/WebhookResponses.ts"
import { WebhookDoctor } from "../../actors/webhooks/WebhookDoctor.ts"
import { Webhooks } from "../../actors/webhooks/Webhooks.ts"
import { NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { shownDelivery } from "../../domain/webhooks/ReadableEvents.ts"
import type { ReplayRequest } from "../../domain/webhooks/ReplayRecord.ts"
import { previousValidSeconds, type RotateSecretRequest } from "../../domain/webhooks/SubscriptionRecord.ts"
import type { TestRequest } from "../../domain/webhooks/TestRecord.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { requestContext, requestOrigin } from "../request/RequestOrigin.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"
import type { NumberId, SubscriptionId } from "../../domain/BrandedIds.ts"

const json = (status: number, body: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(body, { status, headers, contentType: "application/json" })

interface OfSubscription {
  readonly id: SubscriptionId
}

interface OfDelivery extends OfSubscription {
  readonly delivery_id: string
}

interface Rotation<Id> {
  readonly params: { readonly id: Id }
  readonly payload: RotateSecretRequest | null
}

const secretHandlers = (webhooks: Webhooks["Service"]) => ({
  rotateSecret: Effect.fnUntraced(function* ({ params, payload }: Rotation<SubscriptionId>) {
    const { workspace_id } = yield* CurrentPrincipal
    const { rotation, secret } = yield* webhooks.rotateSecret(
      workspace_id,
      params.id,
      previousValidSeconds(payload),
      yield* requestContext
    )
    return json(200, secretBody(rotation, webhookSecret, secret))
  }),
  rotateNumberSecret: Effect.fnUntraced(function* ({ params, payload }: Rotation<NumberId>) {
    const { workspace_id } = yield* CurrentPrincipal
    const { rotation, secret } = yield* webhooks
      .rotateNumberSecret(workspace_id, params.id, previousValidSeconds(payload), yield* requestContext)
      .pipe(
        Effect.catchTag("webhooks.not_found", () =>
          Effect.fail(
            new NumberNotFound({ message: "No number with this id and an `events_url` belongs to this workspace." })
          )
        )
      )
    return json(200, secretBody(rotation, webhookSecret, secret))
  })
})

const deliveryHandlers = (webhooks: Webhooks["Service"]) => ({
  replay: Effect.fnUntraced(function* ({
    params,
    payload
  }: {
    readonly params: OfSubscription
    readonly payload: ReplayRequest
  }) {
    const { workspace_id } = yield* CurrentPrincipal
    return json(202, JSON.stringify(yield* webhooks.replay(workspace_id, params.id, payload, yield* requestContext)))
  }),
  test: Effect.fnUntraced(function* ({
    params,
    payload
  }: {
    readonly params: OfSubscription
    readonly payload: TestRequest | null
  }) {
    const { workspace_id } = yield* CurrentPrincipal
    const { request } = yield* IdempotencyContext
    const result = yield* webhooks.test(workspace_id, params.id, payload?.event_kind ?? "webhook.test", request)
    return json(200, JSON.stringify(result))
  }),
  delivery: Effect.fnUntraced(function* ({ params }: { readonly params: OfDelivery }) {
    const principal = yield* CurrentPrincipal
    return shownDelivery(principal, yield* webhooks.delivery(principal.workspace_id, params.id, params.delivery_id))
  }),
  retry: Effect.fnUntraced(function* ({ params }: { readonly params: OfDelivery }) {
    const { workspace_id } = yield* CurrentPrincipal
    const { request } = yield* IdempotencyContext
    return json(202, JSON.stringify(yield* webhooks.retry(workspace_id, params.id, params.delivery_id, request)))
  })
})

export const WebhooksHandlers = group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    const { examine } = yield* WebhookDoctor
    return handlers.handleAll({
      doctor: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* examine(workspace_id, params.id)
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const { record, secret } = yield* webhooks.create(workspace_id, payload, yield* requestContext)
        return json(201, secretBody(record, webhookSecret, secret), { location: subscriptionLocation(record) })
      }),
      list: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* webhooks.list(workspace_id)
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* webhooks.get(workspace_id, params.id)
      }),
      patch: Effect.fnUntraced(function* ({ params, payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* webhooks.change(workspace_id, params.id, payload, { origin: yield* requestOrigin })
      }),
      delete: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        yield* webhooks.remove(workspace_id, params.id, { origin: yield* requestOrigin })
      }),
      ...secretHandlers(webhooks),
      ...deliveryHandlers(webhooks),
      deliveries: Effect.fnUntraced(function* ({
        params,
        query: { limit: _limit, cursor: _cursor, ...filter },
        query,
        request
      }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "deliveries", workspace_id, subscription_id: params.id, ...filter },
          read: (after, limit) =>
            webhooks.deliveries(workspace_id, params.id, filter, { ...(after && { after }), limit }),
          sort: (delivery) => Date.parse(delivery.created_at)
        })
      })
    })
  })
)
