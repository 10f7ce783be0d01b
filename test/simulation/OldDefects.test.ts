// Defects that simulations found. Each is mended; with the old defect planted again, its scenario still finds it.
import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import type * as Deadlines from "../../src/domain/calls/state/Deadlines.ts"
import type { SimulateOptions } from "./Simulate.ts"
import { type KeptScenario, scenarioFrom } from "./Scenario.ts"
import seeds from "./seeds.json" with { type: "json" }

const old = vi.hoisted(() => ({ awaitsNoHangup: false, placesLate: false }))

vi.mock("../../src/domain/calls/state/Deadlines.ts", async (original) => {
  const deadlines = await original<typeof Deadlines>()
  return {
    ...deadlines,
    hangupAwaitedUntil: (...args: Parameters<typeof deadlines.hangupAwaitedUntil>) =>
      old.awaitsNoHangup ? undefined : deadlines.hangupAwaitedUntil(...args),
    isPlacedLate: (...args: Parameters<typeof deadlines.isPlacedLate>) =>
      !old.placesLate && deadlines.isPlacedLate(...args)
  }
})

// Test files may share modules, and those that were loaded before are not the planted ones.
vi.resetModules()
const { plants, unprotected } = await import("./Plants.ts")
const { simulate } = await import("./Simulate.ts")

interface OldDefect extends SimulateOptions {
  readonly old?: Partial<typeof old>
}

const oldDefects: Readonly<Record<string, OldDefect>> = {
  "a repeated originate releases the hold of its own call":
    plants["a repeated originate releases the hold of its own call"] ?? {},
  "a call is placed after its hold was released": {
    old: { placesLate: true },
    plant: unprotected("holds in use", "unused holds")
  },
  "a call is charged before its hang-up is heard": { old: { awaitsNoHangup: true } },
  "the engine's own clock decides how long somebody talked":
    plants["the engine's own clock decides how long somebody talked"] ?? {},
  "a claim of a number is given up although its month may be paid":
    plants["a claim of a number is given up although its month may be paid"] ?? {},
  "a hold is placed again over a captured one": { plant: unprotected("captured holds") }
}

interface Known extends KeptScenario {
  readonly defect: string
  readonly rule: string
}

const seedsTried = 20

const replay = ({ defect: _, rule: __, ...kept }: Known, { old: planted, ...options }: OldDefect = {}) => {
  const mended = { ...old }
  Object.assign(old, planted)
  try {
    return simulate(scenarioFrom(kept), options).breach
  } finally {
    Object.assign(old, mended)
  }
}

describe("A defect that a simulation found", () => {
  const known: ReadonlyArray<Known> = seeds

  it.each(known.map((each) => [each.defect, each] as const))("is mended: %s", (_defect, each) => {
    assert.isUndefined(replay(each))
  })

  // A change of the engine moves what happens when, so the seeds after the kept one are tried too.
  it.each(known.map((each) => [each.defect, each] as const))("is found if it comes back: %s", (defect, each) => {
    const found = Array.from({ length: seedsTried }, (_, index) => each.seed + index).some((seed) =>
      replay({ ...each, seed }, oldDefects[defect]!)?.includes(each.rule)
    )
    assert.isTrue(found)
  })
}, 300_000)
