// The result of a destination check before a call. It is advice only: placing the call checks again.
import { amountText } from "../../kit/Amount.ts"
import { Schema } from "effect"
import { Currency } from "../../wallet/Currency.ts"
import { type Authorisation, refusalMessage, RefusalReason } from "./Authorisation.ts"

const nullable = Schema.NullOr

export const DestinationCheck = Schema.Struct({
  to: Schema.String.annotate({ description: "The destination as given in the request." }),
  from: Schema.String,
  rated: Schema.Boolean.annotate({ description: "Whether an outbound call would be allowed at a known rate." }),
  reason: Schema.optionalKey(RefusalReason).annotate({
    description: "Why the call would be refused. Only if `rated` is false."
  }),
  message: Schema.String.annotate({ description: "Text for people." }),
  country: nullable(Schema.String).annotate({
    description: "ISO 3166-1 alpha-2; null if the number belongs to no country."
  }),
  matched_prefix: nullable(Schema.String).annotate({
    description: "The prefix whose rate applies; null if the number has its own price."
  }),
  rate_per_min_minor: nullable(Schema.Int).annotate({
    description: "The price of a started minute; null without a rate."
  }),
  currency: Currency,
  sufficient_funds: nullable(Schema.Boolean).annotate({
    description: "Whether the wallet could pay the first minute now; null without a rate."
  }),
  affordable_minutes: nullable(Schema.Int).annotate({
    description: "How many whole minutes the wallet could pay now; null without a rate, and if a minute is free."
  }),
  normalized_to: nullable(Schema.String).annotate({
    description: "`to` in E.164; null if it has no such form."
  })
}).annotate({ identifier: "DestinationCheck" })
export type DestinationCheck = typeof DestinationCheck.Type

/** The check of a destination without the funds of the wallet. */
export interface Quote {
  readonly to: string
  readonly from: string
  readonly currency: typeof Currency.Type
  readonly authorisation: Authorisation
}

const affordable = (available_minor: number, rate_per_min_minor: number | undefined) => {
  if (rate_per_min_minor === undefined) return { sufficient_funds: null, affordable_minutes: null }
  if (rate_per_min_minor === 0) return { sufficient_funds: available_minor >= 0, affordable_minutes: null }
  const affordable_minutes = Math.max(0, Math.floor(available_minor / rate_per_min_minor))
  return { sufficient_funds: affordable_minutes > 0, affordable_minutes }
}

export const destinationCheck = (quote: Quote, available_minor: number): DestinationCheck => {
  const { authorisation, currency, from, to } = quote
  const { price, to: destination } = authorisation
  return {
    to,
    from,
    rated: authorisation.ok,
    ...(!authorisation.ok && { reason: authorisation.reason }),
    message: authorisation.ok
      ? `A minute to this destination costs ${amountText(authorisation.price.rate_per_min_minor)} ${currency}.`
      : refusalMessage(authorisation.reason),
    country: destination?.country ?? null,
    matched_prefix: price?.matched_prefix ?? null,
    rate_per_min_minor: price?.rate_per_min_minor ?? null,
    currency,
    ...affordable(available_minor, price?.rate_per_min_minor),
    normalized_to: destination?.e164 ?? null
  }
}
