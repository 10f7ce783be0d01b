// Statistics of a workspace's calls per day (docs/statistics.md). A call belongs to the UTC day on which it was placed.
import { Result, Schema } from "effect"
import { BadRequest } from "../../errors/GeneralErrors.ts"
import { Currency } from "../../wallet/Currency.ts"
import { CallKind } from "../state/CallKind.ts"
import { CallStatus } from "../state/CallRecord.ts"
import { NumberId, toNumberId, type WorkspaceId } from "../../BrandedIds.ts"
import { isoInstant } from "../../kit/Instants.ts"

const day_ms = 86_400_000
const max_days = 92
const default_days = 30

export const StatsGroup = Schema.Literals(["day", "number", "country", "status", "direction", "kind"])
export type StatsGroup = typeof StatsGroup.Type

const count = (description: string) => Schema.Int.annotate({ description })

const Figures = {
  calls: count("All calls, including those that are still ringing. Each leg counts as one."),
  answered: count("Calls that were answered, including those still in progress."),
  completed: Schema.Int,
  no_answer: Schema.Int,
  busy: Schema.Int,
  failed: Schema.Int,
  canceled: Schema.Int,
  asr: Schema.Number.annotate({
    description:
      "Answer-seizure ratio: answered calls divided by the calls that are no longer ringing, 0 to 1 with four decimals; 0 without calls."
  }),
  acd_seconds: Schema.Number.annotate({
    description: "Average duration of a completed call in seconds, with two decimals; 0 without calls."
  }),
  duration_seconds: Schema.Int,
  billed_seconds: Schema.Int,
  cost_minor: Schema.Int,
  partial: Schema.Boolean.annotate({ description: "Includes today, which is not over yet." })
}

const CallFigures = Schema.Struct(Figures).annotate({ identifier: "CallFigures" })

export const CallStatsBucket = Schema.Struct({
  day: Schema.optionalKey(Schema.String).annotate({
    description: "YYYY-MM-DD. A bucket has only the member that it is grouped by."
  }),
  number_id: Schema.optionalKey(Schema.NullOr(NumberId)),
  country: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The country of the other party, ISO 3166-1 alpha-2; null if it has none."
  }),
  status: Schema.optionalKey(CallStatus).annotate({ description: "Only calls that ended like this." }),
  direction: Schema.optionalKey(Schema.Literals(["outbound", "inbound"])),
  kind: Schema.optionalKey(Schema.NullOr(CallKind)).annotate({
    description: "How the calls came about; null for sums from before kinds were counted."
  }),
  ...Figures
}).annotate({ identifier: "CallStatsBucket" })
export type CallStatsBucket = typeof CallStatsBucket.Type

export const CallStats = Schema.Struct({
  from: Schema.String.annotate({ description: "The first day, YYYY-MM-DD, UTC." }),
  to: Schema.String.annotate({ description: "The last day, YYYY-MM-DD, UTC." }),
  as_of: Schema.String.annotate({ description: "When the figures were computed." }),
  currency: Schema.NullOr(Currency),
  totals: CallFigures,
  buckets: Schema.Array(CallStatsBucket)
}).annotate({ identifier: "CallStats" })
export type CallStats = typeof CallStats.Type

/** Days since 1970-01-01, UTC, both inclusive. */
export interface DayRange {
  readonly from_day: number
  readonly to_day: number
}

/** The sums of calls with the same status and the same group key. */
export interface StatsRow {
  /** A day as YYYY-MM-DD, an id or a code; null if the calls have none. */
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

/**
 * The days of a query. `from` and `to` are instants in epoch milliseconds; their days are included. Default: the last
 * 30 days.
 */
export const dayRange = (
  { from, to }: { readonly from?: number; readonly to?: number },
  now: number
): Result.Result<DayRange, BadRequest> => {
  const to_day = dayOf(to ?? now)
  const from_day = from === undefined ? to_day - default_days + 1 : dayOf(from)
  if (from_day > to_day) return refused("/from", "from must not be after to.")
  if (to_day - from_day >= max_days) return refused("/from", `The range must not be longer than ${max_days} days.`)
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
  const finishedRinging = calls - of("ringing")
  const duration_seconds = sum(rows, (row) => row.duration_seconds)
  return {
    calls,
    answered,
    completed,
    no_answer: of("no_answer"),
    busy: of("busy"),
    failed: of("failed"),
    canceled: of("canceled"),
    asr: finishedRinging === 0 ? 0 : rounded(answered / finishedRinging, 4),
    acd_seconds: completed === 0 ? 0 : rounded(duration_seconds / completed, 2),
    duration_seconds,
    billed_seconds: sum(rows, (row) => row.billed_seconds),
    cost_minor: sum(rows, (row) => row.cost_minor),
    partial
  }
}

const groupMember = (group_by: StatsGroup, key: string | null): Partial<CallStatsBucket> => {
  switch (group_by) {
    case "day":
      return key === null ? {} : { day: key }
    case "number":
      return { number_id: key === null ? null : toNumberId(key) }
    case "country":
      return { country: key }
    case "status":
      return { status: key as CallStatus }
    case "direction":
      return { direction: key as "outbound" | "inbound" }
    case "kind":
      return { kind: key as CallKind | null }
  }
}

const compareKeys = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1

/** The response for these rows. A day without calls has a bucket too, so that a chart has no gaps. */
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
    as_of: isoInstant(now),
    currency,
    totals: figures(rows, partial),
    buckets: keys.map((key) => ({
      ...groupMember(group_by, key),
      ...figures(byKey.get(key) ?? [], group_by === "day" ? key === dayText(today) : partial)
    }))
  }
}

export interface StatsQuery {
  readonly workspace_id: WorkspaceId
  readonly range: DayRange
  readonly group_by: StatsGroup
  readonly number_id?: NumberId
}
