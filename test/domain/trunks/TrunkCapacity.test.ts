import { assert, describe, it } from "@effect/vitest"
import {
  carrying,
  isOfTrunk,
  nothingCarried,
  relieved,
  type TrunkLimits,
  type TrunkCapacity,
  unableToCarry
} from "../../../src/domain/trunks/TrunkCapacity.ts"
import { CallConcurrencyLimitReached, CallRateLimited } from "../../../src/domain/errors/CallErrors.ts"

const now = Date.UTC(2026, 10, 22, 12)
const none: TrunkLimits = { max_channels: null, max_cps: null }

type Step = readonly [after_ms: number, what: "out" | "in" | "ends", legs?: number]

/** What comes of these, one after the other: `ok`, or the limit that is in the way. */
const told = (limits: Partial<TrunkLimits>, steps: ReadonlyArray<Step>): ReadonlyArray<string> => {
  let load: TrunkCapacity = nothingCarried
  return steps.map(([after_ms, what, legs = 1]) => {
    const at = now + after_ms
    if (what === "ends") {
      load = relieved(load, legs)
      return "ok"
    }
    const outward = what === "out"
    const failure = unableToCarry(load, { legs, outward, limits: { ...none, ...limits } }, at)
    if (failure !== undefined) return `${failure.reason}`
    load = carrying(load, legs, outward ? legs : 0, at)
    return "ok"
  })
}

describe("what a trunk carries", () => {
  it.each<[string, Partial<TrunkLimits>, ReadonlyArray<Step>, ReadonlyArray<string>]>([
    [
      "everything without a limit",
      {},
      [
        [0, "out", 10],
        [0, "in"],
        [0, "out", 10]
      ],
      ["ok", "ok", "ok"]
    ],
    [
      "so many at once, whoever calls",
      { max_channels: 2 },
      [
        [0, "in"],
        [0, "out"],
        [0, "out"],
        [0, "in"]
      ],
      ["ok", "ok", "max_channels", "max_channels"]
    ],
    [
      "as many again as have ended",
      { max_channels: 2 },
      [
        [0, "out"],
        [0, "out"],
        [5, "ends"],
        [6, "in"],
        [7, "out"]
      ],
      ["ok", "ok", "ok", "ok", "max_channels"]
    ],
    [
      "several together or none of them",
      { max_channels: 3 },
      [
        [0, "out", 2],
        [0, "out", 2],
        [0, "out"]
      ],
      ["ok", "max_channels", "ok"]
    ],
    [
      "so many that begin within any second",
      { max_cps: 2 },
      [
        [0, "out"],
        [600, "out"],
        [999, "out"],
        [1_000, "out"],
        [1_599, "out"],
        [1_600, "out"]
      ],
      ["ok", "ok", "max_cps", "ok", "max_cps", "ok"]
    ],
    [
      "those that began and are over as well",
      { max_cps: 1 },
      [
        [0, "out"],
        [1, "ends"],
        [999, "out"],
        [1_000, "out"]
      ],
      ["ok", "ok", "max_cps", "ok"]
    ],
    [
      "of a dial each of its legs",
      { max_cps: 3 },
      [
        [0, "out", 2],
        [0, "out", 2],
        [0, "out"]
      ],
      ["ok", "max_cps", "ok"]
    ],
    [
      "whatever comes in, however fast",
      { max_cps: 1 },
      [
        [0, "in"],
        [0, "in"],
        [0, "out"],
        [0, "in"]
      ],
      ["ok", "ok", "ok", "ok"]
    ],
    [
      "what was refused is not counted",
      { max_cps: 1 },
      [
        [0, "out"],
        [500, "out"],
        [900, "out"],
        [1_000, "out"]
      ],
      ["ok", "max_cps", "max_cps", "ok"]
    ],
    [
      "the time before its clock was set back",
      { max_cps: 1 },
      [
        [0, "out"],
        [-3_600_000, "out"],
        [-3_599_999, "out"]
      ],
      ["ok", "ok", "max_cps"]
    ],
    [
      "first what is under way",
      { max_channels: 1, max_cps: 1 },
      [
        [0, "out"],
        [0, "out"]
      ],
      ["ok", "max_channels"]
    ]
  ])("%s", (_, limits, steps, expected) => {
    assert.deepStrictEqual(told(limits, steps), expected)
  })

  it("is distinguished from the limits of the calling policy", () => {
    const load = carrying(nothingCarried, 1, 1, now)
    const newLegs = { legs: 1, outward: true }
    const full = unableToCarry(load, { ...newLegs, limits: { ...none, max_channels: 1 } }, now)!
    const hasty = unableToCarry(load, { ...newLegs, limits: { ...none, max_cps: 1 } }, now)!
    assert.deepInclude(full, { _tag: "calls.concurrency_limit_reached", reason: "max_channels" })
    assert.deepInclude(hasty, { _tag: "calls.rate_limited", reason: "max_cps", retry_after_seconds: 1 })
    const policy = [new CallConcurrencyLimitReached(), new CallRateLimited({ reason: "calls_per_second" })]
    assert.deepStrictEqual([full, hasty, ...policy].map(isOfTrunk), [true, true, false, false])
  })

  it("remembers only the set-ups of the last second", () => {
    let load = nothingCarried
    for (let n = 0; n < 5_000; n++) load = carrying(load, 1, 1, now + n)
    assert.deepStrictEqual([load.legs, load.begun.length], [5_000, 1_000])
  })
})
