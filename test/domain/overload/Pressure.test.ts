// Which signals make the engine refuse what, and when it stops.
import { assert, describe, it } from "@effect/vitest"
import {
  atRest,
  type Cause,
  type Level,
  look,
  pressures,
  rankOf,
  limitsOf,
  type Situation
} from "../../../src/domain/overload/Pressure.ts"

const quiet = {
  event_loop_ms: 0,
  event_loop_busy: 1,
  journal_wait_ms: 0,
  pool_wait_ms: 0,
  requests: 0,
  requests_per_second: 1_000
}

describe("pressures", () => {
  it.each([
    ["a quiet engine", quiet, [0, 0, 0, 0]],
    ["a late event loop", { ...quiet, event_loop_ms: 100 }, [2, 0, 0, 0]],
    ["a late event loop with few requests", { ...quiet, event_loop_ms: 500, requests_per_second: 99 }, [0, 0, 0, 0]],
    ["a late event loop that is often idle", { ...quiet, event_loop_ms: 500, event_loop_busy: 0.89 }, [0, 0, 0, 0]],
    ["a journal that waits", { ...quiet, journal_wait_ms: 500 }, [0, 0.5, 0, 0]],
    [
      "a journal that waits, with few requests",
      { ...quiet, journal_wait_ms: 500, requests_per_second: 0 },
      [0, 0.5, 0, 0]
    ],
    ["many requests in work", { ...quiet, requests: 500 }, [0, 0, 0, 2]],
    ["connections that are all in use", { ...quiet, pool_wait_ms: 1_500 }, [0, 0, 1.5, 0]]
  ])("%s", (_what, signals, expected) => {
    const { database, event_loop, journal, requests } = pressures(signals, limitsOf(50, 1_000))
    assert.deepStrictEqual([event_loop, journal, database, requests], expected)
  })
})

type Look = readonly [event_loop: number, journal?: number, database?: number, requests?: number]

/** Looks every 50 ms. */
const after = (seen: ReadonlyArray<Look>, refused = false, from: Situation = atRest, start = 0): Situation => {
  let situation = from
  for (const [nth, [event_loop, journal = 0, database = 0, requests = 0]] of seen.entries())
    situation = look(situation, { event_loop, journal, database, requests }, { now: start + 50 * (nth + 1), refused })
  return situation
}
const times = (count: number, of: Look): ReadonlyArray<Look> => Array.from({ length: count }, () => of)

describe("look", () => {
  const cases: ReadonlyArray<readonly [what: string, ReadonlyArray<Look>, Level, Cause | undefined]> = [
    ["nothing waits", times(100, [0]), "nothing", undefined],
    ["everything is just below its limit", times(100, [0.99, 0.99, 0.99]), "nothing", undefined],
    ["one look far above it", [[50], ...times(5, [0.1])], "nothing", undefined],
    ["every second look is above it", times(50, [1]).flatMap((one) => [one, [0.4] as const]), "nothing", undefined],
    ["two looks above it: the cheapest", times(2, [1]), "reads", "event_loop"],
    ["four looks above it: sandboxes too", times(4, [1]), "sandboxes", "event_loop"],
    ["six looks above it: new calls too", times(6, [1]), "calls", "event_loop"],
    ["there is nothing after new calls", times(60, [1]), "calls", "event_loop"],
    ["two looks far above it: everything at once", times(2, [2]), "calls", "event_loop"],
    ["the journal waits", times(2, [0.2, 1.2, 0.1]), "reads", "journal"],
    ["connections are missing", times(2, [0.2, 0.1, 1.2]), "reads", "database"],
    ["too many requests are in work", times(2, [0.2, 0.1, 0.1, 1.2]), "reads", "requests"],
    ["one signal after the other", [[1], [0, 1], [0, 0, 1], [1]], "sandboxes", "event_loop"]
  ]
  it.each(cases)("%s", (_what, seen, level, cause) => {
    const situation = after(seen)
    assert.deepStrictEqual([situation.level, situation.cause], [level, cause])
  })

  it("lowers one level for each half second of calm, and is at rest within two seconds", () => {
    const worst = after(times(6, [3]))
    const levels = [0, 10, 11, 21, 31, 40].map((count) => after(times(count, [0.1]), false, worst, 300).level)
    assert.deepStrictEqual(levels, ["calls", "calls", "sandboxes", "reads", "nothing", "nothing"])
    assert.strictEqual(after(times(40, [0.1]), false, worst, 300).cause, undefined)
  })

  it("keeps a level between half the limit and the limit, so that it does not go to and fro", () => {
    const worst = after(times(6, [3]))
    assert.strictEqual(after(times(1_000, [0.5]), false, worst, 300).level, "calls")
    assert.strictEqual(after(times(1_000, [0.99]), false, worst, 300).level, "calls")
  })

  it("keeps a level while somebody is refused, though refusals have made it calm", () => {
    const worst = after(times(6, [3]))
    assert.strictEqual(after(times(1_000, [0.1]), true, worst, 300).level, "calls")
  })

  it("never passes over a level on the way down", () => {
    let situation = after(times(6, [3]))
    for (let nth = 0; nth < 100; nth++) {
      const next = after([[0]], false, situation, 300 + 50 * nth)
      assert.isAtMost(rankOf(situation.level) - rankOf(next.level), 1)
      situation = next
    }
    assert.strictEqual(situation.level, "nothing")
  })
})
