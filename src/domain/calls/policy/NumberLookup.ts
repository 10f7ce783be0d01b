// What is known of a number before it is called or shown (docs/numbers.md).
import { Schema } from "effect"
import { Minor, optional, orNull } from "../../kit/Fields.ts"
import { Carrier, type NumberDescription, NumberKind } from "../../numbers/NumberDescription.ts"
import { Currency } from "../../wallet/Currency.ts"
import { type Authorisation, RefusalReason } from "./Authorisation.ts"

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
