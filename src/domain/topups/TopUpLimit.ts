// What operators set: the least and the most of one top-up, in each currency.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"

const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

export const TopUpLimit = Schema.Struct({
  currency: Currency,
  minimum_minor: Amount,
  maximum_minor: Amount.annotate({ description: "Not below the minimum." })
})
  .check(
    Schema.makeFilter(
      ({ maximum_minor, minimum_minor }) =>
        maximum_minor >= minimum_minor || { path: ["maximum_minor"], issue: "It must not be below minimum_minor." }
    )
  )
  .annotate({ identifier: "TopUpLimit" })
export type TopUpLimit = typeof TopUpLimit.Type

/** A currency that is named twice has the later limits. */
export const TopUpLimitsRequest = Schema.Struct({
  limits: Schema.Array(TopUpLimit).check(Schema.isBetweenLength(1, 100))
}).annotate({ identifier: "TopUpLimitsRequest" })
