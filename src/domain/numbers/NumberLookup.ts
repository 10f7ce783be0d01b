// What is known of a number before it is called or shown (docs/numbers.md).
import { Schema } from "effect"
import { type Authorisation, RefusalReason } from "../calls/policy/Authorisation.ts"
import { Minor, optional, orNull } from "../kit/Fields.ts"
import { Currency } from "../wallet/Currency.ts"

export const NumberKind = Schema.Literals([
  "landline",
  "mobile",
  "landline_or_mobile",
  "toll_free",
  "premium",
  "shared_cost",
  "voip",
  "personal",
  "pager",
  "company",
  "voicemail",
  "test",
  "unknown"
])
export type NumberKind = typeof NumberKind.Type

/** What the numbering plans say of a number. */
export interface NumberDescription {
  readonly kind: NumberKind
  /** Whether the number belongs to a range that is in use. */
  readonly valid: boolean
  readonly national: string
  readonly international: string
}

export const Carrier = Schema.Struct({
  name: Schema.String,
  /** Whether the number was ported to this carrier; null if the source does not say. */
  ported: orNull(Schema.Boolean)
})
export type Carrier = typeof Carrier.Type

export const NumberLookup = Schema.Struct({
  number: Schema.String,
  country: orNull(Schema.String),
  kind: NumberKind,
  valid: Schema.Boolean,
  national_format: Schema.String,
  international_format: Schema.String,
  rated: Schema.Boolean,
  rate_per_min_minor: orNull(Minor),
  matched_prefix: orNull(Schema.String),
  currency: Currency,
  callable: Schema.Boolean,
  reason: optional(RefusalReason),
  showable: Schema.Boolean,
  carrier: orNull(Carrier)
}).annotate({ identifier: "NumberLookup" })
export type NumberLookup = typeof NumberLookup.Type

/** What a workspace may do with a number. */
export interface NumberUse {
  readonly number: string
  readonly country: string | null
  readonly currency: typeof Currency.Type
  readonly authorisation: Authorisation
  readonly showable: boolean
}

export const numberLookup = (use: NumberUse, plan: NumberDescription, carrier: Carrier | null): NumberLookup => {
  const { authorisation, country, currency, number, showable } = use
  const { price } = authorisation
  return {
    number,
    country,
    kind: plan.kind,
    valid: plan.valid,
    national_format: plan.national,
    international_format: plan.international,
    rated: price !== undefined,
    rate_per_min_minor: price?.rate_per_min_minor ?? null,
    matched_prefix: price?.matched_prefix ?? null,
    currency,
    callable: authorisation.ok,
    ...(!authorisation.ok && { reason: authorisation.reason }),
    showable,
    carrier
  }
}
