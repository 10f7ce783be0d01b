import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import {
  WebhookCreateFailed,
  WebhookDeleteFailed,
  WebhookDeliveryNotRetryable,
  WebhookEventUnsupported,
  WebhookLimitReached,
  WebhookListFailed,
  WebhookNotFound,
  WebhookPatchFailed,
  WebhookRotateSecretFailed
} from "../../domain/errors/WebhookErrors.ts"
import {
  DeliveryRecord,
  DeliveryStatus,
  DeliveryWithBody,
  ListedDelivery
} from "../../domain/webhooks/DeliveryRecord.ts"
import { ReplayRecord, ReplayRequest } from "../../domain/webhooks/ReplayRecord.ts"
import {
  RotateSecretRequest,
  RotationRecord,
  SubscriptionPatch,
  SubscriptionRecord,
  SubscriptionRequest
} from "../../domain/webhooks/SubscriptionRecord.ts"
import { WebhookDiagnosis } from "../../domain/webhooks/WebhookDiagnosis.ts"
import { TestRecord, TestRequest } from "../../domain/webhooks/TestRecord.ts"
import { Id, idOf } from "../request/CallRef.ts"
import { FilterInstant, FilterText } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { NumberId, SubscriptionId } from "../../domain/BrandedIds.ts"
import { customerEndpoints } from "./Endpoints.ts"

export const CreatedSubscription = Schema.Struct({
  ...SubscriptionRecord.fields,
  secret: Schema.String.annotate({
    description: "The secret that signs the deliveries. It is shown only in this response."
  })
}).annotate({ identifier: "CreatedWebhookSubscription" })

export const RotatedSecret = Schema.Struct({
  ...RotationRecord.fields,
  secret: Schema.String.annotate({
    description: "The secret that signs the deliveries from now on. It is shown only in this response."
  })
}).annotate({ identifier: "RotatedWebhookSecret" })

const ofDelivery = { id: idOf(SubscriptionId), delivery_id: Id }

const endpoint = customerEndpoints({ read: { scope: "webhooks.read" }, write: { scope: "webhooks.write" } })

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    endpoint.post("create", "/v1/webhooks", {
      summary: "Subscribe to events",
      description:
        "Sends events of the given kinds to the URL from now on. They are signed with the secret in the response.",
      payload: SubscriptionRequest,
      success: HttpApiSchema.WithHeaders(CreatedSubscription, {
        location: Schema.String.annotate({ description: "The URL of the subscription." })
      }).pipe(HttpApiSchema.status(201)),
      errors: [BadRequest, WebhookEventUnsupported, WebhookLimitReached, WebhookCreateFailed]
    }),
    endpoint.get("list", "/v1/webhooks", {
      summary: "List subscriptions",
      description:
        "Newest first. A workspace has at most 20 subscriptions. The list also has the subscriptions of numbers and calls with an `events_url`.",
      success: Schema.Array(SubscriptionRecord),
      errors: [WebhookListFailed]
    }),
    endpoint.get("get", "/v1/webhooks/:id", {
      summary: "Read a subscription",
      description: "Returns everything except the secret.",
      params: { id: idOf(SubscriptionId) },
      success: SubscriptionRecord,
      errors: [WebhookNotFound, WebhookListFailed]
    }),
    endpoint.patch("patch", "/v1/webhooks/:id", {
      summary: "Change a subscription",
      description: "Absent members keep their values. `status` pauses and resumes the subscription.",
      params: { id: idOf(SubscriptionId) },
      payload: SubscriptionPatch,
      success: SubscriptionRecord,
      errors: [BadRequest, WebhookEventUnsupported, WebhookNotFound, WebhookPatchFailed]
    }),
    endpoint.remove("delete", "/v1/webhooks/:id", {
      summary: "Delete a subscription",
      description: "Nothing more is sent, not even deliveries that were already due.",
      params: { id: idOf(SubscriptionId) },
      success: HttpApiSchema.NoContent,
      errors: [BadRequest, WebhookNotFound, WebhookDeleteFailed]
    }),
    endpoint.post("rotateSecret", "/v1/webhooks/:id/rotate-secret", {
      summary: "Rotate the secret",
      description:
        "Creates a new secret. Both secrets sign until the old one expires. Deliveries that were `blocked` become due.",
      params: { id: idOf(SubscriptionId) },
      payload: [RotateSecretRequest, Schema.Null],
      success: RotatedSecret,
      errors: [BadRequest, WebhookNotFound, WebhookRotateSecretFailed]
    }),
    endpoint.post("rotateNumberSecret", "/v1/numbers/:id/routing/rotate-secret", {
      summary: "Rotate the secret of a number",
      description:
        "Creates a new secret for the deliveries to the number's `events_url`. `id` in the response is the subscription's id.",
      policy: { scope: "numbers.write" },
      params: { id: idOf(NumberId) },
      payload: [RotateSecretRequest, Schema.Null],
      success: RotatedSecret,
      errors: [BadRequest, NumberNotFound, WebhookRotateSecretFailed]
    }),
    endpoint.post("replay", "/v1/webhooks/:id/replay", {
      summary: "Replay deliveries",
      description:
        "Sends the events of past deliveries again. Each is a new delivery, with a new id, of the same event.",
      params: { id: idOf(SubscriptionId) },
      payload: ReplayRequest,
      success: ReplayRecord.pipe(HttpApiSchema.status(202)),
      errors: [BadRequest, WebhookNotFound, WebhookListFailed]
    }),
    endpoint.post("test", "/v1/webhooks/:id/test", {
      summary: "Send a test",
      description:
        "Sends one signed event now and returns the receiver's response. The delivery is not retried and not stored.",
      params: { id: idOf(SubscriptionId) },
      payload: [TestRequest, Schema.Null],
      success: TestRecord,
      errors: [BadRequest, WebhookNotFound, WebhookListFailed]
    }),
    endpoint.repeatable("doctor", "/v1/webhooks/:id/doctor", {
      summary: "Examine a receiver",
      description:
        "Sends up to five events of the kind `webhook.test` to the receiver: good ones, one that was altered and one " +
        "that is old. Returns what it answered, and whether it checks signatures. Nothing is retried and nothing is stored.",
      params: { id: idOf(SubscriptionId) },
      success: WebhookDiagnosis,
      errors: [BadRequest, WebhookNotFound, WebhookListFailed]
    }),
    endpoint.list("deliveries", "/v1/webhooks/:id/deliveries", {
      summary: "List deliveries",
      description:
        "Newest first. Each delivery has all its attempts, without the receiver's responses: read one delivery to see those.",
      params: { id: idOf(SubscriptionId) },
      query: {
        status: Schema.optionalKey(DeliveryStatus),
        event_kind: Schema.optionalKey(FilterText),
        from: Schema.optionalKey(FilterInstant),
        to: Schema.optionalKey(FilterInstant)
      },
      success: ListedDelivery,
      errors: [WebhookNotFound, WebhookListFailed]
    }),
    endpoint.get("delivery", "/v1/webhooks/:id/deliveries/:delivery_id", {
      summary: "Read a delivery",
      description: "Returns one delivery with the body that is sent and all its attempts.",
      params: ofDelivery,
      success: DeliveryWithBody,
      errors: [WebhookNotFound, WebhookListFailed]
    }),
    endpoint.post("retry", "/v1/webhooks/:id/deliveries/:delivery_id/retry", {
      summary: "Retry a delivery",
      description: "Makes the delivery due at once, regardless of its schedule.",
      params: ofDelivery,
      success: DeliveryRecord.pipe(HttpApiSchema.status(202)),
      errors: [WebhookNotFound, WebhookDeliveryNotRetryable, WebhookListFailed]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Webhooks", description: "Signed events that are sent to your URLs." })
  ) {}
