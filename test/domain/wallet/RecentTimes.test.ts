import { assert, describe, it } from "@effect/vitest"
import { countOf, noTimes, nthLast, type RecentTimes, withTime } from "../../../src/domain/wallet/RecentTimes.ts"

const hour = 3_600_000
const max = 1_000

const added = (times: RecentTimes, at: ReadonlyArray<number>) =>
  at.reduce((sum, each) => withTime(sum, each, each - hour, max), times)
const listed = (times: RecentTimes) =>
  Array.from({ length: countOf(times) }, (_, n) => nthLast(times, countOf(times) - n))

describe("recent times", () => {
  it("has those of the last hour, to the millisecond", () => {
    assert.deepStrictEqual(listed(added(noTimes, [0, 1, 2, hour])), [1, 2, hour])
    assert.deepStrictEqual(listed(added(noTimes, [0, 1, 2, 3 * hour])), [3 * hour])
    assert.isUndefined(nthLast(added(noTimes, [0, 1]), 3))
  })

  it("has the latest thousand", () => {
    const times = added(
      noTimes,
      Array.from({ length: 2_500 }, (_, n) => n)
    )
    assert.strictEqual(countOf(times), max)
    assert.deepStrictEqual([nthLast(times, 1), nthLast(times, max)], [2_499, 1_500])
  })

  it("does not change a value from which two others were made", () => {
    const one = added(noTimes, [1, 2])
    const [left, right] = [added(one, [3, 4]), added(one, [5])]
    assert.deepStrictEqual([one, left, right, added(noTimes, [9])].map(listed), [[1, 2], [1, 2, 3, 4], [1, 2, 5], [9]])
    assert.strictEqual(countOf(noTimes) + noTimes.shared.length, 0)
  })

  it("stays in order if the clock is set back", () => {
    assert.deepStrictEqual(listed(added(noTimes, [10, 20, 15, 30])), [10, 15, 20, 30])
  })

  it("agrees with a plain list, whatever the pace", () => {
    let seed = 7
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    let times = noTimes
    let plain: Array<number> = []
    let at = 0
    for (let n = 0; n < 5_000; n++) {
      at += random(100) === 0 ? random(2 * hour) : random(8_000)
      times = withTime(times, at, at - hour, max)
      plain = [...plain.filter((each) => each > at - hour), at].slice(-max)
      if (n % 50 === 0) assert.deepStrictEqual(listed(times), plain)
    }
    assert.deepStrictEqual(listed(times), plain)
  })
})

describe("what one more costs", () => {
  /** Counts the instants that are read, those that a copy takes over included. */
  const makeCount = () => {
    const watched = new WeakSet<ReadonlyArray<number>>()
    let reads = 0
    const watch = (times: RecentTimes): RecentTimes => {
      if (watched.has(times.shared)) return times
      const shared = new Proxy(times.shared, {
        get: (target, key, receiver): unknown => {
          if (typeof key === "string" && /^\d+$/.test(key)) reads++
          return Reflect.get(target, key, receiver) as unknown
        }
      })
      watched.add(shared)
      return { ...times, shared }
    }
    return { watch, reads: () => reads }
  }

  it.each([10, 1_000])("is the same among %i, within an hour as beyond", (among) => {
    for (const step of [1, 3_600]) {
      const { reads, watch } = makeCount()
      const dials = Array.from({ length: among }, (_, n) => n * step)
      let times = watch(added(noTimes, dials))
      for (const before of dials) {
        const at = before + among * step
        times = watch(withTime(times, at, at - hour, max))
        nthLast(times, Math.min(among, countOf(times)))
      }
      assert.isAtMost(reads() / among, 5)
    }
  })
})
