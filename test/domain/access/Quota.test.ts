import { assert, describe, it } from "@effect/vitest"
import { type Quota, quotas, take } from "../../../src/domain/access/Quota.ts"

const quota: Quota = { burst: 3, per_second: 2 }
const start = 1_800_000_000_000

/** What each of these moments, in milliseconds after the start, is told. */
const told = (...moments: ReadonlyArray<number>) => {
  let full_at = 0
  return moments.map((at) => {
    const { admitted, remaining, reset_ms, retry_ms, ...bucket } = take(quota, full_at, start + at)
    full_at = bucket.full_at
    return admitted ? { remaining, reset_ms } : { reset_ms, retry_ms }
  })
}

describe("a quota", () => {
  for (const [name, moments, answers] of [
    [
      "admits its whole burst at once and no more",
      [0, 0, 0, 0],
      [
        { remaining: 2, reset_ms: 500 },
        { remaining: 1, reset_ms: 1000 },
        { remaining: 0, reset_ms: 1500 },
        { reset_ms: 1500, retry_ms: 500 }
      ]
    ],
    [
      "refuses until the exact millisecond at which one request is due",
      [0, 0, 0, 499, 500, 500],
      [
        { remaining: 2, reset_ms: 500 },
        { remaining: 1, reset_ms: 1000 },
        { remaining: 0, reset_ms: 1500 },
        { reset_ms: 1001, retry_ms: 1 },
        { remaining: 0, reset_ms: 1500 },
        { reset_ms: 1500, retry_ms: 500 }
      ]
    ],
    [
      "counts only whole requests as remaining",
      [0, 250],
      [
        { remaining: 2, reset_ms: 500 },
        { remaining: 1, reset_ms: 750 }
      ]
    ],
    [
      "is full again after its time, and never more than full",
      [0, 0, 0, 1500, 90_000],
      [
        { remaining: 2, reset_ms: 500 },
        { remaining: 1, reset_ms: 1000 },
        { remaining: 0, reset_ms: 1500 },
        { remaining: 2, reset_ms: 500 },
        { remaining: 2, reset_ms: 500 }
      ]
    ],
    [
      "locks no client out if the clock is set back",
      [3_600_000, 0, 500],
      [
        { remaining: 2, reset_ms: 500 },
        { reset_ms: 1500, retry_ms: 500 },
        { remaining: 0, reset_ms: 1500 }
      ]
    ]
  ] as const)
    it(name, () => assert.deepStrictEqual<ReadonlyArray<object>>(told(...moments), answers))

  for (const [name, each] of Object.entries<Quota>(quotas)) {
    it(`${name} admits its burst, then its rate, however many requests arrive`, () => {
      const seconds = 10
      let full_at = 0
      let admitted = 0
      for (let at = 0; at < seconds * 1000; at++) {
        for (let asked = 0; asked < 3; asked++) {
          const verdict = take(each, full_at, start + at)
          full_at = verdict.full_at
          if (verdict.admitted) admitted++
        }
      }
      const asked = seconds * 3000
      assert.approximately(admitted, Math.min(asked, each.burst + seconds * each.per_second), 2)
    })
  }
})
