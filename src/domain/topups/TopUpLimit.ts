// The smallest and the largest amount of a top-up in each currency. Operators set them.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"

const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

export const TopUpLimit = Schema.Struct({
  currency: Currency,
  minimum_minor: Amount,
  maximum_minor: Amount.annotate({ description: "At least the minimum." })
})
  .check(
    Schema.makeFilter(
      ({ maximum_minor, minimum_minor }) =>
        maximum_minor >= minimum_minor || { path: ["maximum_minor"], issue: "Must not be less than minimum_minor." }
    )
  )
  .annotate({ identifier: "TopUpLimit" })
export type TopUpLimit = typeof TopUpLimit.Type

/** If a currency occurs twice, the later limits apply. */
export const TopUpLimitsRequest = Schema.Struct({
  limits: Schema.Array(TopUpLimit).check(Schema.isBetweenLength(1, 100))
}).annotate({ identifier: "TopUpLimitsRequest" })
