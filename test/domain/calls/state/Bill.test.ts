import { describe, expect, it } from "@effect/vitest"
import { billOf, billSoFar } from "../../../../src/domain/calls/state/Bill.ts"
import type { CompletedCall } from "../../../../src/domain/calls/state/Call.ts"
import { answered_at, completed, facts } from "../Fixtures.ts"

const bill = (talk_ms: number, covered_minutes: number, rate_per_min_minor = 300) =>
  billOf({
    ...completed,
    facts: { ...facts, rate_per_min_minor },
    answered_at,
    ended_at: answered_at + talk_ms,
    covered_minutes
  } as CompletedCall)

/** Talk in ms, minutes covered, duration, billed seconds, cost at 300 a minute. */
const rows = [
  [0, 1, 1, 1, 300],
  [1, 1, 1, 1, 300],
  [1_000, 1, 1, 1, 300],
  [1_001, 1, 2, 2, 300],
  [59_999, 1, 60, 60, 300],
  [60_000, 1, 60, 60, 300],
  [60_001, 2, 61, 61, 600],
  [60_001, 1, 61, 60, 300],
  [65_000, 2, 65, 65, 600],
  [300_000, 3, 300, 180, 900]
] as const

describe("The bill", () => {
  it.each(rows)(
    "of %i ms with %i minutes covered is %i s, of them %i s billed, for %i",
    (talk_ms, covered, duration_seconds, billed_seconds, cost_minor) => {
      expect(bill(talk_ms, covered)).toEqual({ duration_seconds, billed_seconds, cost_minor })
    }
  )

  it("of talk that costs nothing counts all seconds, covered or not", () => {
    expect(bill(300_000, 1, 0)).toEqual({ duration_seconds: 300, billed_seconds: 300, cost_minor: 0 })
  })

  it("of a call that goes on is that of its started minutes, and of one that is over its own", () => {
    const open = { answered_at: new Date(answered_at).toISOString(), rate_per_min_minor: 300 }
    const over = { ...open, duration_seconds: 5, cost_minor: 300 }
    const refused = { ...open, answered_at: null, cost_minor: 0 }
    const rows = [
      [open, 28_000, { duration_seconds: 28, cost_minor: 300 }],
      [open, 60_001, { duration_seconds: 61, cost_minor: 600 }],
      [{ ...open, rate_per_min_minor: 0 }, 60_001, { duration_seconds: 61, cost_minor: 0 }],
      [{ ...open, answered_at: null }, 60_001, { duration_seconds: 0, cost_minor: 0 }],
      [over, 90_000, { duration_seconds: 5, cost_minor: 300 }],
      [refused, 90_000, { duration_seconds: 0, cost_minor: 0 }]
    ] as const
    for (const [call, after_ms, expected] of rows) expect(billSoFar(call, answered_at + after_ms)).toEqual(expected)
  })
})
