// Defects that the scenarios of a campaign find: each is planted, and one of the first seeds must break a rule.
import { assert, describe, it } from "@effect/vitest"
import { plants } from "./Plants.ts"
import { scenarioOf } from "./Scenario.ts"
import { simulate } from "./Simulate.ts"

const seedsMax = 20
/** Shorter than in a campaign. */
const minutes = 10

describe("A campaign", () => {
  it.each(Object.entries(plants))(`finds within ${seedsMax} seeds that %s`, (defect, plant) => {
    const seeds = Array.from({ length: seedsMax }, (_, index) => index + 1)
    const broken = seeds.find(
      (seed) => simulate(scenarioOf(seed, { minutes, rents: /number/.test(defect) }), plant).breach !== undefined
    )
    assert.isDefined(broken)
  })
}, 300_000)
