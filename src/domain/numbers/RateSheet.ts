// Rates as operators set them: the price of a minute to, or from, numbers with a prefix.
import { Result, Schema } from "effect"
import type { Detail } from "../errors/Failure.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { GivenDay } from "../GivenInstant.ts"
import { Currency } from "../wallet/Currency.ts"

const RateClass = Schema.Literals(["normal", "high_risk", "premium", "blocked", "byo"])
const Direction = Schema.Literals(["outbound", "inbound"])
const Minor = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 }))

/** Most rates in a JSON document. A body of 256 KiB holds about as many. */
export const maxRates = 5_000

/** Most rates in a CSV table, and most bytes of it. */
export const maxTableRates = 100_000
export const maxTableBytes = 16 * 1_024 * 1_024

/** So many rates are read, checked and written without a pause. */
export const rates_at_once = 500

const fields = {
  currency: Currency,
  direction: Direction,
  prefix: Schema.String.check(Schema.isPattern(/^[0-9]{1,15}$/)).annotate({ description: "Digits without `+`." }),
  country: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/)))),
  description: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))),
  per_min_minor: Minor,
  class: Schema.optionalKey(RateClass).annotate({ description: "Default `normal`." }),
  effective_from: Schema.optionalKey(GivenDay).annotate({ description: "Default: now." }),
  effective_to: Schema.optionalKey(Schema.NullOr(GivenDay)).annotate({
    description: "Absent or null: no end."
  })
}

export const RateRequest = Schema.Struct(fields).annotate({ identifier: "RateRequest" })
export type RateRequest = typeof RateRequest.Type

export const RatesRequest = Schema.Struct({
  rates: Schema.Array(RateRequest).check(Schema.isMinLength(1), Schema.isMaxLength(maxRates))
}).annotate({ identifier: "RatesRequest" })

export const RateRecord = Schema.Struct({
  id: Schema.String,
  currency: Currency,
  direction: Direction,
  prefix: Schema.String,
  country: Schema.NullOr(Schema.String),
  description: Schema.String,
  per_min_minor: Schema.Int,
  class: RateClass,
  effective_from: Schema.String,
  effective_to: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Rate" })
export type RateRecord = typeof RateRecord.Type

export const RatesChanged = Schema.Struct({
  inserted: Schema.Int,
  updated: Schema.Int.annotate({
    description: "Rates that replaced one of the same currency, direction, prefix and `effective_from`."
  }),
  unchanged: Schema.Int
}).annotate({ identifier: "RatesChanged" })
export type RatesChanged = typeof RatesChanged.Type

/** A rate as it is stored. Instants are epoch milliseconds. */
export interface RateWrite extends Omit<RateRecord, "id" | "effective_from" | "effective_to"> {
  readonly effective_from: number
  readonly effective_to: number | null
}

const defaults = { country: null, description: "", class: "normal" } as const

const writeOf = (rate: RateRequest, now: number): RateWrite => ({
  ...defaults,
  ...rate,
  effective_from: rate.effective_from === undefined ? now : Date.parse(rate.effective_from),
  effective_to: typeof rate.effective_to === "string" ? Date.parse(rate.effective_to) : null
})

const keyOf = ({ currency, direction, effective_from, prefix }: RateWrite): string =>
  `${currency} ${direction} ${prefix} ${effective_from}`

const maxDetails = 20

/** Checks rates part by part, as one list. */
export class RateReader {
  private readonly now: number
  private readonly seen = new Set<string>()
  private readonly writes: Array<RateWrite> = []
  private readonly details: Array<Detail> = []

  /** `now`: when rates begin that do not say so, in epoch milliseconds. */
  constructor(now: number) {
    this.now = now
  }

  read(rates: ReadonlyArray<RateRequest>): void {
    for (const rate of rates) this.check(writeOf(rate, this.now))
  }

  /** Fails with one detail per row that duplicates another or ends before it begins, at most 20. */
  get result(): Result.Result<ReadonlyArray<RateWrite>, BadRequest> {
    return this.details.length === 0
      ? Result.succeed(this.writes)
      : Result.fail(new BadRequest({ details: this.details.slice(0, maxDetails) }))
  }

  private check(write: RateWrite): void {
    const field = `/rates/${this.writes.length}`
    this.writes.push(write)
    if (write.effective_to !== null && write.effective_to <= write.effective_from)
      this.refuse({
        field: `${field}/effective_to`,
        code: "not_after_effective_from",
        message: "A rate must end after it begins."
      })
    const key = keyOf(write)
    if (this.seen.has(key))
      this.refuse({
        field,
        code: "duplicate",
        message: "An earlier row has the same currency, direction, prefix and start."
      })
    this.seen.add(key)
  }

  private refuse(detail: Detail): void {
    if (this.details.length < maxDetails) this.details.push(detail)
  }
}

const numeric = new Set(["per_min_minor"])

/** A row of a CSV table as a `RateRequest`. Empty cells are absent members. */
export const rateOfColumns = (row: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, text]) => text.trim() !== "")
      .map(([name, text]) => [
        name.trim(),
        numeric.has(name.trim()) && /^-?\d+$/.test(text.trim()) ? Number(text) : text.trim()
      ])
  )
