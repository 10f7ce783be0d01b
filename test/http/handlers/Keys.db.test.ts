import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { ApiKeyRecord } from "../../../src/domain/access/ApiKeyRecord.ts"
import type { AuditEntry, AuditVerdict } from "../../../src/domain/access/AuditEntry.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask, type Question } from "../../support/HttpTester.ts"
import { until } from "../../support/Until.ts"

interface Minted extends ApiKeyRecord {
  readonly key: string
}

/** As the workspace's owner. */
const asOwner = (question: Question) =>
  Effect.flatMap(DemoFile, ({ owner_session }) =>
    ask({ ...question, headers: { cookie: `session=${owner_session}`, ...question.headers } })
  )
const asOperator = (question: Question) =>
  Effect.flatMap(DemoFile, ({ operator_session }) =>
    ask({ ...question, headers: { cookie: `session=${operator_session}`, ...question.headers } })
  )

const mint = (body: object, headers: Record<string, string> = {}) => asOwner({ path: "/v1/api-keys", body, headers })

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("keys", (it) => {
  it.effect("tell what they are, whatever they may do", () =>
    Effect.gen(function* () {
      const { api_key } = yield* DemoFile
      const demo = yield* ask({ path: "/v1/key", key: api_key })
      const { workspace_id, workspace_name } = demo.body as { workspace_id: string; workspace_name: string }
      for (const [env, acts_in] of [
        ["live", workspace_id],
        ["test", `7e577e57`]
      ] as const) {
        const made = yield* mint({ label: `Own ${env}`, scopes: ["storage.read"], env })
        const { id, key, ...shown } = made.body as Minted
        const { body, status } = yield* ask({ path: "/v1/key", key })
        assert.strictEqual(status, 200)
        const { last_used_at: _, ...expected } = shown
        assert.deepInclude(body, { ...expected, id, workspace_name, currency: "KES" })
        assert.isTrue((body as { workspace_id: string }).workspace_id.startsWith(acts_in))
      }
      const member = yield* asOwner({ path: "/v1/key" })
      assert.deepStrictEqual([member.status, member.code], [401, "api_key.missing"])
      assert.deepStrictEqual((yield* ask({ path: "/v1/key" })).code, "api_key.missing")
    })
  )

  it.effect("are at most a hundred that are valid, of each workspace", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const made = yield* mint({ label: "One of many", scopes: ["wallet.read"] })
      const { id } = made.body as Minted
      const copy = (count: number, expires: string, revoked: string) =>
        sql.unsafe(
          `INSERT INTO api_keys (id, workspace_id, label, scopes, env, prefix, created_at, expires_at, revoked_at, version, state)
          SELECT gen_random_uuid(), workspace_id, 'copy', scopes, env, prefix, created_at, ${expires}, ${revoked}, version, state
          FROM api_keys, generate_series(1, $2::int) WHERE id = $1::text::uuid`,
          [id, count]
        )
      yield* copy(100, "now() - interval '1 day'", "NULL")
      yield* copy(100, "expires_at", "now()")
      assert.strictEqual((yield* mint({ label: "Still", scopes: ["wallet.read"] })).status, 201)
      yield* copy(100, "expires_at", "NULL")
      const refused = yield* mint({ label: "Too many", scopes: ["wallet.read"] })
      assert.deepStrictEqual([refused.status, refused.code], [409, "api_key.limit_reached"])
      yield* sql`DELETE FROM api_keys WHERE label = 'copy'`
      assert.strictEqual((yield* mint({ label: "Again", scopes: ["wallet.read"] })).status, 201)
    })
  )

  it.effect("are created, used, listed without the token, and revoked everywhere within a second", () =>
    Effect.gen(function* () {
      const made = yield* mint({ label: "CRM", scopes: ["wallet.read"] })
      assert.strictEqual(made.status, 201, made.text)
      const { id, key, ...shown } = made.body as Minted
      assert.strictEqual(made.headers.get("location"), `/v1/api-keys/${id}`)
      assert.deepInclude(shown, {
        label: "CRM",
        scopes: ["wallet.read"],
        env: "live",
        revoked: false,
        last_used_at: null
      })
      assert.strictEqual(shown.prefix, key.slice(-8))
      assert.strictEqual((yield* ask({ path: "/v1/wallet/balance", key })).status, 200)
      assert.strictEqual((yield* ask({ path: "/v1/calls", key })).code, "api_key.scope_denied")

      const listed = yield* asOwner({ path: "/v1/api-keys?limit=1" })
      assert.deepStrictEqual(listed.body, [{ id, ...shown }])
      assert.isNotNull(listed.headers.get("x-next-cursor"))
      assert.notInclude(listed.text, key.split(".")[2]!)
      assert.deepStrictEqual((yield* asOwner({ path: `/v1/api-keys/${id}` })).body, { id, ...shown })
      assert.strictEqual((yield* asOwner({ path: `/v1/api-keys/${randomUUID()}` })).code, "api_key.not_found")

      const revoke = { method: "POST", path: `/v1/api-keys/${id}/revoke` }
      const keyed = { ...revoke, headers: { "idempotency-key": "revoke-1" } }
      const revoked = yield* asOwner(keyed)
      assert.deepInclude(revoked.body, { id, revoked: true })
      yield* until(
        "refusal of the key",
        Effect.map(ask({ path: "/v1/wallet/balance", key }), ({ code }) => code),
        (code) => code === "api_key.revoked"
      )
      assert.strictEqual((yield* asOwner(revoke)).code, "api_key.already_revoked")
      assert.strictEqual((yield* asOwner(keyed)).text, revoked.text)
      assert.strictEqual(
        (yield* asOwner({ method: "POST", path: `/v1/api-keys/${randomUUID()}/revoke` })).code,
        "api_key.not_found"
      )
    })
  )

  it.effect("are created once for an Idempotency-Key, whose repetition shows the token again", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "mint-1" }
      const body = { label: "Once", scopes: ["calls.read"] }
      const first = yield* mint(body, headers)
      const again = yield* mint(body, headers)
      assert.strictEqual(again.text, first.text)
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(again.headers.get("location"), first.headers.get("location"))
      assert.strictEqual((yield* mint({ ...body, label: "Other" }, headers)).code, "idempotency.conflict")
    })
  )

  it.effect("are refused for invalid options, and from addresses that they do not allow", () =>
    Effect.gen(function* () {
      const refused = Effect.fnUntraced(function* (body: object) {
        const { code, status } = yield* mint(body)
        return `${status} ${code}`
      })
      assert.strictEqual(yield* refused({ scopes: ["calls.read"] }), "422 api_key.name_required")
      assert.strictEqual(yield* refused({ label: "x", scopes: ["calls.all"] }), "422 api_key.scope_invalid")
      assert.strictEqual(
        yield* refused({ label: "x", scopes: ["calls.read"], expires_at: "2020-01-01T00:00:00Z" }),
        "400 validation.bad_request"
      )
      assert.strictEqual(yield* refused({ label: 5, scopes: ["calls.read"] }), "400 validation.bad_request")

      const elsewhere = (yield* mint({ label: "Elsewhere", scopes: ["calls.read"], allowed_ips: ["192.0.2.0/24"] }))
        .body as Minted
      assert.strictEqual((yield* ask({ path: "/v1/calls", key: elsewhere.key })).code, "api_key.scope_denied")
      const here = (yield* mint({ label: "Here", scopes: ["calls.read"], allowed_ips: ["127.0.0.0/8"] })).body as Minted
      assert.strictEqual((yield* ask({ path: "/v1/calls", key: here.key })).status, 200)
    })
  )

  it.effect("write lines into an audit log with a valid chain", () =>
    Effect.gen(function* () {
      const { id } = (yield* mint({ label: "Seen", scopes: ["calls.read"] })).body as Minted
      yield* asOwner({ method: "POST", path: `/v1/api-keys/${id}/revoke` })
      const { body } = yield* asOwner({ path: `/v1/audit?target_id=${id}` })
      const lines = body as ReadonlyArray<AuditEntry>
      assert.deepStrictEqual(
        lines.map(({ action_kind }) => action_kind),
        ["api_key.revoked", "api_key.created"]
      )
      assert.deepInclude(lines[1], { after: { label: "Seen", scopes: ["calls.read"] } })
      assert.strictEqual(lines[0]!.actor.type, "user")
      assert.include(lines[0]!.actor.label, "@")
      assert.isNotNull(lines[0]!.ip)
      const verdict = (yield* asOwner({ path: "/v1/audit/verify" })).body as AuditVerdict
      assert.deepInclude(verdict, { valid: true, broken_at: null })
      const { api_key: key } = yield* DemoFile
      assert.strictEqual((yield* ask({ path: "/v1/audit?action_kind=api_key.created&limit=1", key })).status, 200)
      assert.strictEqual(
        (yield* ask({ path: "/v1/audit?action_kind=key.made", key })).code,
        "audit.invalid_action_kind"
      )
      assert.strictEqual((yield* ask({ path: "/v1/audit?cursor=x", key })).code, "validation.invalid_cursor")
    })
  )

  it.effect("of operators can set rates, which apply from the next call on", () =>
    Effect.gen(function* () {
      const { api_key: key, number } = yield* DemoFile
      const costs = (to: string) =>
        Effect.map(
          ask({
            path: `/v1/calls/destination-check?from=${encodeURIComponent(number.number)}&to=${encodeURIComponent(to)}`,
            key
          }),
          ({ body }) => (body as { readonly rate_per_min_minor?: number }).rate_per_min_minor
        )
      const rate = { currency: "KES", direction: "outbound", prefix: "254711", per_min_minor: 777 }
      assert.deepStrictEqual((yield* asOperator({ path: "/v1/admin/rates", body: { rates: [rate] } })).body, {
        inserted: 1,
        updated: 0,
        unchanged: 0
      })
      yield* until("new rate", costs("+254711000001"), (cost) => cost === 777)

      const csv =
        "currency,direction,prefix,per_min_minor,effective_from\nKES,outbound,254712,888,2026-01-01\nKES,outbound,254713,x,\n"
      const table = (body: string) =>
        asOperator({ method: "POST", path: "/v1/admin/rates", body, headers: { "content-type": "text/csv" } })
      const wrong = yield* table(csv)
      assert.deepStrictEqual([wrong.status, wrong.code], [400, "validation.bad_request"])
      assert.include(wrong.text, "/rates/1/per_min_minor")
      assert.notStrictEqual(yield* costs("+254712000001"), 888)
      assert.deepInclude((yield* table(csv.replace(",x,", ",9,"))).body, { inserted: 2 })
      yield* until("new rate", costs("+254712000001"), (cost) => cost === 888)
      for (const body of ['currency\n"', `${csv}\0`, "", "currency\n"])
        assert.strictEqual((yield* table(body)).code, "validation.bad_request")
      const sheet = (type: string, body: string) =>
        asOperator({ method: "POST", path: "/v1/admin/rates", body, headers: { "content-type": type } })
      const nul = JSON.stringify({ rates: [{ ...rate, description: "\0" }] })
      const unread = [
        ["text/plain", "x"],
        ["application/json", "{"],
        ["application/json", nul],
        ["application/json", " ".repeat(300_000)],
        ["text/csv", "x".repeat(17_000_000)]
      ] as const
      const codes = yield* Effect.forEach(unread, ([type, body]) => Effect.map(sheet(type, body), ({ code }) => code))
      assert.deepStrictEqual(codes, [
        "validation.unsupported_media_type",
        "validation.bad_request",
        "validation.bad_request",
        "validation.payload_too_large",
        "validation.payload_too_large"
      ])
      const listed = (yield* asOperator({ path: "/v1/admin/rates?currency=KES&prefix=254712" })).body
      assert.deepInclude((listed as ReadonlyArray<object>)[0], {
        prefix: "254712",
        per_min_minor: 888,
        effective_from: "2026-01-01T00:00:00.000Z"
      })
      assert.strictEqual(
        (yield* asOwner({ path: "/v1/admin/rates", body: { rates: [rate] } })).code,
        "auth.admin_required"
      )
    })
  )
})
