import { assert, describe, it } from "@effect/vitest"
import { type ClockReading, isOutdated, setBetween } from "../../src/domain/ClockReading.ts"

const hour_ms = 3_600_000
const before: ClockReading = { boot_id: "b", wall: 1_800_000_000_000, monotonic: 50_000, uptime: 60_000 }

/** A reading `passed_ms` later. */
const later = (passed_ms: number, change: Partial<ClockReading> = {}): ClockReading => ({
  ...before,
  wall: before.wall + passed_ms,
  monotonic: before.monotonic + passed_ms,
  uptime: before.uptime + passed_ms,
  ...change
})

describe("by how much the wall clock was set while no engine ran", () => {
  const cases: ReadonlyArray<readonly [string, ClockReading, number]> = [
    ["nothing happened", later(60_000), 0],
    ["a day passed", later(24 * hour_ms), 0],
    ["it was set forward", later(3_000, { wall: before.wall + 3_000 + hour_ms }), hour_ms],
    ["it was set back", later(3_000, { wall: before.wall + 3_000 - hour_ms }), -hour_ms],
    ["a time service corrected it a little", later(3_000, { wall: before.wall + 3_900 }), 0],
    ["the machine stood still", later(3_000 + hour_ms, { monotonic: before.monotonic + 3_000 }), 0],
    [
      "the machine stood still, and then the clock was set back",
      later(3_000, { uptime: before.uptime + 3_000 + hour_ms }),
      -hour_ms
    ],
    ["the machine was started meanwhile", later(hour_ms, { boot_id: "c", monotonic: 1_000, uptime: 1_000 }), 0],
    ["the clock that cannot be set went back", later(hour_ms, { monotonic: 1_000, uptime: 11_000 }), 0],
    ["a container has an uptime of its own", later(3_000, { uptime: 1_000 }), 0]
  ]
  for (const [name, after, expected] of cases) it(name, () => assert.strictEqual(setBetween(before, after), expected))

  it("is unknown where the uptime is that of a container, in both readings", () => {
    const container = { ...before, uptime: 1_000 }
    const after = { ...container, wall: before.wall + 3_000 + hour_ms, monotonic: 53_000, uptime: 4_000 }
    assert.strictEqual(setBetween(container, after), 0)
  })
})

it("a reading is outdated once the engine's time was set", () => {
  assert.isFalse(isOutdated(before, later(24 * hour_ms)))
  assert.isFalse(isOutdated(before, later(hour_ms, { monotonic: before.monotonic })))
  assert.isTrue(isOutdated(before, later(3_000, { wall: before.wall + 4_000 })))
  assert.isTrue(isOutdated(before, later(3_000, { wall: before.wall - hour_ms })))
})
