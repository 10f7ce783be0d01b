import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

const series = {
  country: "KE",
  prefix: "+2542090000",
  start_suffix: 96,
  end_suffix: 99,
  suffix_length: 2,
  capabilities: ["voice"],
  prices: [{ currency: "KES", monthly_price_minor: 100, inbound_per_min_minor: 1, outbound_per_min_minor: 2 }]
}

/** Claims the numbers. Their last two digits choose how the simulated provider behaves. */
const claimed = Effect.gen(function* () {
  const { api_key: key, operator_session } = yield* DemoFile
  const headers = { cookie: `session=${operator_session}` }
  const created = yield* ask({ path: "/v1/admin/number-series", headers, body: series })
  yield* ask({ path: `/v1/admin/number-series/${(created.body as { id: string }).id}/generate`, headers, body: {} })
  const items = (yield* ask({ path: "/v1/numbers/available?contains=20900", key })).body as ReadonlyArray<{
    inventory_id: string
    number: string
  }>
  assert.strictEqual(items.length, 4)
  yield* Effect.forEach(items, ({ inventory_id }) =>
    ask({ path: `/v1/numbers/${inventory_id}/claim`, method: "POST", key })
  )
  return new Map(items.map(({ inventory_id, number }) => [number.slice(-2), inventory_id]))
})

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("chat-app calling over HTTP", (it) => {
  it.effect("stores and returns settings, and refuses with the error code of each reason", () =>
    Effect.gen(function* () {
      const { api_key: key } = yield* DemoFile
      const numbers = yield* claimed
      const at = (digits: string, rest: string) => `/v1/numbers/${numbers.get(digits)}/chatapp/${rest}`
      const put = (digits: string, body: unknown) =>
        ask({ method: "PUT", path: at(digits, "call-settings"), key, body })
      const post = (digits: string, rest: string) => ask({ method: "POST", path: at(digits, rest), key })
      const said = (answer: { readonly status: number; readonly code: string | undefined }) =>
        `${answer.status} ${answer.code}`
      const settings = { ...initialSettings, status: "ENABLED" }

      assert.deepInclude((yield* ask({ path: at("96", "call-settings"), key })).body, {
        stored: initialSettings,
        live: initialSettings,
        restrictions: []
      })
      assert.deepStrictEqual((yield* put("96", settings)).body, settings)
      assert.deepInclude((yield* ask({ path: at("96", "call-settings"), key })).body, {
        stored: settings,
        live: settings
      })
      const away = yield* ask({ path: at("99", "call-settings"), key })
      assert.deepInclude(away.body, { stored: initialSettings, live_error: "The chat-app provider cannot be reached." })
      assert.strictEqual(away.status, 200)

      assert.strictEqual(said(yield* put("96", { ...settings, status: "on" })), "422 chatapp.settings_invalid")
      assert.strictEqual(said(yield* put("96", { status: "ENABLED" })), "400 validation.bad_request")
      assert.strictEqual(said(yield* put("97", settings)), "409 chatapp.not_eligible")
      assert.strictEqual(said(yield* put("98", settings)), "502 chatapp.provider_rejected")
      assert.strictEqual(said(yield* put("99", settings)), "503 chatapp.provider_unavailable")

      assert.strictEqual(said(yield* ask({ path: at("96", "trunk"), key })), "404 chatapp.not_provisioned")
      assert.strictEqual(said(yield* post("96", "trunk/retry")), "404 chatapp.not_provisioned")
      assert.strictEqual((yield* post("96", "trunk")).status, 202)
      const settled = (digits: string) =>
        until(
          "trunk that is not pending",
          ask({ path: at(digits, "trunk"), key }),
          ({ body }) => (body as { status: string }).status !== "pending"
        )
      assert.deepInclude((yield* settled("96")).body, { status: "active", attempts: 1 })
      assert.strictEqual(said(yield* post("96", "trunk/retry")), "409 chatapp.trunk_not_retryable")
      yield* post("97", "trunk")
      assert.deepInclude((yield* settled("97")).body, { status: "failed", provider_code: 138_015 })
      assert.strictEqual((yield* post("97", "trunk/retry")).status, 202)

      // The next workspace of the number sees nothing of the previous one.
      const { operator_session, other_workspace } = yield* DemoFile
      const moved = yield* ask({
        path: `/v1/admin/numbers/${numbers.get("96")}/reassign`,
        headers: { cookie: `session=${operator_session}` },
        body: { workspace_id: other_workspace.workspace_id }
      })
      assert.strictEqual(moved.status, 200)
      const next = { key: other_workspace.api_key }
      assert.strictEqual(said(yield* ask({ path: at("96", "trunk"), ...next })), "404 chatapp.not_provisioned")
      const seen = Effect.map(ask({ path: at("96", "call-settings"), ...next }), ({ body }) => body)
      assert.deepInclude(yield* seen, { stored: initialSettings })
      yield* until(
        "initial settings",
        seen,
        (body) => (body as { live: { status: string } }).live.status === initialSettings.status
      )
      assert.strictEqual(said(yield* ask({ path: at("96", "call-settings"), key })), "404 numbers.not_found")
    })
  )
})
