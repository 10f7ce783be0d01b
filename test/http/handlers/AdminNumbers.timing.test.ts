import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SeriesRecord } from "../../../src/domain/numbers/Series.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"

const post = (path: string, body: unknown) =>
  Effect.flatMap(DemoFile, ({ operator_session }) =>
    ask({ path, method: "POST", body, headers: { cookie: `session=${operator_session}` } })
  )

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("operators", (it) => {
  it.effect("add ten thousand numbers to the inventory within two seconds", () =>
    Effect.gen(function* () {
      const series = yield* post("/v1/admin/number-series", {
        country: "KE",
        prefix: "+25420800",
        start_suffix: 0,
        end_suffix: 9_999,
        suffix_length: 4,
        capabilities: ["voice"],
        prices: [{ currency: "KES", monthly_price_minor: 100, inbound_per_min_minor: 1, outbound_per_min_minor: 2 }]
      })
      assert.strictEqual(series.status, 201, series.text)
      const began = performance.now()
      const generated = yield* post(`/v1/admin/number-series/${(series.body as SeriesRecord).id}/generate`, {})
      assert.isBelow(performance.now() - began, 2_000)
      assert.deepInclude(generated.body as object, { generated: 10_000 })
    })
  )
})
