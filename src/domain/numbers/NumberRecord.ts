// A number of a workspace, as the workspace sees it.
import { Schema } from "effect"
import { orNull } from "../kit/Fields.ts"
import { Currency } from "../wallet/Currency.ts"
import { Routing } from "./Routing.ts"
import { NumberId } from "../BrandedIds.ts"

export const NumberType = Schema.Literals(["mobile", "local", "national", "toll_free"])

/** `byo`: a number that a workspace brings over its own trunk. */
export const NumberSource = Schema.Literals(["platform", "byo"])
export type NumberSource = typeof NumberSource.Type

export const Capability = Schema.Literals(["voice", "sms", "webrtc"])
export type Capability = typeof Capability.Type

export const NumberRecord = Schema.Struct({
  id: NumberId.annotate({ description: "The id of the number." }),
  number: Schema.String.annotate({ description: "E.164." }),
  status: Schema.Literals(["active", "past_due", "suspended", "released", "retired"]),
  source: NumberSource,
  country: Schema.String.annotate({ description: "ISO 3166-1 alpha-2." }),
  type: NumberType.annotate({ description: "The kind of the number." }),
  capabilities: Schema.Array(Capability),
  label: orNull(Schema.String),
  currency: orNull(Currency),
  monthly_price_minor: orNull(Schema.Int),
  inbound_per_min_minor: orNull(Schema.Int),
  outbound_per_min_minor: orNull(Schema.Int),
  routing: Routing,
  claimed_at: orNull(Schema.String),
  renews_at: orNull(Schema.String),
  past_due_since: orNull(Schema.String),
  released_at: orNull(Schema.String)
}).annotate({ identifier: "Number" })
export type NumberRecord = typeof NumberRecord.Type

export interface NumberFilter {
  readonly status?: NumberRecord["status"]
  readonly source?: NumberRecord["source"]
  readonly country?: string
}

export interface HeldNumber {
  readonly id: NumberId
  readonly source: NumberRecord["source"]
  /** A claim is running. */
  readonly claiming: boolean
}
