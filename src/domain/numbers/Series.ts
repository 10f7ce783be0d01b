// A series is a range of numbers that the platform has from a provider, with their prices.
import { Result, Schema } from "effect"
import type { Detail } from "../errors/Failure.ts"
import { SeriesInvalid } from "../errors/NumberErrors.ts"
import { Currency } from "../wallet/Currency.ts"
import { Capability, NumberType } from "./NumberRecord.ts"

/** Most numbers of one series. */
export const maxSeries = 10_000

const Minor = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))
const Suffix = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 999_999_999 }))
const Id = Schema.String.check(Schema.isUUID())

const price = {
  currency: Currency,
  monthly_price_minor: Minor,
  inbound_per_min_minor: Minor,
  outbound_per_min_minor: Minor.annotate({ description: "The price of a started minute that replaces the rate." })
}

export const SeriesPrice = Schema.Struct(price).annotate({ identifier: "SeriesPrice" })

const SeriesStatus = Schema.Literals(["active", "inactive", "retired"])

export const SeriesRequest = Schema.Struct({
  provider_id: Schema.optionalKey(Schema.NullOr(Id)),
  country: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/)),
  prefix: Schema.String.check(Schema.isPattern(/^\+[1-9]\d{0,13}$/)).annotate({
    description: "Beginning of all its numbers: `+` and digits."
  }),
  start_suffix: Suffix,
  end_suffix: Suffix.annotate({ description: "The last suffix. Greater than `start_suffix`." }),
  suffix_length: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))).annotate({
    description: "Digits of every suffix, padded with zeros. Default: the digits of `end_suffix`."
  }),
  type: Schema.optionalKey(NumberType).annotate({ description: "Default `local`." }),
  locality: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(100)))),
  capabilities: Schema.Array(Capability),
  status: Schema.optionalKey(Schema.Literals(["active", "inactive"])).annotate({ description: "Default `active`." }),
  prices: Schema.optionalKey(Schema.Array(SeriesPrice).check(Schema.isMaxLength(20)))
}).annotate({ identifier: "SeriesRequest" })
export type SeriesRequest = typeof SeriesRequest.Type

export const SeriesRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "The id of the series." }),
  provider_id: Schema.NullOr(Schema.String),
  country: Schema.String,
  prefix: Schema.String.annotate({
    description: "The digits that all numbers of the series begin with, in E.164 form."
  }),
  start_suffix: Schema.Int,
  end_suffix: Schema.Int,
  suffix_length: Schema.Int,
  type: NumberType,
  locality: Schema.NullOr(Schema.String),
  capabilities: Schema.Array(Capability),
  status: SeriesStatus,
  prices: Schema.Array(SeriesPrice),
  created_at: Schema.String
}).annotate({ identifier: "Series" })
export type SeriesRecord = typeof SeriesRecord.Type

export type SeriesFacts = Omit<SeriesRecord, "id" | "created_at">

export interface SuffixRange {
  readonly start_suffix: number
  readonly end_suffix: number
}

/** A part of a series. Absent members: the whole series. */
export const GenerateRequest = Schema.Struct({
  start_suffix: Schema.optionalKey(Suffix),
  end_suffix: Schema.optionalKey(Suffix)
}).annotate({ identifier: "GenerateNumbersRequest" })
export type GenerateRequest = typeof GenerateRequest.Type

export const Generated = Schema.Struct({
  series_id: Schema.String,
  start_suffix: Schema.Int,
  end_suffix: Schema.Int,
  generated: Schema.Int.annotate({ description: "New numbers. 0: the range was generated before." })
}).annotate({ identifier: "GeneratedNumbers" })
export type Generated = typeof Generated.Type

/** A price of a series. */
export const PriceRecord = Schema.Struct({ series_id: Id, ...price }).annotate({ identifier: "SeriesPriceRecord" })
export type PriceRecord = typeof PriceRecord.Type

export const PricesRequest = Schema.Struct({
  prices: Schema.Array(PriceRecord).check(Schema.isMinLength(1), Schema.isMaxLength(1_000))
}).annotate({ identifier: "SeriesPricesRequest" })

const invalid = (field: string, code: string, message: string): Result.Result<never, SeriesInvalid> => {
  const details: ReadonlyArray<Detail> = [{ field, code, message }]
  return Result.fail(new SeriesInvalid({ message, details }))
}

/** Whether the numbers are E.164 with 7 to 15 digits. */
const fits = (prefix: string, suffix_length: number): boolean => {
  const digits = prefix.length - 1 + suffix_length
  return digits >= 7 && digits <= 15
}

/** Reads a request, with defaults. Fails with SeriesInvalid, which names the field. */
export const seriesOf = (request: SeriesRequest): Result.Result<SeriesFacts, SeriesInvalid> => {
  const { capabilities, end_suffix, prefix, prices = [], start_suffix } = request
  const suffix_length = request.suffix_length ?? String(end_suffix).length
  if (end_suffix <= start_suffix)
    return invalid("/end_suffix", "not_greater", "The end suffix must be greater than the start suffix.")
  if (end_suffix - start_suffix >= maxSeries)
    return invalid("/end_suffix", "too_many", "A series has at most 10,000 numbers.")
  if (String(end_suffix).length > suffix_length)
    return invalid("/suffix_length", "too_short", "The end suffix has more digits than `suffix_length`.")
  if (!fits(prefix, suffix_length))
    return invalid("/prefix", "not_e164", "Prefix and suffix together must have 7 to 15 digits.")
  if (capabilities.length === 0) return invalid("/capabilities", "empty", "Name at least one of voice, sms, webrtc.")
  if (new Set(prices.map(({ currency }) => currency)).size < prices.length) {
    return invalid("/prices", "doubled", "A currency has more than one price.")
  }
  return Result.succeed({
    provider_id: request.provider_id ?? null,
    country: request.country,
    prefix,
    start_suffix,
    end_suffix,
    suffix_length,
    type: request.type ?? "local",
    locality: request.locality ?? null,
    capabilities: [...new Set(capabilities)],
    status: request.status ?? "active",
    prices
  })
}

/** The suffixes that a request names, which must lie in the series. */
export const rangeOf = (series: SuffixRange, request: GenerateRequest): Result.Result<SuffixRange, SeriesInvalid> => {
  const { end_suffix = series.end_suffix, start_suffix = series.start_suffix } = request
  if (end_suffix <= start_suffix)
    return invalid("/end_suffix", "not_greater", "The end suffix must be greater than the start suffix.")
  if (start_suffix < series.start_suffix)
    return invalid("/start_suffix", "out_of_range", "The series starts at a greater suffix.")
  if (end_suffix > series.end_suffix)
    return invalid("/end_suffix", "out_of_range", "The series ends at a smaller suffix.")
  return Result.succeed({ start_suffix, end_suffix })
}

export interface SeriesFilter {
  readonly country?: string
  readonly status?: SeriesRecord["status"]
  readonly provider_id?: string
}

export interface PriceFilter {
  readonly series_id?: string
  readonly currency?: string
}
