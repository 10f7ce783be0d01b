import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { complete, mistakes, render, required } from "../../scripts/docs/production.ts"
import { productionRefusals } from "../../src/app/Settings.ts"

describe("a production start", () => {
  it.effect("accepts the configuration that each mistake is made in", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* productionRefusals(complete), [])
    })
  )

  for (const name of required)
    it.effect(`says one thing without ${name}: that it is missing, and what requires it`, () =>
      Effect.gen(function* () {
        const { [name]: _, ...env } = complete
        const refusals = yield* productionRefusals(env)
        assert.lengthOf(refusals, 1)
        assert.match(refusals[0]!, new RegExp(`^${name} is missing: .+ requires it`))
      })
    )

  it.effect("refuses every other mistake with one message that names its variable", () =>
    Effect.gen(function* () {
      const others = mistakes.slice(required.length)
      assert.isAbove(others.length, 7)
      for (const [mistake, env] of others) {
        const refusals = yield* productionRefusals(env)
        assert.lengthOf(refusals, 1, mistake)
        assert.include(refusals[0], mistake.slice(1).split("=", 1)[0])
      }
    })
  )

  it("is described on the page for operators", () => {
    assert.include(
      readFileSync("docs/operations.md", "utf8"),
      `\n\n${render()}\n`,
      "run `node scripts/docs/production.ts`"
    )
  })
})
