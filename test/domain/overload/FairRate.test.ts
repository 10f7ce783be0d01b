// What is admitted of a load above the capacity, and of whom.
import { assert, describe, it } from "@effect/vitest"
import { FairRate, fairLevel } from "../../../src/domain/overload/FairRate.ts"
import { atRest, look, type Situation } from "../../../src/domain/overload/Pressure.ts"

describe("fairLevel", () => {
  it.each([
    ["nobody asks", [], 10, Number.POSITIVE_INFINITY],
    ["all can be met", [3, 3, 4], 10, Number.POSITIVE_INFINITY],
    ["one asks for too much", [100], 10, 10],
    ["small demands are met first", [1, 2, 100], 10, 7],
    ["the large ones are equal", [1, 50, 100], 10, 4.5],
    ["there is nothing", [1, 1], 0, 0]
  ])("%s", (_what, demands, budget, expected) => assert.strictEqual(fairLevel(demands, budget), expected))
})

/** Larger than what the engine of a test ever has. */
const most_in_work = 100_000

interface Run {
  /** What was done in the second half, for each second. */
  readonly done: number
  readonly admitted: Map<string, number>
  /** For how long the last of the waiting requests waits, the longest of the second half. */
  readonly longest_ms: number
  /** After how many milliseconds without load nothing was refused. */
  readonly rest_ms: number
}

/**
 * An engine that does `capacity` requests a second, looks every 50 ms and delays all by what waits. Refusing costs it a
 * fiftieth of a request. `loads`: what each workspace offers in a second.
 */
const run = (
  capacity: number,
  loads: Readonly<Record<string, number>>,
  seconds: number,
  isPaused: (now: number) => boolean = () => false
): Run => {
  const rate = new FairRate(most_in_work)
  let situation: Situation = atRest
  let waiting = 0
  const admitted = new Map<string, number>()
  let [done, longest_ms, rest_ms, now] = [0, 0, Number.POSITIVE_INFINITY, 0]
  let [pause_ms, late_ms, owed, served_at] = [0, 0, 0, -5]
  const due = new Map<string, number>()
  const end = seconds * 1_000
  for (; now < end + 5_000 && rest_ms === Number.POSITIVE_INFINITY; now += 5) {
    const paused = isPaused(now)
    let work = paused ? 0 : (capacity * 5) / 1_000
    // The workspaces take turns, as their requests do when they come over a network.
    for (let left = now < end && !paused; left;) {
      left = false
      for (const [who, load] of Object.entries(loads)) {
        const open = (due.get(who) ?? 0) + (due.get(`at ${who}`) === now ? 0 : (load * (now - served_at)) / 1_000)
        due.set(`at ${who}`, now)
        due.set(who, open >= 1 ? open - 1 : open)
        if (open < 1) continue
        left = true
        if (rate.refuses(who, now)) {
          work -= 0.02
          continue
        }
        rate.admit(who, now)
        waiting++
        if (now >= end / 2) admitted.set(who, (admitted.get(who) ?? 0) + 1)
      }
    }
    if (!paused) served_at = now
    const finished = Math.min(waiting, Math.max(0, work))
    waiting -= finished
    for (owed += finished; owed >= 1; owed--) rate.finish("a")
    const delay_ms = (waiting / capacity) * 1_000
    if (now >= end / 2 && now < end) {
      done += finished
      longest_ms = Math.max(longest_ms, delay_ms)
    }
    pause_ms = paused ? pause_ms + 5 : 0
    late_ms = Math.max(late_ms, delay_ms, pause_ms)
    if (now % 50 === 0 && !paused) {
      const event_loop = late_ms / 50
      late_ms = 0
      situation = look(
        situation,
        { event_loop, journal: 0, database: 0, requests: 0 },
        { now, refused: rate.hasRefused }
      )
      if (situation.level === "calls") rate.engage()
      else rate.release()
      rate.look({ now, load: event_loop * 3, wait_ms: delay_ms })
      if (now >= end && situation.level === "nothing") rest_ms = now - end
    }
  }
  return { done: done / (seconds / 2), admitted, longest_ms, rest_ms }
}

describe("FairRate", () => {
  it("limits nothing until it is engaged", () => {
    const rate = new FairRate(most_in_work)
    for (let nth = 0; nth < 10_000; nth++) {
      assert.isFalse(rate.refuses("a", 0))
      rate.admit("a", 0)
      rate.finish("a")
    }
    rate.look({ now: 0, load: 0, wait_ms: 0 })
    assert.isUndefined(rate.perSecond)
  })

  for (const capacity of [100, 200, 1_000])
    for (const times of [1.5, 3, 5])
      it(`does at least 80 % of ${capacity} a second at ${times} times the load, and is at rest soon after`, () => {
        const { done, longest_ms, rest_ms } = run(capacity, { one: capacity * times }, 60)
        assert.isAtLeast(done, 0.8 * capacity)
        assert.isAtMost(longest_ms, 250)
        assert.isAtMost(rest_ms, 5_000)
      })

  it("does at least 80 % of what an engine can whose processor is taken away now and then", () => {
    // The engine stands still for 80 ms of each second, and for 300 ms of every fifth second.
    const isPaused = (now: number) => now % 1_000 < (now % 5_000 < 1_000 ? 300 : 80)
    const { done } = run(500, { one: 2_500 }, 60, isPaused)
    assert.isAtLeast(done, 0.8 * 500 * 0.876)
  })

  it("refuses nobody below the capacity", () => {
    const { admitted, done } = run(1_000, { one: 700 }, 10)
    assert.approximately(done, 700, 10)
    assert.approximately(admitted.get("one") ?? 0, 3_500, 50)
  })

  it("meets small demands in full beside one that asks for five times the capacity", () => {
    const small = Object.fromEntries(Array.from({ length: 10 }, (_, nth) => [`small-${nth}`, 20]))
    const { admitted, done } = run(1_000, { flood: 5_000, ...small }, 40)
    assert.isAtLeast(done, 800)
    for (const who of Object.keys(small)) assert.isAtLeast(admitted.get(who) ?? 0, 0.9 * 20 * 20, who)
  })

  it("limits what is in work at once: of those that have their share of it first, and of all at twice as much", () => {
    const rate = new FairRate(10)
    const take = (who: string): boolean => {
      if (rate.refuses(who, 0)) return false
      rate.admit(who, 0)
      return true
    }
    for (let nth = 0; nth < 10; nth++) assert.isTrue(take("flood"))
    assert.deepStrictEqual([rate.isFull, take("flood"), take("other"), take("other")], [true, false, true, true])
    for (let nth = 0; nth < 8; nth++) take(`another-${nth}`)
    assert.deepStrictEqual([take("last"), take("flood")], [false, false])
    for (let nth = 0; nth < 10; nth++) rate.finish("flood")
    assert.isTrue(take("last"))
    rate.finish("other")
    rate.finish("other")
    assert.deepStrictEqual([rate.isFull, take("flood")], [false, true])
  })

  it("gives two floods the same", () => {
    const { admitted } = run(1_000, { one: 3_000, two: 9_000 }, 40)
    const [one = 0, two = 0] = [admitted.get("one"), admitted.get("two")]
    assert.approximately(one / two, 1, 0.2)
  })
})
