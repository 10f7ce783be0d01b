import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { InventoryItem } from "../../../src/domain/numbers/InventoryItem.ts"
import type { NumberRecord } from "../../../src/domain/numbers/NumberRecord.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { proveNumber } from "../../support/ProveNumber.ts"
import { numberId } from "../../support/Ids.ts"

const available = (query = "") =>
  Effect.gen(function* () {
    const { api_key: key } = yield* DemoFile
    return (yield* ask({ path: `/v1/numbers/available${query}`, key })).body as ReadonlyArray<InventoryItem>
  })

const claim = (id: string, key: string, headers: Record<string, string> = {}) =>
  ask({ path: `/v1/numbers/${id}/claim`, method: "POST", key, headers })

const balanceOf = (key: string) =>
  Effect.map(ask({ path: "/v1/wallet/balance", key }), ({ body }) => (body as { balance_minor: number }).balance_minor)

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("numbers over the engine", (it) => {
  it.effect("can be browsed by country, currency and digits", () =>
    Effect.gen(function* () {
      const kenyan = yield* available("?country=KE")
      assert.strictEqual(kenyan.length, 20)
      assert.deepInclude(kenyan[0], {
        country: "KE",
        currency: "KES",
        monthly_price_minor: 50_000,
        setup_price_minor: 0,
        type: "local"
      })
      assert.deepInclude((yield* available("?country=UG&currency=UGX"))[0], {
        country: "UG",
        currency: "UGX",
        monthly_price_minor: 1_740_000
      })
      assert.strictEqual((yield* available("?limit=3&type=local&capability=sms")).length, 3)
      const { number } = kenyan[7]!
      assert.deepStrictEqual(
        (yield* available(`?contains=${number.slice(-5)}`)).map((item) => item.number),
        [number]
      )
      assert.deepStrictEqual(yield* available("?type=toll_free"), [])
      const { api_key: key } = yield* DemoFile
      const whole = yield* available("?limit=200")
      const paged: Array<string> = []
      let next: string | null = "/v1/numbers/available?limit=7"
      while (next !== null) {
        const page: { readonly body: unknown; readonly headers: Headers } = yield* ask({ path: next, key })
        paged.push(...(page.body as ReadonlyArray<InventoryItem>).map(({ number }) => number))
        next = page.headers.get("link")?.match(/<(.*)>/)?.[1] ?? null
      }
      assert.deepStrictEqual(
        paged,
        whole.map(({ number }) => number)
      )
      assert.isAbove(paged.length, 7)
      for (const query of ["country=ke", "type=fax", "capability=fax", "contains=12a", "limit=0"]) {
        assert.strictEqual(
          (yield* ask({ path: `/v1/numbers/available?${query}`, key })).code,
          "validation.bad_request",
          query
        )
      }
      for (const currency of ["USD", "kes"]) {
        const refused = yield* ask({ path: `/v1/numbers/available?currency=${currency}`, key })
        assert.deepStrictEqual([refused.status, refused.code], [422, "currency.unsupported"])
      }
    })
  )

  it.effect("are claimed, paid for, routed and released, and hidden from other workspaces", () =>
    Effect.gen(function* () {
      const {
        api_key: key,
        other_workspace: { api_key: theirs }
      } = yield* DemoFile
      const [item] = yield* available("?country=KE")
      const before = yield* balanceOf(key)
      const headers = { "idempotency-key": "claim-1" }
      const claimed = yield* claim(item!.inventory_id, key, headers)
      assert.strictEqual(claimed.status, 201, claimed.text)
      const number = claimed.body as NumberRecord
      assert.deepInclude(number, {
        id: numberId(item!.inventory_id),
        number: item!.number,
        status: "active",
        currency: "KES",
        monthly_price_minor: 50_000
      })
      assert.strictEqual(yield* balanceOf(key), before - 50_000)
      const replayed = yield* claim(item!.inventory_id, key, headers)
      assert.deepStrictEqual(
        [replayed.status, replayed.text, replayed.headers.get("location")],
        [201, claimed.text, `/v1/numbers/${number.id}`]
      )
      assert.strictEqual(replayed.headers.get("idempotent-replayed"), "true")
      assert.strictEqual(yield* balanceOf(key), before - 50_000)
      assert.strictEqual((yield* claim(number.id, key)).code, "numbers.already_claimed")
      assert.strictEqual((yield* claim(number.id, theirs)).code, "numbers.already_claimed")
      assert.notInclude(
        (yield* available()).map(({ inventory_id }) => inventory_id),
        number.id
      )

      const path = `/v1/numbers/${number.id}`
      assert.deepStrictEqual((yield* ask({ path, key })).body, number)
      const statement = (yield* ask({ path: "/v1/wallet/statements?kind=number_rental", key }))
        .body as ReadonlyArray<object>
      assert.deepInclude(statement[0], { amount_minor: -50_000, reference_type: "number", reference_id: number.id })

      const patched = yield* ask({
        path: `${path}/routing`,
        method: "PATCH",
        key,
        body: { voice_url: "https://example.com/v", events_url: "https://example.com/e", label: "Desk" }
      })
      assert.strictEqual(patched.status, 200, patched.text)
      assert.match((patched.body as { secret: string }).secret, /^whsec_/)
      const again = yield* ask({ path: `${path}/routing`, method: "PATCH", key, body: { ring_timeout_seconds: 20 } })
      assert.deepInclude(again.body as object, {
        voice_url: "https://example.com/v",
        ring_timeout_seconds: 20,
        label: "Desk"
      })
      assert.notProperty(again.body, "secret")
      assert.deepStrictEqual((yield* ask({ path: `${path}/routing`, key })).body, again.body)
      const replaced = yield* ask({ path: `${path}/routing`, method: "PUT", key, body: { record: true } })
      assert.deepInclude(replaced.body as object, {
        voice_url: null,
        events_url: null,
        record: "record-from-answer",
        label: "Desk"
      })
      const invalid = yield* ask({
        path: `${path}/routing`,
        method: "PATCH",
        key,
        body: { voice_url: "gopher://example.com" }
      })
      assert.deepStrictEqual([invalid.status, invalid.code], [422, "numbers.invalid_routing_url"])

      for (const [method, end, body] of [
        ["GET", ""],
        ["GET", "/routing"],
        ["PATCH", "/routing", {}],
        ["PUT", "/routing", {}],
        ["POST", "/release"]
      ] as const) {
        const foreign = yield* ask({ path: path + end, method, key: theirs, body })
        assert.deepStrictEqual([foreign.status, foreign.code], [404, "numbers.not_found"], `${method} ${end}`)
      }
      const released = yield* ask({ path: `${path}/release`, method: "POST", key })
      assert.deepInclude(released.body as object, { status: "released", renews_at: null })
      assert.strictEqual((yield* ask({ path: `${path}/release`, method: "POST", key })).code, "numbers.not_assigned")
      assert.strictEqual((yield* claim(number.id, theirs)).code, "numbers.already_claimed")
      const body = { from: number.number, to: "+99900000003", voice_callback_url: "https://example.com/" }
      assert.strictEqual((yield* ask({ path: "/v1/calls/originate", key, body })).code, "numbers.not_active")
      const audit = (yield* ask({ path: "/v1/audit", key })).body as ReadonlyArray<{
        action_kind: string
        target: { id: string }
      }>
      const kinds = audit.filter(({ target }) => target.id === number.id).map(({ action_kind }) => action_kind)
      assert.deepStrictEqual(kinds, [
        "number.released",
        "number.routing_changed",
        "number.routing_changed",
        "number.routing_changed",
        "number.claimed"
      ])
    })
  )

  it.effect("that many workspaces claim at the same time go to one, and only it pays", () =>
    Effect.gen(function* () {
      const {
        api_key: key,
        other_workspace: { api_key: theirs }
      } = yield* DemoFile
      const [item] = yield* available("?country=UG")
      const before = (yield* balanceOf(key)) + (yield* balanceOf(theirs))
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        (_, n) => claim(item!.inventory_id, n % 2 === 0 ? key : theirs),
        { concurrency: "unbounded" }
      )
      const codes = answers.map(({ code, status }) => `${status} ${code}`)
      assert.deepStrictEqual(codes.toSorted(), [
        "201 undefined",
        ...Array<string>(19).fill("409 numbers.already_claimed")
      ])
      assert.strictEqual((yield* balanceOf(key)) + (yield* balanceOf(theirs)), before - item!.monthly_price_minor)
    })
  )

  it.effect("that cannot be claimed are refused with the reason", () =>
    Effect.gen(function* () {
      const { api_key: key } = yield* DemoFile
      const sql = yield* PgClient.PgClient
      const items = yield* available("?country=UG")
      const [retired, unpriced, dear] = items as [InventoryItem, InventoryItem, InventoryItem]
      yield* sql`UPDATE numbers SET status = 'retired', version = version + 1 WHERE id = ${retired.inventory_id}`
      yield* sql`INSERT INTO number_series SELECT ${"00000000-0000-8000-8000-0000000000aa"}::uuid, country, prefix, status, capabilities, created_at FROM number_series LIMIT 1`
      yield* sql`UPDATE numbers SET series_id = ${"00000000-0000-8000-8000-0000000000aa"} WHERE id = ${unpriced.inventory_id}`
      yield* sql`INSERT INTO number_series SELECT ${"00000000-0000-8000-8000-0000000000ab"}::uuid, country, prefix, status, capabilities, created_at FROM number_series LIMIT 1`
      yield* sql`INSERT INTO number_series_prices VALUES (${"00000000-0000-8000-8000-0000000000ab"}, 'KES', 900000000, 0, 0)`
      yield* sql`UPDATE numbers SET series_id = ${"00000000-0000-8000-8000-0000000000ab"} WHERE id = ${dear.inventory_id}`
      const codeOf = (id: string) => Effect.map(claim(id, key), ({ code, status }) => [status, code])
      assert.deepStrictEqual(yield* codeOf(retired.inventory_id), [409, "numbers.retired"])
      assert.deepStrictEqual(yield* codeOf(unpriced.inventory_id), [422, "numbers.price_missing"])
      assert.deepStrictEqual(yield* codeOf(dear.inventory_id), [402, "wallet.insufficient_funds"])
      assert.deepStrictEqual(yield* codeOf("00000000-0000-8000-8000-00000000ffff"), [404, "numbers.not_found"])
      assert.deepStrictEqual(yield* codeOf("nonsense"), [404, "numbers.not_found"])
      yield* proveNumber(key, "+254711000001")
      const brought = yield* ask({ path: "/v1/numbers/byo", key, body: { number: "+254711000001" } })
      assert.deepStrictEqual([brought.status, brought.code], [409, "workspace.locked_to_platform_numbers"])
      assert.deepStrictEqual(
        (yield* available("?country=UG")).map(({ inventory_id }) => inventory_id).includes(dear.inventory_id),
        true
      )
    })
  )
})
