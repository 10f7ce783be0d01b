import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { CallStatus } from "../../../../src/domain/calls/state/CallRecord.ts"
import { callStats, dayOf, dayRange, dayText, type StatsRow } from "../../../../src/domain/calls/views/CallStats.ts"

const now = Date.UTC(2026, 10, 20, 15)
const at = (text: string) => Date.parse(text)

const row = (key: string | null, status: CallStatus, calls: number, more: Partial<StatsRow> = {}): StatsRow => ({
  key,
  status,
  calls,
  answered: status === "completed" || status === "answered" ? calls : 0,
  duration_seconds: 0,
  billed_seconds: 0,
  cost_minor: 0,
  ...more
})

describe("the days of a query", () => {
  const days = (from?: string, to?: string) =>
    Result.match(dayRange({ ...(from && { from: at(from) }), ...(to && { to: at(to) }) }, now), {
      onFailure: ({ details }) => details?.[0]?.field,
      onSuccess: ({ from_day, to_day }) => `${dayText(from_day)} ${dayText(to_day)}`
    })

  it.each([
    [undefined, undefined, "2026-10-22 2026-11-20"],
    ["2026-11-20", undefined, "2026-11-20 2026-11-20"],
    [undefined, "2026-03-01", "2026-01-31 2026-03-01"],
    ["2026-02-28", "2026-03-01", "2026-02-28 2026-03-01"],
    ["2026-11-20T23:59:59.999Z", "2026-11-21T01:00:00+02:00", "2026-11-20 2026-11-20"],
    ["2026-08-21", "2026-11-20", "2026-08-21 2026-11-20"],
    ["2026-08-20", "2026-11-20", "/from"],
    ["2026-11-21", "2026-11-20", "/from"],
    ["2026-11-21", undefined, "/from"]
  ])("%s to %s: %s", (from, to, expected) => {
    assert.strictEqual(days(from, to), expected)
  })
})

describe("the sums", () => {
  const range = { from_day: dayOf(now) - 2, to_day: dayOf(now) }
  const of = (rows: ReadonlyArray<StatsRow>, group_by: "day" | "country" = "day") =>
    callStats({ range, group_by, currency: "KES", now, rows })

  it("sums and averages", () => {
    const { buckets, totals } = of([
      row("2026-11-18", "completed", 3, { duration_seconds: 200, billed_seconds: 180, cost_minor: 1_200 }),
      row("2026-11-18", "busy", 1),
      row("2026-11-18", "no_answer", 2),
      row("2026-11-20", "answered", 1),
      row("2026-11-20", "ringing", 5),
      row("2026-11-20", "failed", 1),
      row("2026-11-20", "canceled", 1)
    ])
    assert.deepStrictEqual(totals, {
      calls: 14,
      answered: 4,
      completed: 3,
      no_answer: 2,
      busy: 1,
      failed: 1,
      canceled: 1,
      asr: 0.4444,
      acd_seconds: 66.67,
      duration_seconds: 200,
      billed_seconds: 180,
      cost_minor: 1_200,
      partial: true
    })
    assert.deepStrictEqual(
      buckets.map(({ asr, calls, day, partial }) => [day, calls, asr, partial]),
      [
        ["2026-11-18", 6, 0.5, false],
        ["2026-11-19", 0, 0, false],
        ["2026-11-20", 8, 0.3333, true]
      ]
    )
  })

  it("name their groups, the group without a name last", () => {
    const { buckets } = of([row(null, "failed", 1), row("UG", "busy", 1), row("KE", "busy", 1)], "country")
    assert.deepStrictEqual(
      buckets.map(({ country, partial }) => [country, partial]),
      [
        ["KE", true],
        ["UG", true],
        [null, true]
      ]
    )
  })

  it("are final if today is not among the days", () => {
    const { totals } = callStats({ range: { from_day: 1, to_day: 2 }, group_by: "day", currency: null, now, rows: [] })
    assert.deepInclude(totals, { calls: 0, asr: 0, acd_seconds: 0, partial: false })
  })
})
