// Defects that the scenarios of a campaign find: each is planted, and one of the first seeds must break a rule.
import { assert, describe, it } from "@effect/vitest"
import { isFull } from "../support/Depth.ts"
import { plants } from "./Plants.ts"
import { clockFaults, scenarioOf } from "./Scenario.ts"
import { simulate } from "./Simulate.ts"

const seedsMax = 20
/** Shorter than in a campaign. */
const minutes = 10

/** The first seed breaks a rule, within two seconds. A quick run plants these alone. */
const foundAtOnce: ReadonlyArray<keyof typeof plants> = [
  "a repeated originate releases the hold of its own call",
  "a call is charged again when its charge is repeated",
  "a call under way follows a clock that is set",
  "an answer is given before its commit",
  "a process writes over any version"
]
const planted = Object.entries(plants).filter(([defect]) => isFull || foundAtOnce.includes(defect))

/** What must happen in a run for the defect to show. */
const needs = (defect: string) => ({
  rents: /number/.test(defect),
  ...(/clock that is set/.test(defect) && { faults: clockFaults })
})

describe("A campaign", () => {
  it.each(planted)(`finds within ${seedsMax} seeds that %s`, (defect, plant) => {
    const seeds = Array.from({ length: seedsMax }, (_, index) => index + 1)
    const broken = seeds.find(
      (seed) => simulate(scenarioOf(seed, { minutes, ...needs(defect) }), plant).breach !== undefined
    )
    assert.isDefined(broken)
  })
}, 300_000)
