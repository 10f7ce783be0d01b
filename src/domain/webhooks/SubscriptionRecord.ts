// A webhook subscription as customers see it, and the request that makes one.
import { Schema } from "effect"

export const apiVersion = "2026-10-01"

export const SubscriptionStatus = Schema.Literals(["active", "paused", "disabled"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

export const DisabledReason = Schema.Literals(["receiver_gone", "failing"]).annotate({
  description: "`receiver_gone`: the receiver answered 410. `failing`: no delivery succeeded for 120 hours."
})
export type DisabledReason = typeof DisabledReason.Type

export const SubscriptionSource = Schema.Literals(["api", "number_routing", "call"]).annotate({
  description: "`api`: made here. `number_routing`: the `events_url` of a number. `call`: the `events_url` of calls."
})
export type SubscriptionSource = typeof SubscriptionSource.Type

const SignatureFormat = Schema.Literals(["timestamped", "body_hex"]).annotate({
  description:
    "Form of the header X-Service-Signature. `body_hex` never expires, so it can be replayed: prefer `timestamped`."
})
const Events = Schema.Array(Schema.String).annotate({
  description: "Event kinds, wildcards (`*`, `call.*`) and families (`call_lifecycle`)."
})
const Filters = Schema.Struct({
  number_ids: Schema.Array(Schema.String).annotate({ description: "Only events of these numbers; empty: of all." })
})
const Instant = Schema.String

export const SubscriptionRecord = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  description: Schema.String,
  events: Events,
  status: SubscriptionStatus,
  disabled_reason: Schema.NullOr(DisabledReason),
  signature_format: SignatureFormat,
  api_version: Schema.String,
  source: SubscriptionSource,
  secret_set: Schema.Boolean,
  filters: Filters,
  created_at: Instant,
  updated_at: Instant,
  last_success_at: Schema.NullOr(Instant),
  failing_since: Schema.NullOr(Instant)
}).annotate({ identifier: "WebhookSubscription" })
export type SubscriptionRecord = typeof SubscriptionRecord.Type

const Url = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2048)).annotate({
  description: "Where events are sent by POST. Absolute https URL of a public host."
})
const Description = Schema.String.check(Schema.isMaxLength(256))
const FiltersRequest = Schema.Struct({
  number_ids: Schema.optionalKey(Schema.Array(Schema.String.check(Schema.isUUID())).check(Schema.isMaxLength(100)))
})
const ApiVersion = Schema.Literal(apiVersion)

/** The body of `POST /v1/webhooks`. Shape alone: what the values mean is checked after it. */
export const SubscriptionRequest = Schema.Struct({
  url: Url,
  events: Events.check(Schema.isMaxLength(100)),
  description: Schema.optionalKey(Description),
  signature_format: Schema.optionalKey(SignatureFormat),
  filters: Schema.optionalKey(FiltersRequest),
  api_version: Schema.optionalKey(ApiVersion).annotate({ description: "Shape of the events. Default: the newest." })
}).annotate({ identifier: "WebhookSubscriptionRequest" })
export type SubscriptionRequest = typeof SubscriptionRequest.Type

/** The body of `PATCH /v1/webhooks/{id}`. What is absent stays as it is. */
export const SubscriptionPatch = Schema.Struct({
  url: Schema.optionalKey(Url),
  events: Schema.optionalKey(Events.check(Schema.isMaxLength(100))),
  description: Schema.optionalKey(Description),
  signature_format: Schema.optionalKey(SignatureFormat),
  filters: Schema.optionalKey(FiltersRequest),
  api_version: Schema.optionalKey(ApiVersion),
  status: Schema.optionalKey(Schema.Literals(["active", "paused"])).annotate({
    description: "`active` also brings back a subscription that was disabled."
  })
}).annotate({ identifier: "WebhookSubscriptionPatch" })
export type SubscriptionPatch = typeof SubscriptionPatch.Type

/** The body of `POST /v1/webhooks/{id}/rotate-secret`. */
export const RotateSecretRequest = Schema.Struct({
  previous_valid_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
  ).annotate({ description: "How long the secret of until now signs beside the new one. Default: 86400, a day." })
}).annotate({ identifier: "WebhookRotateSecretRequest" })
export type RotateSecretRequest = typeof RotateSecretRequest.Type

/** A day, if nothing is said. */
export const previousValidSeconds = (request: RotateSecretRequest | null): number =>
  request?.previous_valid_seconds ?? 86_400

/** What a rotation did, but for the new secret itself. */
export const RotationRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "The subscription." }),
  previous_expires_at: Schema.NullOr(Schema.String).annotate({
    description: "Until when the secret of until now signs too; null: there was none."
  }),
  requeued_deliveries: Schema.Int.annotate({ description: "Deliveries that were `blocked` and now go out." })
})
export type RotationRecord = typeof RotationRecord.Type
