import { defaultDailySpend_minor } from "../../../src/domain/calls/policy/SpendCeiling.ts"
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"
import { as, cookieOf, ended, founder, joined, kindsOf, onboard, signedIn, soon, whoAmI } from "../../support/People.ts"

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 30_000 })

suite("a workspace", (it) => {
  it.effect("is created with a name and a currency, has a wallet at once, and its creator is the owner", () =>
    Effect.gen(function* () {
      const cookie = yield* signedIn("founder@example.com")
      const made = yield* onboard(cookie, " Acme ", "UGX")
      assert.strictEqual(made.status, 201)
      const { id, created_at: _, ...rest } = made.body as { id: string; created_at: string }
      assert.deepStrictEqual(rest as unknown, {
        name: "Acme",
        status: "active",
        currency: "UGX",
        number_mode: "unset",
        retention_days: 90,
        livemode: true,
        sandbox_of: null
      })
      const mine = cookieOf(made)
      assert.notStrictEqual(mine, cookie)
      yield* ended(cookie)
      assert.deepInclude((yield* whoAmI(mine)).body, {
        workspace_id: id,
        workspaces: [{ id, name: "Acme", status: "active", role: "owner", read_only: false }]
      })
      assert.deepInclude((yield* as(mine, { path: "/v1/wallet/balance" })).body, { currency: "UGX", balance_minor: 0 })
      assert.deepStrictEqual((yield* as(mine, { path: "/v1/workspace" })).body, made.body)
      assert.deepInclude((yield* as(mine, { path: "/v1/workspace/calling-policy" })).body, {
        allow_high_risk: false,
        daily_spend_limit_minor: defaultDailySpend_minor.get("UGX"),
        max_calls_to_new_country: 5,
        max_calls_per_hour_on_first_day: 100,
        max_concurrent_high_risk_calls: 2
      })
      const second = yield* onboard(mine, "Second")
      const back = yield* as(cookieOf(second), {
        path: "/v1/auth/session",
        method: "PATCH",
        body: { workspace_id: id }
      })
      assert.deepInclude(back.body, { workspace_id: id })
      assert.lengthOf((back.body as { workspaces: ReadonlyArray<unknown> }).workspaces, 2)
    })
  )

  it.effect("is created once for an Idempotency-Key of its creator, and a repetition sets the session again", () =>
    Effect.gen(function* () {
      const make = (cookie: string, name: string, key = "make-1") =>
        as(cookie, { path: "/v1/workspace", body: { name, currency: "KES" }, headers: { "idempotency-key": key } })
      const first = yield* make(yield* signedIn("twice@example.com"), "Acme")
      assert.strictEqual(first.status, 201)
      assert.isNull(first.headers.get("idempotent-replayed"))
      const { id } = first.body as { readonly id: string }
      // The answer was lost with its cookie: they sign in anew, and are in the workspace by asking again.
      const again = yield* make(yield* signedIn("twice@example.com"), "Acme")
      assert.deepStrictEqual(
        [again.status, again.text, again.headers.get("idempotent-replayed")],
        [201, first.text, "true"]
      )
      assert.deepInclude((yield* whoAmI(cookieOf(again))).body, { workspace_id: id })
      assert.lengthOf(((yield* whoAmI(cookieOf(again))).body as { workspaces: ReadonlyArray<unknown> }).workspaces, 1)
      assert.strictEqual((yield* make(cookieOf(again), "Other")).code, "idempotency.conflict")
      assert.strictEqual((yield* make(cookieOf(again), "Acme", "clé")).code, "idempotency.key_invalid")
      const other = yield* make(yield* signedIn("thrice@example.com"), "Acme")
      assert.strictEqual(other.status, 201)
      assert.notStrictEqual((other.body as { readonly id: string }).id, id)
      // A refusal keeps nothing: mended, the request works with the same key.
      const mender = yield* signedIn("mender@example.com")
      const wrong = yield* as(mender, {
        path: "/v1/workspace",
        body: { name: "x", currency: "EUR" },
        headers: { "idempotency-key": "k" }
      })
      assert.strictEqual(wrong.code, "currency.unsupported")
      assert.strictEqual((yield* make(mender, "x", "k")).status, 201)
    })
  )

  it.effect("is created once by concurrent requests", () =>
    Effect.gen(function* () {
      const cookie = yield* signedIn("crossing@example.com")
      const make = as(cookie, {
        path: "/v1/workspace",
        body: { name: "One", currency: "KES" },
        headers: { "idempotency-key": "k" }
      })
      const answers = yield* Effect.all([make, make, make], { concurrency: 3 })
      for (const { code, status } of answers)
        assert.include(
          ["201 undefined", "409 idempotency.in_progress", "401 auth.session_invalid"],
          `${status} ${code}`
        )
      const sql = yield* PgClient.PgClient
      const [row] = yield* sql<{
        readonly made: number
      }>`SELECT count(*)::int AS made FROM workspaces WHERE name = 'One'`
      assert.strictEqual(row?.made, 1)
    })
  )

  it.effect("has a supported currency and a non-empty name, and only admins can rename it", () =>
    Effect.gen(function* () {
      const { cookie } = yield* founder("namer@example.com")
      assert.strictEqual((yield* onboard(cookie, "x", "EUR")).code, "currency.unsupported")
      for (const name of ["", "  ", "a\tb", "x".repeat(101)])
        assert.strictEqual((yield* onboard(cookie, name)).code, "validation.bad_request")
      const patch = (cookie: string, body: object) => as(cookie, { path: "/v1/workspace", method: "PATCH", body })
      assert.deepInclude((yield* patch(cookie, { name: "New", retention_days: 30 })).body, {
        name: "New",
        retention_days: 30
      })
      assert.deepInclude((yield* patch(cookie, {})).body, { name: "New", retention_days: 30 })
      assert.strictEqual((yield* patch(cookie, { retention_days: 0 })).code, "validation.bad_request")
      const { api_key } = yield* DemoFile
      assert.strictEqual((yield* ask({ path: "/v1/workspace", key: api_key })).status, 200)
      assert.strictEqual(
        (yield* ask({ path: "/v1/workspace", method: "PATCH", body: {}, key: api_key })).code,
        "api_key.scope_denied"
      )
    })
  )

  it.effect("is suspended and reinstated by operators, and closed by owners", () =>
    Effect.gen(function* () {
      const { operator_session, owner_session } = yield* DemoFile
      const mine = yield* founder("trouble@example.com")
      const { cookie: admin } = yield* joined(mine, "helper@example.com", "admin")
      const operator = `session=${operator_session}`
      const path = `/v1/admin/workspaces/${mine.workspace_id}`
      assert.strictEqual((yield* ask({ path: `${path}/suspend`, method: "POST" })).code, "auth.session_invalid")
      assert.strictEqual(
        (yield* as(`session=${owner_session}`, { path: `${path}/suspend`, method: "POST" })).code,
        "auth.admin_required"
      )
      assert.deepInclude((yield* as(operator, { path: `${path}/suspend`, body: { reason: "fraud" } })).body, {
        status: "suspended"
      })
      assert.strictEqual((yield* as(operator, { path: `${path}/suspend`, method: "POST" })).status, 200)
      const rename = (cookie: string) => as(cookie, { path: "/v1/workspace", method: "PATCH", body: { name: "X" } })
      yield* soon(rename(mine.cookie), "account.suspended")
      assert.strictEqual(
        (yield* as(mine.cookie, { path: "/v1/calls/originate", body: originateBody })).code,
        "account.suspended"
      )
      assert.strictEqual((yield* as(mine.cookie, { path: "/v1/members" })).status, 200)
      const suspended = yield* as(operator, { path: "/v1/admin/workspaces?status=suspended&limit=1" })
      assert.deepStrictEqual(
        (suspended.body as ReadonlyArray<{ id: string }>).map(({ id }) => id),
        [mine.workspace_id]
      )
      assert.deepInclude((yield* as(operator, { path: `${path}/reinstate`, method: "POST" })).body, {
        status: "active"
      })
      yield* soon(rename(mine.cookie), undefined)
      assert.strictEqual(
        (yield* as(operator, {
          path: "/v1/admin/workspaces/0199a000-0000-7000-8000-00000000dead/suspend",
          method: "POST"
        })).code,
        "not_found"
      )
      assert.strictEqual(
        (yield* as(admin, { path: "/v1/workspace/close", method: "POST" })).code,
        "accounts.role_change_denied"
      )
      assert.deepInclude((yield* as(mine.cookie, { path: "/v1/workspace/close", method: "POST" })).body, {
        status: "closed"
      })
      yield* soon(rename(mine.cookie), "account.suspended")
      assert.strictEqual((yield* as(operator, { path: `${path}/suspend`, method: "POST" })).code, "account.suspended")
      assert.deepStrictEqual(yield* kindsOf(mine.workspace_id), [
        "invitation.created",
        "invitation.accepted",
        "workspace.suspended",
        "workspace.reinstated",
        "workspace.closed"
      ])
    })
  )

  it.effect("of all tenants can be listed by operators, page by page", () =>
    Effect.gen(function* () {
      const operator = `session=${(yield* DemoFile).operator_session}`
      const all = (yield* as(operator, { path: "/v1/admin/workspaces?limit=200" })).body as ReadonlyArray<unknown>
      const first = yield* as(operator, { path: "/v1/admin/workspaces?limit=2" })
      const next = yield* as(operator, {
        path: `/v1/admin/workspaces?limit=200&cursor=${first.headers.get("x-next-cursor")}`
      })
      assert.deepStrictEqual([first.body, next.body].flat() as ReadonlyArray<unknown>, all)
      assert.isAbove(all.length, 2)
    })
  )
})
