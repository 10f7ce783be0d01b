import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DemoFile, layerWith } from "../support/Engine.ts"
import { ask } from "../support/HttpTester.ts"
import { as, founder } from "../support/People.ts"
import { answering, receiver } from "../support/Receiver.ts"
import { until } from "../support/Until.ts"

layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 30_000 })("somebody new", (it) => {
  it.effect("signs up, creates a workspace, gets money, claims a number, creates a key and places a call", () =>
    Effect.gen(function* () {
      const { operator_session } = yield* DemoFile
      const { cookie, workspace_id } = yield* founder("new@example.com")
      const money = { kind: "manual_credit", amount_minor: 500_000, currency: "KES", note: "Welcome", reference: "1" }
      const path = `/v1/admin/wallets/${workspace_id}/adjustments`
      assert.strictEqual((yield* as(`session=${operator_session}`, { path, body: money })).status, 201)

      const shown = (yield* as(cookie, { path: "/v1/numbers/available?country=KE" })).body as ReadonlyArray<{
        inventory_id: string
      }>
      const claimed = yield* as(cookie, { path: `/v1/numbers/${shown[0]!.inventory_id}/claim`, method: "POST" })
      assert.strictEqual(claimed.status, 201)
      const { number: from } = claimed.body as { number: string }
      assert.deepInclude((yield* as(cookie, { path: "/v1/workspace" })).body, { number_mode: "platform" })

      const made = yield* as(cookie, {
        path: "/v1/api-keys",
        body: { label: "First", scopes: ["calls.write", "calls.read"] }
      })
      assert.strictEqual(made.status, 201)
      const { key } = made.body as { key: string }
      const { port } = yield* receiver(answering(200, JSON.stringify({ actions: [{ hangup: {} }] })))
      const placed = yield* ask({
        path: "/v1/calls/originate",
        key,
        body: { to: "+254711000001", from, voice_callback_url: `http://127.0.0.1:${port}/voice` }
      })
      assert.strictEqual(placed.status, 201)
      const { id } = placed.body as { id: string }
      const read = Effect.map(ask({ path: `/v1/calls/${id}`, key }), ({ body }) => (body as { status: string }).status)
      yield* until("completed call", read, (status) => status === "completed")
      assert.isBelow(
        ((yield* as(cookie, { path: "/v1/wallet/balance" })).body as { balance_minor: number }).balance_minor,
        500_000
      )
      const audit = (yield* as(cookie, { path: "/v1/audit" })).body as ReadonlyArray<{ action_kind: string }>
      for (const kind of ["session.signed_in", "number.claimed", "api_key.created", "wallet.adjusted"]) {
        assert.include(
          audit.map(({ action_kind }) => action_kind),
          kind
        )
      }
    })
  )
})
