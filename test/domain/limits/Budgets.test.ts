import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { render } from "../../../scripts/docs/limits.ts"
import { type Budget, budgets } from "../../../src/domain/limits/Budgets.ts"

const all: ReadonlyArray<Budget> = Object.values(budgets)

describe("the budgets", () => {
  it("are printed on the page of limits", () => {
    assert.strictEqual(readFileSync("docs/limits.md", "utf8"), render(), "run `node scripts/docs/limits.ts`")
  })

  const whole = new Map<string, Budget>(Object.entries(budgets))
  const parts = [...whole].filter(([name]) => whole.has(`workspace_${name}`))

  it.each(parts)("give a whole workspace more than one of its parts: %s", (name, { limit }) => {
    const least = (of: Budget["limit"]) => (typeof of === "number" ? of : Math.min(of.per_second, of.burst))
    assert.isAbove(least(whole.get(`workspace_${name}`)!.limit), 2 * least(limit))
  })

  it("say of each what happens beyond it", () => {
    for (const { beyond, name } of all) assert.isAbove(beyond.length, 20, name)
  })
})
