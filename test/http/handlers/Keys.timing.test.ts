// How soon the engine acts on a revoked key (docs/api-keys.md).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("the engine", (it) => {
  it.effect("refuses a revoked key within a second", () =>
    Effect.gen(function* () {
      const { owner_session } = yield* DemoFile
      const headers = { cookie: `session=${owner_session}` }
      const minted = yield* ask({ path: "/v1/api-keys", headers, body: { label: "Brief", scopes: ["wallet.read"] } })
      const { id, key } = minted.body as { readonly id: string; readonly key: string }
      const read = ask({ path: "/v1/wallet/balance", key })
      assert.strictEqual((yield* read).status, 200)
      yield* ask({ path: `/v1/api-keys/${id}/revoke`, method: "POST", headers })
      const began = performance.now()
      yield* until("refusal of the key", read, ({ code }) => code === "api_key.revoked", { every_ms: 5 })
      assert.isBelow(performance.now() - began, 1_000)
    })
  )
})
