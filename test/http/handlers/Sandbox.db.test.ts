import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { isSandbox } from "../../../src/domain/kit/Sandbox.ts"
import { checkInvariants } from "../../../src/layers/postgres/checks/Invariants.ts"
import { startingCredit_minor, testPrices } from "../../../src/domain/numbers/TestNetwork.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { eventually } from "../../support/EngineRequests.ts"
import { ask } from "../../support/HttpTester.ts"
import { startingBalance_minor } from "../../support/SandboxStart.ts"
import { digest, path, untilTrunk } from "../../support/OwnTrunk.ts"
import { as, founder } from "../../support/People.ts"

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 60_000 })

/** A new workspace with a key of each mode, and all scopes that the tests need. */
const customer = (email: string) =>
  Effect.gen(function* () {
    const { cookie } = yield* founder(email)
    const scopes = [
      "calls.read",
      "calls.write",
      "numbers.read",
      "numbers.write",
      "wallet.read",
      "wallet.write",
      "sip_trunk.read",
      "sip_trunk.write"
    ]
    const mint = (env: string) =>
      Effect.map(
        as(cookie, { path: "/v1/api-keys", body: { label: env, scopes, env } }),
        ({ body }) => (body as { readonly key: string }).key
      )
    return { cookie, live: yield* mint("live"), test: yield* mint("test") }
  })

suite("a test key", (it) => {
  it.effect("leads to the sandbox of its workspace, which has its own wallet and numbers", () =>
    Effect.gen(function* () {
      const { cookie, live, test } = yield* customer("sandbox@example.com")
      const own = (yield* ask({ path: "/v1/workspace", key: live })).body as { readonly id: string }
      const sandbox = (yield* ask({ path: "/v1/workspace", key: test })).body as Record<string, unknown>
      assert.isTrue(isSandbox(String(sandbox["id"])))
      assert.deepInclude(sandbox, { livemode: false, sandbox_of: own.id, currency: "KES" })
      assert.deepInclude(own as object, { livemode: true, sandbox_of: null })
      assert.deepInclude((yield* ask({ path: "/v1/wallet/balance", key: test })).body, {
        balance_minor: startingBalance_minor("KES")
      })
      // A member chooses the mode by a header.
      const seen = yield* as(cookie, { path: "/v1/workspace", headers: { "x-service-mode": "test" } })
      assert.deepStrictEqual(seen.body, sandbox as never)
      const wrong = yield* as(cookie, { path: "/v1/workspace", headers: { "x-service-mode": "sandbox" } })
      assert.strictEqual(wrong.code, "validation.bad_request")
      // Members are those of the workspace in either mode.
      const members = yield* as(cookie, { path: "/v1/members", headers: { "x-service-mode": "test" } })
      assert.lengthOf(members.body as unknown as ReadonlyArray<unknown>, 1)
      const { workspaces } = (yield* as(cookie, { path: "/v1/auth/session" })).body as {
        readonly workspaces: ReadonlyArray<{ readonly id: string }>
      }
      assert.deepStrictEqual(
        workspaces.map(({ id }) => id),
        [own.id]
      )
    })
  )

  it.effect("claims numbers of the test network alone, and a live key none of them", () =>
    Effect.gen(function* () {
      const { live, test } = yield* customer("inventory@example.com")
      const available = (key: string) =>
        Effect.map(
          ask({ path: "/v1/numbers/available", key }),
          ({ body }) => body as unknown as ReadonlyArray<{ readonly inventory_id: string; readonly number: string }>
        )
      const [offered, real] = [yield* available(test), yield* available(live)]
      assert.isNotEmpty(offered)
      assert.isNotEmpty(real)
      assert.isTrue(offered.every(({ number }) => /^\+999\d{8}$/.test(number)))
      assert.isFalse(real.some(({ number }) => number.startsWith("+999")))
      const claim = (key: string, id: string) => ask({ path: `/v1/numbers/${id}/claim`, key, method: "POST" })
      assert.strictEqual((yield* claim(test, real[0]!.inventory_id)).code, "numbers.not_found")
      assert.strictEqual((yield* claim(live, offered[0]!.inventory_id)).code, "numbers.not_found")
      assert.strictEqual((yield* claim(test, offered[0]!.inventory_id)).status, 201)
    })
  )

  it.effect("has money and a number at once, so that it can call", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("first-call@example.com")
      const numbers = (yield* ask({ path: "/v1/numbers", key: test })).body as unknown as ReadonlyArray<{
        readonly number: string
        readonly status: string
      }>
      assert.deepStrictEqual(
        numbers.map(({ status }) => status),
        ["active"]
      )
      const body = { to: "+99900000002", from: numbers[0]!.number, voice_callback_url: "http://127.0.0.1:9/voice" }
      const placed = yield* ask({ path: "/v1/calls/originate", key: test, body })
      assert.strictEqual(placed.status, 201, placed.text)
      const entries = (yield* ask({ path: "/v1/wallet/statements", key: test })).body as unknown as ReadonlyArray<{
        readonly kind: string
        readonly amount_minor: number
      }>
      assert.deepStrictEqual(
        entries.map(({ amount_minor, kind }) => [kind, amount_minor]),
        [
          ["number_rental", -testPrices.KES.monthly_price_minor],
          ["manual_credit", startingCredit_minor("KES")]
        ]
      )
    })
  )

  it.effect("can still use a trunk of its own beside the number that it began with", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("own-trunk@example.com")
      const numbers = (yield* ask({ path: "/v1/numbers", key: test })).body as unknown as ReadonlyArray<object>
      assert.lengthOf(numbers, 1)
      const made = yield* ask({ path, key: test, body: digest })
      assert.strictEqual(made.status, 201, made.text)
      yield* untilTrunk(test, ({ status }) => status === "active")
      const [offered] = (yield* ask({ path: "/v1/numbers/available", key: test })).body as unknown as ReadonlyArray<{
        readonly inventory_id: string
      }>
      const second = yield* ask({ path: `/v1/numbers/${offered!.inventory_id}/claim`, key: test, method: "POST" })
      assert.strictEqual(second.code, "workspace.locked_to_byoc")
      assert.deepStrictEqual(
        (yield* checkInvariants).filter(({ count }) => count > 0),
        []
      )
    })
  )

  it.effect("has the name of its workspace, and operators see its sandbox only if they ask for sandboxes", () =>
    Effect.gen(function* () {
      const { live, test, cookie } = yield* customer("named@example.com")
      const own = (yield* ask({ path: "/v1/workspace", key: live })).body as { readonly id: string }
      const shown = Effect.map(ask({ path: "/v1/workspace", key: test }), ({ body }) => body as Record<string, string>)
      const { id } = yield* shown
      assert.strictEqual(
        (yield* as(cookie, { path: "/v1/workspace", method: "PATCH", body: { name: "New" } })).status,
        200
      )
      yield* eventually(
        "renamed",
        Effect.map(shown, ({ name }) => name === "New")
      )
      const { operator_session } = yield* DemoFile
      const listed = (query: string) =>
        Effect.map(as(`session=${operator_session}`, { path: `/v1/admin/workspaces?limit=200${query}` }), ({ body }) =>
          (body as ReadonlyArray<{ readonly id: string }>).map((row) => row.id)
        )
      for (const query of ["", "&sandbox=false"]) {
        const ids = yield* listed(query)
        assert.include(ids, own.id)
        assert.isFalse(ids.some(isSandbox))
      }
      const sandboxes = yield* listed("&sandbox=true&status=active")
      assert.include(sandboxes, id)
      assert.isTrue(sandboxes.every(isSandbox))
      const wrong = yield* as(`session=${operator_session}`, { path: "/v1/admin/workspaces?sandbox=1" })
      assert.strictEqual(wrong.code, "validation.bad_request")
    })
  )

  it.effect("can change nothing while its workspace is suspended", () =>
    Effect.gen(function* () {
      const { test } = yield* customer("shut@example.com")
      const sandbox = (yield* ask({ path: "/v1/workspace", key: test })).body as Record<string, string>
      const { operator_session } = yield* DemoFile
      const operate = (id: string, what: string) =>
        as(`session=${operator_session}`, { path: `/v1/admin/workspaces/${id}/${what}`, method: "POST" })
      // Nobody suspends a sandbox by itself.
      assert.strictEqual((yield* operate(sandbox["id"]!, "suspend")).code, "account.suspended")
      const status = Effect.map(ask({ path: "/v1/workspace", key: test }), ({ body }) => (body as never)["status"])
      assert.strictEqual((yield* operate(sandbox["sandbox_of"]!, "suspend")).status, 200)
      yield* eventually(
        "suspended",
        Effect.map(status, (now) => now === "suspended")
      )
      const topup = { provider: "card", amount_minor: 10_000, currency: "KES" }
      assert.strictEqual((yield* ask({ path: "/v1/topups", key: test, body: topup })).code, "account.suspended")
      assert.strictEqual((yield* operate(sandbox["sandbox_of"]!, "reinstate")).status, 200)
      yield* eventually(
        "active",
        Effect.map(status, (now) => now === "active")
      )
    })
  )
})
