import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { layer as fakeEngine, layerOver } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"

const path = "/metrics"
const token = "a-token-of-the-scraper"
const scrape = (authorization?: string) => ask({ path, headers: authorization === undefined ? {} : { authorization } })

layer(fakeEngine)("metrics without a token", (it) => {
  it.effect("are open to everybody who reaches the port", () =>
    Effect.gen(function* () {
      assert.include((yield* scrape()).text, "trunkline_")
      assert.strictEqual((yield* scrape("Bearer anything")).status, 200)
    })
  )
})

layer(layerOver(Layer.empty, undefined, false, Redacted.make(token)))("metrics with a token", (it) => {
  it.effect("are shown to the scraper that sends it, and to nobody else", () =>
    Effect.gen(function* () {
      assert.include((yield* scrape(`Bearer ${token}`)).text, "trunkline_")
      assert.strictEqual((yield* scrape(`bearer ${token}`)).status, 200)
      for (const [given, expected] of [
        [undefined, "api_key.missing"],
        ["", "api_key.missing"],
        ["Bearer", "api_key.missing"],
        [`Basic ${token}`, "api_key.missing"],
        [token, "api_key.missing"],
        [`Bearer ${token} x`, "api_key.missing"],
        [`Bearer ${token}x`, "api_key.invalid"],
        [`Bearer ${token.slice(1)}`, "api_key.invalid"]
      ] as const) {
        const { code, status, text } = yield* scrape(given)
        assert.deepStrictEqual([status, code], [401, expected], given)
        assert.notInclude(text, "trunkline_")
      }
    })
  )
})
