// What operators create, with an Idempotency-Key: once, whatever is repeated.
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"

const operate = (path: string, body: unknown, key?: string, contentType?: string) =>
  Effect.flatMap(DemoFile, ({ operator_session }) =>
    ask({
      path,
      method: "POST",
      body,
      headers: {
        cookie: `session=${operator_session}`,
        ...(key !== undefined && { "idempotency-key": key }),
        ...(contentType !== undefined && { "content-type": contentType })
      }
    })
  )

const series = { country: "KE", start_suffix: 0, end_suffix: 99, suffix_length: 4, capabilities: ["voice"], prices: [] }
const provider = { name: "Twice", sip: { host: "sip.example.com", username: "u", password: "canary-Qk27" } }
const rate = { currency: "KES", direction: "outbound", prefix: "25499", per_min_minor: 300 }
const csv = (price: number) => `currency,direction,prefix,per_min_minor\nKES,outbound,25498,${price}\n`

const counted = {
  providers: "SELECT 1 FROM number_providers WHERE name LIKE 'Twice%'",
  series: "SELECT 1 FROM number_series WHERE prefix = '+25420811'",
  numbers: "SELECT 1 FROM numbers WHERE number LIKE '+25420812%'",
  rates: "SELECT 1 FROM rates WHERE prefix IN ('25499', '25498')"
}

interface Create {
  readonly what: string
  readonly path: Effect.Effect<string, unknown, Effect.Services<ReturnType<typeof operate>>>
  readonly body: unknown
  readonly other: unknown
  readonly type?: string
  readonly of: keyof typeof counted
  readonly makes: number
  readonly status: number
}

const madeSeries = Effect.map(operate("/v1/admin/number-series", { ...series, prefix: "+25420812" }), ({ body }) => {
  const { id } = body as { readonly id: string }
  return `/v1/admin/number-series/${id}/generate`
})

const creates: ReadonlyArray<Create> = [
  {
    what: "a provider",
    path: Effect.succeed("/v1/admin/providers"),
    body: provider,
    other: { ...provider, name: "Twice more" },
    of: "providers",
    makes: 1,
    status: 201
  },
  {
    what: "a series",
    path: Effect.succeed("/v1/admin/number-series"),
    body: { ...series, prefix: "+25420811" },
    other: { ...series, prefix: "+25420811", end_suffix: 98 },
    of: "series",
    makes: 1,
    status: 201
  },
  {
    what: "generated numbers",
    path: madeSeries,
    body: { start_suffix: 0, end_suffix: 9 },
    other: { start_suffix: 10, end_suffix: 19 },
    of: "numbers",
    makes: 10,
    status: 200
  },
  {
    what: "rates in JSON, which begin to apply now",
    path: Effect.succeed("/v1/admin/rates"),
    body: { rates: [rate] },
    other: { rates: [{ ...rate, per_min_minor: 301 }] },
    of: "rates",
    makes: 1,
    status: 200
  },
  {
    what: "rates in CSV",
    path: Effect.succeed("/v1/admin/rates"),
    body: csv(300),
    other: csv(301),
    type: "text/csv",
    of: "rates",
    makes: 1,
    status: 200
  }
]

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("an operator's Idempotency-Key", (it) => {
  for (const { body, makes, of, other, path: made, status, type, what } of creates) {
    it.effect(`makes ${what} once, and belongs to one request`, () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const count = Effect.map(sql.unsafe(counted[of]), (rows) => rows.length)
        const lines = Effect.map(sql`SELECT 1 FROM audit_entries WHERE workspace_id IS NULL`, (rows) => rows.length)
        const path = yield* made
        const before = yield* count
        const key = `once ${what}`
        const first = yield* operate(path, body, key, type)
        assert.strictEqual(first.status, status, first.text)
        assert.isNull(first.headers.get("idempotent-replayed"))
        const audited = yield* lines

        const again = yield* operate(path, body, key, type)
        assert.deepStrictEqual([again.status, again.text], [first.status, first.text])
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
        const conflict = yield* operate(path, other, key, type)
        assert.deepStrictEqual([conflict.status, conflict.code], [409, "idempotency.conflict"])
        assert.strictEqual((yield* operate(path, body, "", type)).code, "idempotency.key_invalid")
        assert.deepStrictEqual([(yield* count) - before, yield* lines], [makes, audited])

        // With a key of its own, the other request is carried out.
        assert.strictEqual((yield* operate(path, other, `${key}, other`, type)).status, status)
        assert.strictEqual(yield* lines, audited + 1)
      })
    )
  }

  it.effect("is refused while its request is served, or gets the same response", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const body = { ...provider, name: "Twice at once" }
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => operate("/v1/admin/providers", body, "at once")),
        { concurrency: "unbounded" }
      )
      const made = answers.filter(({ status }) => status === 201)
      assert.isAtLeast(made.length, 1)
      assert.strictEqual(new Set(made.map(({ text }) => text)).size, 1)
      for (const { code, status } of answers)
        if (status !== 201) assert.deepStrictEqual([status, code], [409, "idempotency.in_progress"])
      assert.lengthOf(yield* sql`SELECT 1 FROM number_providers WHERE name = 'Twice at once'`, 1)
    })
  )

  it.effect("is free again after its request was refused", () =>
    Effect.gen(function* () {
      const wrong = { ...provider, name: "Twice refused", sip: { host: "not a host" } }
      const refused = yield* operate("/v1/admin/providers", wrong, "refused")
      assert.strictEqual(refused.code, "provider.invalid_credentials")
      const corrected = { ...provider, name: "Twice refused" }
      assert.strictEqual((yield* operate("/v1/admin/providers", corrected, "refused")).status, 201)
    })
  )

  it.effect("takes no table where an endpoint takes JSON alone", () =>
    Effect.gen(function* () {
      const answer = yield* operate("/v1/admin/providers", "name\nx\n", "table", "text/csv")
      assert.strictEqual(answer.status, 415)
    })
  )
})
