// What a dialler is told of a destination before it calls. Advice: the call itself asks once more.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"
import { type Authorisation, refusalMessage, RefusalReason } from "./Authorisation.ts"

const nullable = Schema.NullOr

export const DestinationCheck = Schema.Struct({
  to: Schema.String.annotate({ description: "As it was asked for." }),
  from: Schema.String,
  rated: Schema.Boolean.annotate({ description: "Whether an outbound call would be allowed at a known rate." }),
  reason: Schema.optionalKey(RefusalReason).annotate({ description: "Why not; only where `rated` is false." }),
  message: Schema.String.annotate({ description: "For people to read." }),
  country: nullable(Schema.String).annotate({
    description: "ISO 3166-1 alpha-2; null where the number is of no country."
  }),
  matched_prefix: nullable(Schema.String).annotate({
    description: "The prefix whose rate applies; null where the number's own does."
  }),
  rate_per_min_minor: nullable(Schema.Int).annotate({
    description: "What a started minute costs; null where there is no rate."
  }),
  currency: Currency,
  sufficient_funds: nullable(Schema.Boolean).annotate({
    description: "Whether the first minute could be set aside now; null without a rate."
  }),
  affordable_minutes: nullable(Schema.Int).annotate({
    description: "Whole minutes that can be spent now; null without a rate, and where a minute costs nothing."
  }),
  normalized_to: nullable(Schema.String).annotate({
    description: "`to` in E.164, as a call wants it; null for a number that has no such form."
  })
}).annotate({ identifier: "DestinationCheck" })
export type DestinationCheck = typeof DestinationCheck.Type

/** What is known of the way from a number to a destination, but for the money. */
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

const amount = (minor: number): string => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, "0")}`

export const destinationCheck = (quote: Quote, available_minor: number): DestinationCheck => {
  const { authorisation, currency, from, to } = quote
  const { price, to: destination } = authorisation
  return {
    to,
    from,
    rated: authorisation.ok,
    ...(!authorisation.ok && { reason: authorisation.reason }),
    message: authorisation.ok
      ? `A minute to this destination costs ${amount(authorisation.price.rate_per_min_minor)} ${currency}.`
      : refusalMessage(authorisation.reason),
    country: destination?.country ?? null,
    matched_prefix: price?.matched_prefix ?? null,
    rate_per_min_minor: price?.rate_per_min_minor ?? null,
    currency,
    ...affordable(available_minor, price?.rate_per_min_minor),
    normalized_to: destination?.e164 ?? null
  }
}
