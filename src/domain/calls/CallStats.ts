// What a workspace's calls came to, day by day (docs/statistics.md). A call belongs to the day (UTC) on which it was
// placed.
import { Result, Schema } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { Currency } from "../wallet/Currency.ts"
import { CallStatus } from "./CallRecord.ts"

const day_ms = 86_400_000
const max_days = 92
const default_days = 30

export const StatsGroup = Schema.Literals(["day", "number", "country", "status", "direction"])
export type StatsGroup = typeof StatsGroup.Type

const count = (description: string) => Schema.Int.annotate({ description })

const Figures = {
  calls: count("All calls, those that still ring too. Each leg is one."),
  answered: count("Those that were answered, still under way or not."),
  completed: Schema.Int,
  no_answer: Schema.Int,
  busy: Schema.Int,
  failed: Schema.Int,
  canceled: Schema.Int,
  asr: Schema.Number.annotate({
    description:
      "The share of answered calls among those that no longer ring, 0 to 1 to four decimals; 0 where there is none."
  }),
  acd_seconds: Schema.Number.annotate({
    description: "What a completed call lasted on average, to a hundredth of a second; 0 where there is none."
  }),
  duration_seconds: Schema.Int,
  billed_seconds: Schema.Int,
  cost_minor: Schema.Int,
  partial: Schema.Boolean.annotate({ description: "It counts today, which is not over." })
}

const CallFigures = Schema.Struct(Figures).annotate({ identifier: "CallFigures" })

export const CallStatsBucket = Schema.Struct({
  day: Schema.optionalKey(Schema.String).annotate({
    description: "Of `group_by=day`, as of the other groups their own: YYYY-MM-DD."
  }),
  number_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  country: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "Of the other end, ISO 3166-1 alpha-2; null where it has none."
  }),
  status: Schema.optionalKey(CallStatus),
  direction: Schema.optionalKey(Schema.Literals(["outbound", "inbound"])),
  ...Figures
}).annotate({ identifier: "CallStatsBucket" })
export type CallStatsBucket = typeof CallStatsBucket.Type

export const CallStats = Schema.Struct({
  from: Schema.String.annotate({ description: "The first day, YYYY-MM-DD, UTC." }),
  to: Schema.String.annotate({ description: "The last day, YYYY-MM-DD, UTC." }),
  as_of: Schema.String.annotate({ description: "When today was looked at." }),
  currency: Schema.NullOr(Currency),
  totals: CallFigures,
  buckets: Schema.Array(CallStatsBucket)
}).annotate({ identifier: "CallStats" })
export type CallStats = typeof CallStats.Type

/** Days counted from 1970-01-01, UTC; both are in it. */
export interface DayRange {
  readonly from_day: number
  readonly to_day: number
}

/** Calls of one status that share a value of what they are grouped by. */
export interface StatsRow {
  /** A day as YYYY-MM-DD, an id, a code; null where calls have none. */
  readonly key: string | null
  readonly status: CallStatus
  readonly calls: number
  readonly answered: number
  readonly duration_seconds: number
  readonly billed_seconds: number
  readonly cost_minor: number
}

export const dayOf = (at: number): number => Math.floor(at / day_ms)

export const dayText = (day: number): string => new Date(day * day_ms).toISOString().slice(0, 10)

const refused = (field: string, message: string) =>
  Result.fail(new BadRequest({ message, details: [{ field, code: "out_of_range", message }] }))

/** The days of a query, `from` and `to` being instants of theirs, in epoch milliseconds. Default: the last 30. */
export const dayRange = (
  { from, to }: { readonly from?: number; readonly to?: number },
  now: number
): Result.Result<DayRange, BadRequest> => {
  const to_day = dayOf(to ?? now)
  const from_day = from === undefined ? to_day - default_days + 1 : dayOf(from)
  if (from_day > to_day) return refused("/from", "from must not be after to.")
  if (to_day - from_day >= max_days) return refused("/from", `At most ${max_days} days can be asked for at once.`)
  return Result.succeed({ from_day, to_day })
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits

const sum = (rows: ReadonlyArray<StatsRow>, value: (row: StatsRow) => number): number =>
  rows.reduce((total, row) => total + value(row), 0)

const figures = (rows: ReadonlyArray<StatsRow>, partial: boolean) => {
  const of = (status: CallStatus) =>
    sum(
      rows.filter((row) => row.status === status),
      ({ calls }) => calls
    )
  const [calls, answered, completed] = [
    sum(rows, (row) => row.calls),
    sum(rows, (row) => row.answered),
    of("completed")
  ]
  const rung = calls - of("ringing")
  const duration_seconds = sum(rows, (row) => row.duration_seconds)
  return {
    calls,
    answered,
    completed,
    no_answer: of("no_answer"),
    busy: of("busy"),
    failed: of("failed"),
    canceled: of("canceled"),
    asr: rung === 0 ? 0 : rounded(answered / rung, 4),
    acd_seconds: completed === 0 ? 0 : rounded(duration_seconds / completed, 2),
    duration_seconds,
    billed_seconds: sum(rows, (row) => row.billed_seconds),
    cost_minor: sum(rows, (row) => row.cost_minor),
    partial
  }
}

const named = (group_by: StatsGroup, key: string | null): Partial<CallStatsBucket> => {
  switch (group_by) {
    case "day":
      return key === null ? {} : { day: key }
    case "number":
      return { number_id: key }
    case "country":
      return { country: key }
    case "status":
      return { status: key as CallStatus }
    case "direction":
      return { direction: key as "outbound" | "inbound" }
  }
}

const compareKeys = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1

/** The answer that these rows make. A day without calls has a bucket too, so that a chart has no gaps. */
export const callStats = (options: {
  readonly range: DayRange
  readonly group_by: StatsGroup
  readonly currency: typeof Currency.Type | null
  /** Epoch milliseconds. */
  readonly now: number
  readonly rows: ReadonlyArray<StatsRow>
}): CallStats => {
  const {
    currency,
    group_by,
    now,
    range: { from_day, to_day },
    rows
  } = options
  const today = dayOf(now)
  const partial = from_day <= today && today <= to_day
  const byKey = Map.groupBy(rows, ({ key }) => key)
  const keys =
    group_by === "day"
      ? Array.from({ length: to_day - from_day + 1 }, (_, index) => dayText(from_day + index))
      : [...byKey.keys()].sort(compareKeys)
  return {
    from: dayText(from_day),
    to: dayText(to_day),
    as_of: new Date(now).toISOString(),
    currency,
    totals: figures(rows, partial),
    buckets: keys.map((key) => ({
      ...named(group_by, key),
      ...figures(byKey.get(key) ?? [], group_by === "day" ? key === dayText(today) : partial)
    }))
  }
}
