import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ProviderRecord } from "../../../src/domain/numbers/Provider.ts"
import type { Generated, SeriesRecord } from "../../../src/domain/numbers/Series.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask, type Question } from "../../support/HttpTester.ts"

const operate = (question: Omit<Question, "key">) =>
  Effect.flatMap(DemoFile, ({ operator_session }) =>
    ask({ ...question, headers: { cookie: `session=${operator_session}`, ...question.headers } })
  )

const post = (path: string, body: unknown = {}) => operate({ path, method: "POST", body })

const nobody = "0199a000-0000-7000-8000-0000000000ff"

const kenya = {
  country: "KE",
  prefix: "+25420800",
  start_suffix: 0,
  end_suffix: 9_999,
  suffix_length: 4,
  capabilities: ["voice", "sms"],
  prices: [{ currency: "KES", monthly_price_minor: 100, inbound_per_min_minor: 1, outbound_per_min_minor: 2 }]
}

const create = (change: object = {}) =>
  Effect.map(post("/v1/admin/number-series", { ...kenya, ...change }), ({ body }) => body as SeriesRecord)
const refusals = (path: string, bodies: ReadonlyArray<object>) =>
  Effect.forEach(bodies, (body) =>
    Effect.map(post(path, body), ({ body, code, status }) => [
      status,
      code,
      (body as { error?: { details?: ReadonlyArray<{ field: string }> } }).error?.details?.[0]?.field
    ])
  )

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("operators", (it) => {
  it.effect(
    "add ten thousand numbers to the inventory in one request, and the same range only once",
    () =>
      Effect.gen(function* () {
        const { api_key: key } = yield* DemoFile
        const created = yield* post("/v1/admin/number-series", kenya)
        assert.strictEqual(created.status, 201, created.text)
        const series = created.body as SeriesRecord
        assert.deepInclude(created.body as object, { ...kenya, provider_id: null, status: "active", type: "local" })
        const path = `/v1/admin/number-series/${series.id}/generate`
        const all = (yield* post(path)).body
        assert.deepStrictEqual(all, { series_id: series.id, start_suffix: 0, end_suffix: 9_999, generated: 10_000 })
        assert.strictEqual(((yield* post(path)).body as Generated).generated, 0)
        const part = yield* post(path, { start_suffix: 3, end_suffix: 9 })
        assert.deepStrictEqual([part.status, part.code], [409, "numbers.suffix_collision"])
        const { error } = part.body as { error: { details: ReadonlyArray<{ message: string }> } }
        assert.deepStrictEqual(
          error.details.map(({ message }) => message),
          [3, 4, 5, 6, 7].map((n) => `+25420800000${n} already exists.`)
        )
        const items = (yield* ask({ path: "/v1/numbers/available?contains=20800", key })).body as ReadonlyArray<{
          inventory_id: string
          number: string
        }>
        assert.strictEqual(items[0]!.number, "+254208000000")
        const claimed = yield* ask({ path: `/v1/numbers/${items[0]!.inventory_id}/claim`, method: "POST", key })
        assert.deepInclude(claimed.body as object, {
          status: "active",
          monthly_price_minor: 100,
          capabilities: ["voice", "sms"]
        })

        const retired = (yield* post(`/v1/admin/number-series/${series.id}/retire`)).body as object
        assert.deepInclude(retired, { status: "retired", retired_numbers: 9_999 })
        assert.strictEqual((yield* post(path)).code, "numbers.series_not_active")
        assert.strictEqual(
          (yield* ask({ path: `/v1/numbers/${items[1]!.inventory_id}/claim`, method: "POST", key })).code,
          "numbers.retired"
        )
        // A number that returns to the inventory later is retired, because its series is.
        const sql = yield* PgClient.PgClient
        yield* sql`UPDATE numbers SET status = 'available', version = version + 1 WHERE id = ${items[2]!.inventory_id}`
        assert.strictEqual(
          (yield* ask({ path: `/v1/numbers/${items[2]!.inventory_id}/claim`, method: "POST", key })).code,
          "numbers.retired"
        )
        assert.deepStrictEqual((yield* ask({ path: "/v1/numbers/available?contains=20800", key })).body, [])
      }),
    20_000
  )

  it.effect("get the reason why a series is invalid", () =>
    Effect.gen(function* () {
      const invalid = (field: string) => [422, "numbers.series_invalid", field]
      assert.deepStrictEqual(
        yield* refusals("/v1/admin/number-series", [
          { ...kenya, end_suffix: 0 },
          { ...kenya, end_suffix: 10_000, suffix_length: 5 },
          { ...kenya, capabilities: [] },
          { ...kenya, suffix_length: 3 },
          { ...kenya, prefix: "+2547", suffix_length: 9, prices: [...kenya.prices, ...kenya.prices] },
          { ...kenya, prefix: "+25420800000", suffix_length: 9 },
          { ...kenya, provider_id: nobody },
          { ...kenya, prefix: "254" }
        ]),
        [
          ...["end_suffix", "end_suffix", "capabilities", "suffix_length", "prices", "prefix", "provider_id"].map(
            (field) => invalid(`/${field}`)
          ),
          [400, "validation.bad_request", "/prefix"]
        ]
      )
      const { id } = yield* create({ prefix: "+25420801", status: "inactive", end_suffix: 9 })
      assert.strictEqual((yield* post(`/v1/admin/number-series/${id}/generate`)).code, "numbers.series_not_active")
      const small = yield* create({ prefix: "+25420802", start_suffix: 5, end_suffix: 9 })
      const path = `/v1/admin/number-series/${small.id}/generate`
      assert.deepStrictEqual(yield* refusals(path, [{ start_suffix: 4 }, { end_suffix: 10 }, { start_suffix: 9 }]), [
        invalid("/start_suffix"),
        invalid("/end_suffix"),
        invalid("/end_suffix")
      ])
      assert.strictEqual((yield* post(`/v1/admin/number-series/${nobody}/generate`)).code, "not_found")
      assert.strictEqual((yield* post(`/v1/admin/number-series/${nobody}/retire`)).code, "not_found")
      const listed = (yield* operate({ path: "/v1/admin/number-series?status=inactive" }))
        .body as ReadonlyArray<SeriesRecord>
      assert.deepStrictEqual(
        listed.map((row) => row.id),
        [id]
      )
    })
  )

  it.effect("set the prices of a series", () =>
    Effect.gen(function* () {
      const { id: series_id } = yield* create({ prefix: "+25420803" })
      const price = {
        series_id,
        currency: "UGX",
        monthly_price_minor: 5,
        inbound_per_min_minor: 0,
        outbound_per_min_minor: 7
      }
      assert.deepStrictEqual((yield* post("/v1/admin/prices", { prices: [price] })).body, { prices: [price] })
      assert.deepStrictEqual((yield* operate({ path: `/v1/admin/prices?series_id=${series_id}&currency=UGX` })).body, [
        price
      ])
      assert.strictEqual(
        (yield* post("/v1/admin/prices", { prices: [price, { ...price, series_id: nobody }] })).code,
        "not_found"
      )
      assert.strictEqual(
        (yield* post("/v1/admin/prices", { prices: [{ ...price, currency: "USD" }] })).code,
        "validation.bad_request"
      )
    })
  )

  it.effect("manage providers, whose passwords are never returned", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const canary = "canary-Zx81"
      const sip = { host: "sip.example.com", username: "platform", password: canary }
      const made = yield* post("/v1/admin/providers", { name: "Carrier", sip })
      assert.strictEqual(made.status, 201, made.text)
      const provider = made.body as ProviderRecord
      assert.deepInclude(provider.sip, {
        host: "sip.example.com",
        port: 5060,
        transport: "udp",
        username: "platform",
        password_set: true
      })
      const path = `/v1/admin/providers/${provider.id}`
      const changed = yield* operate({
        path,
        method: "PATCH",
        body: { sip: { port: 5061, transport: "tls" }, max_channels: 7 }
      })
      assert.deepInclude(changed.body as object, {
        name: "Carrier",
        max_channels: 7,
        sip: { ...provider.sip, port: 5061, transport: "tls" }
      })
      const audit = yield* sql`SELECT json_agg(a)::text AS text FROM audit_entries a`
      for (const text of [
        made.text,
        changed.text,
        (yield* operate({ path: "/v1/admin/providers" })).text,
        String(audit[0]!["text"])
      ]) {
        assert.include(text, "Carrier")
        assert.notInclude(text, canary)
      }
      assert.notInclude(JSON.stringify(yield* sql`SELECT * FROM number_providers`), canary)
      const invalid = (field: string) => [422, "provider.invalid_credentials", `/sip/${field}`]
      assert.deepStrictEqual(
        yield* refusals("/v1/admin/providers", [
          { name: "x", sip: { host: "not a host" } },
          { name: "x", sip: { host: "h", username: "u" } },
          { name: "x", sip: { host: "h", password: "p" } },
          { name: "x", sip: { host: "h", username: "u v", password: "p" } }
        ]),
        [invalid("host"), invalid("password"), invalid("username"), invalid("username")]
      )
      assert.strictEqual(
        (yield* operate({ path, method: "PATCH", body: { sip: { password: null } } })).code,
        "provider.invalid_credentials"
      )

      const series = yield* create({ prefix: "+25420804", end_suffix: 9, provider_id: provider.id })
      const refused = yield* operate({ path, method: "DELETE" })
      assert.deepStrictEqual([refused.status, refused.code], [409, "provider.has_active_series"])
      yield* post(`/v1/admin/number-series/${series.id}/retire`)
      assert.strictEqual((yield* operate({ path, method: "DELETE" })).status, 204)
      assert.deepInclude((yield* operate({ path })).body as object, { status: "retired" })
      assert.strictEqual(
        (yield* post("/v1/admin/number-series", { ...kenya, provider_id: provider.id })).code,
        "numbers.series_invalid"
      )
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const absent = yield* operate({
          path: `/v1/admin/providers/${nobody}`,
          method,
          ...(method === "PATCH" && { body: {} })
        })
        assert.deepStrictEqual([absent.status, absent.code], [404, "not_found"])
      }
    })
  )

  it.effect("reassign a number to another workspace and retire a number", () =>
    Effect.gen(function* () {
      const { api_key: key, number, other_workspace, workspace_id } = yield* DemoFile
      const reassign = (id: string, to: string) => post(`/v1/admin/numbers/${id}/reassign`, { workspace_id: to })
      const moved = yield* reassign(number.id, other_workspace.workspace_id)
      assert.strictEqual(moved.status, 200, moved.text)
      assert.strictEqual((yield* ask({ path: `/v1/numbers/${number.id}`, key })).code, "numbers.not_found")
      assert.strictEqual((yield* ask({ path: `/v1/numbers/${number.id}`, key: other_workspace.api_key })).status, 200)
      assert.strictEqual((yield* reassign(number.id, workspace_id)).status, 200)
      const [item] = (yield* ask({ path: "/v1/numbers/available?country=UG", key })).body as ReadonlyArray<{
        inventory_id: string
      }>
      const free = item!.inventory_id
      const codes = [
        yield* reassign(free, workspace_id),
        yield* reassign(nobody, workspace_id),
        yield* reassign(number.id, nobody),
        yield* post(`/v1/admin/numbers/${number.id}/retire`),
        yield* post(`/v1/admin/numbers/${nobody}/retire`),
        yield* post(`/v1/admin/numbers/${free}/retire`),
        yield* post(`/v1/admin/numbers/${free}/retire`)
      ].map(({ code }) => code)
      assert.deepStrictEqual(codes, [
        "numbers.not_assigned",
        "numbers.not_found",
        "not_found",
        "numbers.already_claimed",
        "numbers.not_found",
        undefined,
        "numbers.retired"
      ])
    })
  )

  it.effect("are the only ones who may use these endpoints", () =>
    Effect.gen(function* () {
      const { api_key: key, owner_session } = yield* DemoFile
      for (const path of ["/v1/admin/number-series", "/v1/admin/providers", "/v1/admin/prices"]) {
        assert.strictEqual((yield* ask({ path, key })).status, 401)
        assert.strictEqual(
          (yield* ask({ path, headers: { cookie: `session=${owner_session}` } })).code,
          "auth.admin_required"
        )
      }
    })
  )
})
