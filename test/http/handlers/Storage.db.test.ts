import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { nextMonth, prorated_minor } from "../../../src/domain/storage/Months.ts"
import type { ChangedStorage, StorageRecord } from "../../../src/domain/storage/StorageRecord.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import * as MidMonth from "../../support/MidMonth.ts"

const storage = Effect.gen(function* () {
  const { api_key: key } = yield* DemoFile
  return (yield* ask({ path: "/v1/storage", key })).body as StorageRecord
})

const put = (body: unknown) =>
  Effect.flatMap(DemoFile, ({ api_key: key }) => ask({ path: "/v1/storage/tier", method: "PUT", key, body }))

// Storage is paid by the month: what is due depends on what is left of it, and the 1st renews it.
const inMidMonth = engine.pipe(Layer.provideMerge(MidMonth.layer))

layer(inMidMonth, { excludeTestServices: true, timeout: "30 seconds" })("storage over the engine", (it) => {
  it.effect("is free at first, grows at once for a charge, and shrinks on the 1st", () =>
    Effect.gen(function* () {
      const { api_key: key, other_workspace, read_only_api_key } = yield* DemoFile
      assert.deepStrictEqual(yield* storage, {
        tier_mb: 100,
        tier_gb: null,
        used_bytes: 0,
        recordings: 0,
        retention_days: 90,
        pending_tier_mb: null,
        pending_reason: null,
        renews_at: null,
        past_due_since: null,
        price_minor: 0,
        currency: "KES"
      })

      const before = yield* Clock.currentTimeMillis
      const { body, status } = yield* put({ tier_gb: 5 })
      const changed = body as ChangedStorage
      assert.strictEqual(status, 200)
      assert.deepInclude(changed, {
        tier_mb: 5120,
        tier_gb: 5,
        effective: "now",
        price_minor: 174_900,
        renews_at: new Date(nextMonth(before)).toISOString()
      })
      assert.isAtMost(changed.charge_minor, prorated_minor(174_900, before))
      assert.isAtLeast(changed.charge_minor, prorated_minor(174_900, yield* Clock.currentTimeMillis))
      const [entry] = (yield* ask({ path: "/v1/wallet/statements?kind=storage_charge", key })).body as Array<{
        amount_minor: number
        reference_type: string
      }>
      assert.deepInclude(entry, {
        amount_minor: -changed.charge_minor,
        reference_type: "storage_change"
      })

      const dropped = yield* ask({ path: "/v1/storage/tier", method: "DELETE", key })
      assert.deepInclude(dropped.body, {
        tier_mb: 5120,
        pending_tier_mb: 100,
        pending_reason: "downgrade",
        charge_minor: 0,
        effective: "next_month"
      })
      assert.deepInclude((yield* put({ tier_gb: 5 })).body, {
        pending_tier_mb: null,
        charge_minor: 0,
        effective: "now"
      })

      const theirs = yield* ask({ path: "/v1/storage", key: other_workspace.api_key })
      assert.deepInclude(theirs.body, { tier_mb: 100 })
      assert.strictEqual(
        (yield* ask({ path: "/v1/storage/tier", method: "DELETE", key: read_only_api_key })).code,
        "api_key.scope_denied"
      )
      const kinds = (yield* ask({ path: "/v1/audit?action_kind=storage.tier_changed", key })).body as Array<unknown>
      assert.lengthOf(kinds, 3)
    })
  )

  it.effect("has prices and sizes that only operators can set", () =>
    Effect.gen(function* () {
      const { api_key: key, operator_session, other_workspace, owner_session } = yield* DemoFile
      const operator = { cookie: `session=${operator_session}` }
      const prices = {
        prices: [
          { currency: "UGX", tier_mb: 1024, monthly_price_minor: 1_700_000 },
          { currency: "KES", tier_mb: 1024, monthly_price_minor: 0 }
        ]
      }
      const set = yield* ask({ path: "/v1/admin/storage-prices", headers: operator, body: prices })
      assert.strictEqual(set.status, 200)
      assert.deepInclude((set.body as typeof prices).prices, prices.prices[0]!)
      assert.deepStrictEqual((yield* ask({ path: "/v1/admin/storage-prices", headers: operator })).body, set.body)
      for (const wrong of [
        { tier_mb: 100 },
        { tier_mb: 6000 },
        { currency: "USD" },
        { monthly_price_minor: -1 },
        { monthly_price_minor: 0.5 }
      ]) {
        const refused = yield* ask({
          path: "/v1/admin/storage-prices",
          headers: operator,
          body: { prices: [{ ...prices.prices[0], ...wrong }] }
        })
        const [detail] = (refused.body as { error: { details: Array<{ field: string }> } }).error.details
        assert.deepStrictEqual([refused.status, detail!.field], [400, `/prices/0/${Object.keys(wrong)[0]}`])
      }
      const path = `/v1/admin/workspaces/${other_workspace.workspace_id}/storage`
      const given = yield* ask({ path, headers: operator, body: { tier_mb: 1024 } })
      assert.deepInclude(given.body, { tier_mb: 1024, tier_gb: 1, charge_minor: 0, effective: "now" })
      assert.strictEqual(
        (yield* ask({ path, headers: operator, body: { tier_mb: 2048 } })).code,
        "storage.tier_invalid"
      )
      assert.strictEqual(
        (yield* ask({
          path: path.replace(other_workspace.workspace_id, "0190f5fe-7c00-7a00-8000-0000000000ff"),
          headers: operator,
          body: { tier_mb: 1024 }
        })).code,
        "not_found"
      )
      assert.strictEqual(
        (yield* ask({ path, headers: { cookie: `session=${owner_session}` }, body: { tier_mb: 1024 } })).code,
        "auth.admin_required"
      )
      assert.strictEqual((yield* ask({ path, key, body: { tier_mb: 1024 } })).status, 401)
    })
  )

  it.effect("refuses sizes that do not exist, have no price or cost more than the balance", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      yield* sql`UPDATE storage_prices SET monthly_price_minor = 1000000000000 WHERE tier_mb = 256000`
      for (const [tier_gb, status, code] of [
        [7, 422, "storage.tier_invalid"],
        [0, 422, "storage.tier_invalid"],
        [-5, 422, "storage.tier_invalid"],
        [250, 402, "wallet.insufficient_funds"],
        ["5", 400, "validation.bad_request"],
        [5.5, 400, "validation.bad_request"],
        [null, 400, "validation.bad_request"]
      ] as const) {
        const refused = yield* put({ tier_gb })
        assert.deepStrictEqual([refused.status, refused.code], [status, code], String(tier_gb))
      }
      yield* sql`DELETE FROM storage_prices WHERE tier_mb = 102400`
      const unpriced = yield* put({ tier_gb: 100 })
      assert.deepStrictEqual([unpriced.status, unpriced.code], [422, "storage.price_missing"])
      yield* sql`ALTER TABLE storage_prices RENAME TO storage_prices_away`
      const failed = yield* put({ tier_gb: 10 })
      yield* sql`ALTER TABLE storage_prices_away RENAME TO storage_prices`
      assert.deepStrictEqual([failed.status, failed.code], [500, "storage.tier_switch_failed"])
    })
  )
})
