// A webhook subscription as customers see it, and the requests that create and change it.
import { Livemode } from "../kit/Livemode.ts"
import { Schema } from "effect"
import { IsoInstant } from "../kit/Fields.ts"
import { signatureFormats } from "../signing/SignatureHeader.ts"
import { NumberId, SubscriptionId } from "../BrandedIds.ts"
import { DisabledReason } from "../events/DisabledReason.ts"

export const apiVersion = "2026-10-01"

export const SubscriptionStatus = Schema.Literals(["active", "paused", "disabled"])
export type SubscriptionStatus = typeof SubscriptionStatus.Type

export const SubscriptionSource = Schema.Literals(["api", "number_routing", "call"]).annotate({
  description:
    "`api`: created by this API. `number_routing`: the `events_url` of a number. `call`: the `events_url` of calls."
})
export type SubscriptionSource = typeof SubscriptionSource.Type

export const SignatureFormat = Schema.Literals(signatureFormats).annotate({
  description:
    "Format of the header X-Service-Signature. A `body_hex` signature never expires, so anyone who has seen one can replay it: prefer `timestamped`."
})
const Events = Schema.Array(Schema.String).annotate({
  description: "Event kinds, wildcards (`*`, `call.*`) and families (`call_lifecycle`)."
})
const Filters = Schema.Struct({
  number_ids: Schema.Array(NumberId).annotate({ description: "Only events of these numbers; empty: all numbers." })
})

export const SubscriptionRecord = Schema.Struct({
  id: SubscriptionId.annotate({ description: "The id of the subscription." }),
  url: Schema.String,
  description: Schema.String,
  events: Events,
  status: SubscriptionStatus.annotate({ description: "Whether events are delivered." }),
  disabled_reason: Schema.NullOr(DisabledReason),
  signature_format: SignatureFormat,
  api_version: Schema.String,
  source: SubscriptionSource,
  secret_set: Schema.Boolean,
  filters: Filters,
  created_at: IsoInstant,
  updated_at: IsoInstant,
  last_success_at: Schema.NullOr(IsoInstant),
  failing_since: Schema.NullOr(IsoInstant),
  livemode: Livemode
}).annotate({ identifier: "WebhookSubscription" })
export type SubscriptionRecord = typeof SubscriptionRecord.Type

const Url = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2048)).annotate({
  description: "Events are sent here by POST. Absolute https URL of a public host."
})
const Description = Schema.String.check(Schema.isMaxLength(256))
const FiltersRequest = Schema.Struct({
  number_ids: Schema.optionalKey(Schema.Array(NumberId.check(Schema.isUUID())).check(Schema.isMaxLength(100)))
})
const ApiVersion = Schema.Literal(apiVersion)

/** The body of `POST /v1/webhooks`. The schema checks its shape; `factsFromRequest` checks its values. */
export const SubscriptionRequest = Schema.Struct({
  url: Url,
  events: Events.check(Schema.isMaxLength(100)),
  description: Schema.optionalKey(Description),
  signature_format: Schema.optionalKey(SignatureFormat),
  filters: Schema.optionalKey(FiltersRequest),
  api_version: Schema.optionalKey(ApiVersion).annotate({
    description: "Version of the event format. Default: the newest."
  })
}).annotate({ identifier: "WebhookSubscriptionRequest" })
export type SubscriptionRequest = typeof SubscriptionRequest.Type

/** The body of `PATCH /v1/webhooks/{id}`. Absent members stay as they are. */
export const SubscriptionPatch = Schema.Struct({
  url: Schema.optionalKey(Url),
  events: Schema.optionalKey(Events.check(Schema.isMaxLength(100))),
  description: Schema.optionalKey(Description),
  signature_format: Schema.optionalKey(SignatureFormat),
  filters: Schema.optionalKey(FiltersRequest),
  api_version: Schema.optionalKey(ApiVersion),
  status: Schema.optionalKey(Schema.Literals(["active", "paused"])).annotate({
    description: "`active` also re-enables a disabled subscription."
  })
}).annotate({ identifier: "WebhookSubscriptionPatch" })
export type SubscriptionPatch = typeof SubscriptionPatch.Type

/** The body of `POST /v1/webhooks/{id}/rotate-secret`. */
export const RotateSecretRequest = Schema.Struct({
  previous_valid_seconds: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 86_400 }))
  ).annotate({ description: "How long the previous secret signs as well. Default 86400, one day." })
}).annotate({ identifier: "WebhookRotateSecretRequest" })
export type RotateSecretRequest = typeof RotateSecretRequest.Type

/** How long the previous secret signs as well, in seconds. Default: a day. */
export const previousValidSeconds = (request: RotateSecretRequest | null): number =>
  request?.previous_valid_seconds ?? 86_400

/** The result of a rotation, without the new secret. */
export const RotationRecord = Schema.Struct({
  id: SubscriptionId.annotate({ description: "The subscription." }),
  previous_expires_at: Schema.NullOr(Schema.String).annotate({
    description: "Until when the previous secret signs as well; null: there was none."
  }),
  requeued_deliveries: Schema.Int.annotate({ description: "Deliveries that were `blocked` and are now due." })
})
export type RotationRecord = typeof RotationRecord.Type
