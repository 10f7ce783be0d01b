import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Wallets } from "../../../src/actors/wallet/Wallets.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { checkInvariants } from "../../../src/layers/postgres/checks/Invariants.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import type { CallId } from "../../../src/domain/BrandedIds.ts"

const rate_minor = 300
const affordable = 50
const wanted = 200

layer(engine, { excludeTestServices: true, timeout: "60 seconds" })("money through the whole engine", (it) => {
  it.effect(
    `places ${affordable} of ${wanted} concurrent calls if the balance pays for that many, and never goes below zero`,
    () =>
      Effect.gen(function* () {
        const { api_key: key, number, workspace_id } = yield* DemoFile
        const wallets = yield* Wallets
        yield* wallets.debit(workspace_id, {
          entry_id: "0199a000-0000-7000-8000-0000000000f1",
          kind: "manual_debit",
          may_overdraw: false,
          amount_minor: 1_000_000 - affordable * rate_minor,
          reference_type: "adjustment",
          reference_id: "test",
          description: "All but a little",
          origin: systemOrigin
        })
        const answers = yield* Effect.forEach(
          Array.from({ length: wanted }, (_, n) => n),
          (n) =>
            ask({
              path: "/v1/calls/originate",
              key,
              // Nobody answers, so that no hold ends meanwhile.
              body: {
                to: "+99900000003",
                from: number.number,
                voice_callback_url: "http://127.0.0.1:9/voice",
                client_reference: String(n)
              }
            }),
          { concurrency: "unbounded" }
        )
        const tally = Object.groupBy(answers, ({ code, status }) => `${status} ${code ?? ""}`)
        const counts = Object.fromEntries(Object.entries(tally).map(([said, all]) => [said, all?.length]))
        assert.deepStrictEqual(counts, { "201 ": affordable, "402 wallet.insufficient_funds": wanted - affordable })
        assert.deepInclude((yield* ask({ path: "/v1/wallet/balance", key })).body, {
          balance_minor: affordable * rate_minor,
          held_minor: affordable * rate_minor,
          available_minor: 0
        })
        const holds = (yield* ask({ path: "/v1/wallet/holds?limit=200", key })).body as ReadonlyArray<{
          amount_minor: number
          call_id: CallId
        }>
        const placed = answers.filter(({ status }) => status === 201).map(({ body }) => (body as { id: string }).id)
        assert.sameMembers(
          holds.map(({ call_id }) => call_id),
          placed
        )
        assert.isTrue(holds.every(({ amount_minor }) => amount_minor === rate_minor))
        const refused = yield* Effect.flip(
          wallets.debit(workspace_id, {
            entry_id: "0199a000-0000-7000-8000-0000000000f2",
            kind: "number_rental",
            may_overdraw: false,
            amount_minor: 1,
            reference_type: "number",
            reference_id: "n",
            description: "",
            origin: systemOrigin
          })
        )
        assert.strictEqual(refused._tag, "wallet.insufficient_funds")
        assert.deepStrictEqual(
          (yield* checkInvariants).filter(({ count }) => count > 0),
          []
        )
      })
  )

  it.effect("has top-up limits that only operators can change and that apply at once", () =>
    Effect.gen(function* () {
      const { api_key: key, operator_session, owner_session } = yield* DemoFile
      const operator = { cookie: `session=${operator_session}` }
      const path = "/v1/admin/topup-limits"
      const start = (amount_minor: number) =>
        Effect.map(
          ask({ path: "/v1/topups", key, body: { provider: "card", amount_minor, currency: "KES" } }),
          ({ code, status }) => code ?? status
        )
      const listed = yield* ask({ path, headers: operator })
      const thousandfold = (currency: string, minimum_minor: number) => ({
        currency,
        minimum_minor,
        maximum_minor: 1_000 * minimum_minor
      })
      assert.deepStrictEqual(listed.body, {
        limits: [
          thousandfold("GHS", 1_000),
          { currency: "KES", minimum_minor: 10_000, maximum_minor: 25_000_000 },
          thousandfold("NGN", 100_000),
          thousandfold("RWF", 100_000),
          thousandfold("TZS", 200_000),
          thousandfold("UGX", 300_000),
          thousandfold("ZAR", 2_000)
        ]
      })
      assert.strictEqual(yield* start(9_999), "wallet.topup_below_minimum")
      assert.strictEqual(yield* start(25_000_001), "topup.limit_exceeded")
      const limit = { currency: "KES", minimum_minor: 500, maximum_minor: 600 }
      const set = yield* ask({ path, headers: operator, body: { limits: [limit] } })
      assert.deepInclude((set.body as { limits: ReadonlyArray<unknown> }).limits, limit)
      assert.deepStrictEqual((yield* ask({ path, headers: operator })).body, set.body)
      assert.deepStrictEqual(
        [yield* start(499), yield* start(500), yield* start(601)],
        ["wallet.topup_below_minimum", 201, "topup.limit_exceeded"]
      )
      for (const [wrong, field] of [
        [{ minimum_minor: 601 }, "/maximum_minor"],
        [{ minimum_minor: 0 }, "/minimum_minor"],
        [{ currency: "EUR" }, "/currency"]
      ] as const) {
        const refused = yield* ask({ path, headers: operator, body: { limits: [{ ...limit, ...wrong }] } })
        const [detail] = (refused.body as { error: { details: ReadonlyArray<{ field: string }> } }).error.details
        assert.deepStrictEqual([refused.status, detail!.field], [400, `/limits/0${field}`])
      }
      const sql = yield* PgClient.PgClient
      const [line] = yield* sql<{ readonly target: unknown }>`
        SELECT target_type || ' ' || target_id AS target FROM audit_entries WHERE action_kind = 'rate.changed' ORDER BY created_at DESC, sequence DESC LIMIT 1`
      assert.strictEqual(line?.target, "topup_limits KES")
      assert.strictEqual(
        (yield* ask({ path, headers: { cookie: `session=${owner_session}` }, body: { limits: [limit] } })).code,
        "auth.admin_required"
      )
      yield* ask({ path, headers: operator, body: listed.body })
      assert.strictEqual(yield* start(500), "wallet.topup_below_minimum")
    })
  )
})
