// A number of a workspace, as its owner sees it.
import { Schema } from "effect"
import { Currency } from "../wallet/WalletBalance.ts"

const nullable = Schema.NullOr

export const Routing = Schema.Struct({
  events_url: nullable(Schema.String).annotate({ description: "Where the call events of this number are delivered." }),
  voice_url: nullable(Schema.String).annotate({ description: "Asked what to do with an inbound call." }),
  voice_fallback_url: nullable(Schema.String),
  forward_to: Schema.Struct({
    type: Schema.Literals(["none", "extension", "extensions", "e164", "sip"]),
    value: nullable(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
    sequential: nullable(Schema.Boolean)
  }),
  ring_timeout_seconds: Schema.Int,
  record: Schema.String,
  reject_when_no_funds_message: nullable(Schema.String)
}).annotate({ identifier: "NumberRouting" })
export type Routing = typeof Routing.Type

/** What a number does until it is told otherwise. */
export const default_routing: Routing = {
  events_url: null,
  voice_url: null,
  voice_fallback_url: null,
  forward_to: { type: "none", value: null, sequential: null },
  ring_timeout_seconds: 30,
  record: "do-not-record",
  reject_when_no_funds_message: null
}

export const NumberRecord = Schema.Struct({
  id: Schema.String,
  number: Schema.String.annotate({ description: "E.164." }),
  status: Schema.Literals(["active", "past_due", "suspended", "released", "retired"]),
  source: Schema.Literals(["platform", "byo"]),
  country: Schema.String.annotate({ description: "ISO 3166-1 alpha-2." }),
  type: Schema.Literals(["mobile", "local", "national", "toll_free"]),
  capabilities: Schema.Array(Schema.String),
  label: nullable(Schema.String),
  currency: nullable(Currency),
  monthly_price_minor: nullable(Schema.Int),
  inbound_per_min_minor: nullable(Schema.Int),
  outbound_per_min_minor: nullable(Schema.Int),
  routing: Routing,
  claimed_at: nullable(Schema.String),
  renews_at: nullable(Schema.String),
  past_due_since: nullable(Schema.String),
  released_at: nullable(Schema.String)
}).annotate({ identifier: "Number" })
export type NumberRecord = typeof NumberRecord.Type
