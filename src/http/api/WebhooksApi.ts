import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import {
  WebhookCreateFailed,
  WebhookEventUnsupported,
  WebhookLimitReached,
  WebhookListFailed,
  WebhookNotFound
} from "../../domain/errors/WebhookErrors.ts"
import { DeliveryRecord, DeliveryStatus } from "../../domain/webhooks/DeliveryRecord.ts"
import { SubscriptionRecord, SubscriptionRequest } from "../../domain/webhooks/SubscriptionRecord.ts"
import { Id } from "../CallRef.ts"
import { FilterInstant, FilterText, ListOf, paging } from "../Lists.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../middleware/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../Responses.ts"
import { Rules } from "../Rules.ts"

export const CreatedSubscription = Schema.Struct({
  ...SubscriptionRecord.fields,
  secret: Schema.String.annotate({ description: "Signs the deliveries. It is shown this once." })
}).annotate({ identifier: "CreatedWebhookSubscription" })

const create = HttpApiEndpoint.post("create", "/v1/webhooks", {
  headers: idempotencyHeader,
  payload: SubscriptionRequest,
  success: HttpApiSchema.WithHeaders(CreatedSubscription, {
    location: Schema.String.annotate({ description: "Where the subscription can be read." })
  }).pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, WebhookEventUnsupported, WebhookLimitReached, WebhookCreateFailed)
}).annotate(Rules, { scope: "webhooks.write", unread: WebhookCreateFailed }).annotateMerge(OpenApi.annotations({
  summary: "Subscribe to events",
  description: "Events of these kinds are sent to the URL from now on, signed with the secret in the answer."
})).middleware(JsonWrite)

const list = HttpApiEndpoint.get("list", "/v1/webhooks", {
  success: Schema.Array(SubscriptionRecord),
  error: responses(WebhookListFailed)
}).annotate(Rules, { scope: "webhooks.read", unread: WebhookListFailed }).annotateMerge(
  OpenApi.annotations({ summary: "List subscriptions", description: "Newest first; there are at most twenty." })
)

const get = HttpApiEndpoint.get("get", "/v1/webhooks/:id", {
  params: { id: Id },
  success: SubscriptionRecord,
  error: responses(WebhookNotFound)
}).annotate(Rules, { scope: "webhooks.read", absent: WebhookNotFound }).annotateMerge(
  OpenApi.annotations({ summary: "Read a subscription", description: "Everything but its secret." })
)

const deliveries = HttpApiEndpoint.get("deliveries", "/v1/webhooks/:id/deliveries", {
  params: { id: Id },
  query: {
    ...paging,
    status: Schema.optionalKey(DeliveryStatus),
    event_kind: Schema.optionalKey(FilterText),
    from: Schema.optionalKey(FilterInstant),
    to: Schema.optionalKey(FilterInstant)
  },
  success: ListOf(DeliveryRecord),
  error: responses(BadRequest, InvalidCursor, WebhookNotFound, WebhookListFailed)
}).annotate(Rules, { scope: "webhooks.read", absent: WebhookNotFound, unread: WebhookListFailed }).annotateMerge(
  OpenApi.annotations({ summary: "List deliveries", description: "Newest first, with every attempt." })
)

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(create, list, get, deliveries)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Webhooks", description: "Events sent to you, signed." }))
{}
