// A webhook subscription as customers see it, and the request that makes one.
import { Schema } from "effect"

export const apiVersion = "2026-10-01"

export const SubscriptionStatus = Schema.Literals(["active", "paused", "disabled"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

export const DisabledReason = Schema.Literals(["receiver_gone", "failing"]).annotate({
  description: "`receiver_gone`: the receiver answered 410. `failing`: no delivery succeeded for 120 hours."
})
export type DisabledReason = typeof DisabledReason.Type

const SignatureFormat = Schema.Literals(["timestamped", "body_hex"]).annotate({
  description: "Form of the header X-Service-Signature. `body_hex` never expires, so it can be replayed: prefer `timestamped`."
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
  source: Schema.Literals(["api", "number_routing"]),
  secret_set: Schema.Boolean,
  filters: Filters,
  created_at: Instant,
  updated_at: Instant,
  last_success_at: Schema.NullOr(Instant),
  failing_since: Schema.NullOr(Instant)
}).annotate({ identifier: "WebhookSubscription" })
export type SubscriptionRecord = typeof SubscriptionRecord.Type

/** The body of `POST /v1/webhooks`. Shape alone: what the values mean is checked after it. */
export const SubscriptionRequest = Schema.Struct({
  url: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2048)).annotate({
    description: "Where events are sent by POST. Absolute https URL of a public host."
  }),
  events: Events.check(Schema.isMaxLength(100)),
  description: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(256))),
  signature_format: Schema.optionalKey(SignatureFormat),
  filters: Schema.optionalKey(Schema.Struct({
    number_ids: Schema.optionalKey(Schema.Array(Schema.String.check(Schema.isUUID())).check(Schema.isMaxLength(100)))
  })),
  api_version: Schema.optionalKey(Schema.Literal(apiVersion)).annotate({ description: "Shape of the events. Default: the newest." })
}).annotate({ identifier: "WebhookSubscriptionRequest" })
export type SubscriptionRequest = typeof SubscriptionRequest.Type
