import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
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
import { FilterInstant, FilterText, ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { NumberId, SubscriptionId } from "../../domain/BrandedIds.ts"
import { withOptionalBody } from "./OptionalBody.ts"

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

const create = HttpApiEndpoint.post("create", "/v1/webhooks", {
  headers: idempotencyHeader,
  payload: SubscriptionRequest,
  success: HttpApiSchema.WithHeaders(CreatedSubscription, {
    location: Schema.String.annotate({ description: "The URL of the subscription." })
  }).pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, WebhookEventUnsupported, WebhookLimitReached, WebhookCreateFailed)
})
  .annotate(EndpointPolicy, { scope: "webhooks.write", whenReadFails: WebhookCreateFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Subscribe to events",
      description:
        "Sends events of the given kinds to the URL from now on. They are signed with the secret in the response."
    })
  )
  .middleware(JsonWrite)

const list = HttpApiEndpoint.get("list", "/v1/webhooks", {
  success: Schema.Array(SubscriptionRecord),
  error: responses(WebhookListFailed)
})
  .annotate(EndpointPolicy, { scope: "webhooks.read", whenReadFails: WebhookListFailed })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List subscriptions",
      description:
        "Newest first. A workspace has at most 20 subscriptions. The list also has the subscriptions of numbers and calls with an `events_url`."
    })
  )

const get = HttpApiEndpoint.get("get", "/v1/webhooks/:id", {
  params: { id: idOf(SubscriptionId) },
  success: SubscriptionRecord,
  error: responses(WebhookNotFound, WebhookListFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.read",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookListFailed
  })
  .annotateMerge(
    OpenApi.annotations({ summary: "Read a subscription", description: "Returns everything except the secret." })
  )

const patch = HttpApiEndpoint.patch("patch", "/v1/webhooks/:id", {
  params: { id: idOf(SubscriptionId) },
  payload: SubscriptionPatch,
  success: SubscriptionRecord,
  error: responses(BadRequest, WebhookEventUnsupported, WebhookNotFound, WebhookPatchFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.write",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookPatchFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change a subscription",
      description: "Absent members keep their values. `status` pauses and resumes the subscription."
    })
  )
  .middleware(JsonWrite)

const remove = HttpApiEndpoint.delete("delete", "/v1/webhooks/:id", {
  params: { id: idOf(SubscriptionId) },
  success: HttpApiSchema.NoContent,
  error: responses(BadRequest, WebhookNotFound, WebhookDeleteFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.write",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookDeleteFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Delete a subscription",
      description: "Nothing more is sent, not even deliveries that were already due."
    })
  )

const rotateSecret = HttpApiEndpoint.post("rotateSecret", "/v1/webhooks/:id/rotate-secret", {
  params: { id: idOf(SubscriptionId) },
  headers: idempotencyHeader,
  payload: [RotateSecretRequest, Schema.Null],
  success: RotatedSecret,
  error: responses(BadRequest, WebhookNotFound, WebhookRotateSecretFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.write",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookRotateSecretFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Rotate the secret",
      description:
        "Creates a new secret. Both secrets sign until the old one expires. Deliveries that were `blocked` become due.",
      transform: withOptionalBody
    })
  )
  .middleware(JsonWrite)

const rotateNumberSecret = HttpApiEndpoint.post("rotateNumberSecret", "/v1/numbers/:id/routing/rotate-secret", {
  params: { id: idOf(NumberId) },
  headers: idempotencyHeader,
  payload: [RotateSecretRequest, Schema.Null],
  success: RotatedSecret,
  error: responses(BadRequest, NumberNotFound, WebhookRotateSecretFailed)
})
  .annotate(EndpointPolicy, {
    scope: "numbers.write",
    whenIdMalformed: NumberNotFound,
    whenReadFails: WebhookRotateSecretFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Rotate the secret of a number",
      description:
        "Creates a new secret for the deliveries to the number's `events_url`. `id` in the response is the subscription's id.",
      transform: withOptionalBody
    })
  )
  .middleware(JsonWrite)

const replay = HttpApiEndpoint.post("replay", "/v1/webhooks/:id/replay", {
  params: { id: idOf(SubscriptionId) },
  headers: idempotencyHeader,
  payload: ReplayRequest,
  success: ReplayRecord.pipe(HttpApiSchema.status(202)),
  error: responses(BadRequest, WebhookNotFound, WebhookListFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.write",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookListFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Replay deliveries",
      description:
        "Sends the events of past deliveries again. Each is a new delivery, with a new id, of the same event."
    })
  )
  .middleware(JsonWrite)

const test = HttpApiEndpoint.post("test", "/v1/webhooks/:id/test", {
  params: { id: idOf(SubscriptionId) },
  headers: idempotencyHeader,
  payload: [TestRequest, Schema.Null],
  success: TestRecord,
  error: responses(BadRequest, WebhookNotFound, WebhookListFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.write",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookListFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Send a test",
      description:
        "Sends one signed event now and returns the receiver's response. The delivery is not retried and not stored.",
      transform: withOptionalBody
    })
  )
  .middleware(JsonWrite)

const doctor = HttpApiEndpoint.post("doctor", "/v1/webhooks/:id/doctor", {
  params: { id: idOf(SubscriptionId) },
  success: WebhookDiagnosis,
  error: responses(BadRequest, WebhookNotFound, WebhookListFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.write",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookListFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Examine a receiver",
      description:
        "Sends up to five events of the kind `webhook.test` to the receiver: good ones, one that was altered and one " +
        "that is old. Returns what it answered, and whether it checks signatures. Nothing is retried and nothing is stored."
    })
  )
  .middleware(JsonWrite)

const ofDelivery = { id: idOf(SubscriptionId), delivery_id: Id }

const delivery = HttpApiEndpoint.get("delivery", "/v1/webhooks/:id/deliveries/:delivery_id", {
  params: ofDelivery,
  success: DeliveryWithBody,
  error: responses(WebhookNotFound, WebhookListFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.read",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookListFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Read a delivery",
      description: "Returns one delivery with the body that is sent and all its attempts."
    })
  )

const retry = HttpApiEndpoint.post("retry", "/v1/webhooks/:id/deliveries/:delivery_id/retry", {
  params: ofDelivery,
  headers: idempotencyHeader,
  success: DeliveryRecord.pipe(HttpApiSchema.status(202)),
  error: responses(WebhookNotFound, WebhookDeliveryNotRetryable, WebhookListFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.write",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookListFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Retry a delivery",
      description: "Makes the delivery due at once, regardless of its schedule."
    })
  )
  .middleware(JsonWrite)

const deliveries = HttpApiEndpoint.get("deliveries", "/v1/webhooks/:id/deliveries", {
  params: { id: idOf(SubscriptionId) },
  query: {
    ...paging,
    status: Schema.optionalKey(DeliveryStatus),
    event_kind: Schema.optionalKey(FilterText),
    from: Schema.optionalKey(FilterInstant),
    to: Schema.optionalKey(FilterInstant)
  },
  success: ListOf(ListedDelivery),
  error: responses(BadRequest, InvalidCursor, WebhookNotFound, WebhookListFailed)
})
  .annotate(EndpointPolicy, {
    scope: "webhooks.read",
    whenIdMalformed: WebhookNotFound,
    whenReadFails: WebhookListFailed
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List deliveries",
      description:
        "Newest first. Each delivery has all its attempts, without the receiver's responses: read one delivery to see those."
    })
  )

export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    create,
    list,
    get,
    patch,
    remove,
    rotateSecret,
    rotateNumberSecret,
    replay,
    test,
    doctor,
    deliveries,
    delivery,
    retry
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Webhooks", description: "Signed events that are sent to your URLs." })
  ) {}
