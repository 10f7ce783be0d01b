import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { nextMonth, prorated_minor } from "../../src/domain/storage/Months.ts"
import type { ChangedStorage, StorageRecord } from "../../src/domain/storage/StorageRecord.ts"
import { DemoFile, layer as engine } from "../support/Engine.ts"
import { ask } from "../support/HttpTester.ts"

const storage = Effect.gen(function*() {
  const { api_key: key } = yield* DemoFile
  return (yield* ask({ path: "/v1/storage", key })).body as StorageRecord
})

const put = (body: unknown) =>
  Effect.flatMap(DemoFile, ({ api_key: key }) => ask({ path: "/v1/storage/tier", method: "PUT", key, body }))

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("storage over the engine", (it) => {
  it.effect("is free at first, grows at once for money, and shrinks on the 1st", () =>
    Effect.gen(function*() {
      const { api_key: key, other_workspace, read_only_api_key } = yield* DemoFile
      assert.deepStrictEqual(yield* storage, {
        tier_mb: 100, tier_gb: null, used_bytes: 0, recordings: 0, retention_days: 90, pending_tier_mb: null, pending_reason: null,
        renews_at: null, past_due_since: null, price_minor: 0, currency: "KES"
      })

      const before = Date.now()
      const { body, status } = yield* put({ tier_gb: 5 })
      const changed = body as ChangedStorage
      assert.strictEqual(status, 200)
      assert.deepInclude(changed, { tier_mb: 5120, tier_gb: 5, effective: "now", price_minor: 174_900, renews_at: new Date(nextMonth(before)).toISOString() })
      assert.isAtMost(changed.charge_minor, prorated_minor(174_900, before))
      assert.isAtLeast(changed.charge_minor, prorated_minor(174_900, Date.now()))
      const [entry] = (yield* ask({ path: "/v1/wallet/statements?kind=storage_charge", key })).body as Array<{ amount_minor: number; reference_type: string }>
      assert.deepInclude(entry, { amount_minor: changed.charge_minor === 0 ? 0 : -changed.charge_minor, reference_type: "storage_change" })

      const dropped = yield* ask({ path: "/v1/storage/tier", method: "DELETE", key })
      assert.deepInclude(dropped.body, { tier_mb: 5120, pending_tier_mb: 100, pending_reason: "downgrade", charge_minor: 0, effective: "next_month" })
      assert.deepInclude((yield* put({ tier_gb: 5 })).body, { pending_tier_mb: null, charge_minor: 0, effective: "now" })

      const theirs = yield* ask({ path: "/v1/storage", key: other_workspace.api_key })
      assert.deepInclude(theirs.body, { tier_mb: 100 })
      assert.strictEqual((yield* ask({ path: "/v1/storage/tier", method: "DELETE", key: read_only_api_key })).code, "api_key.scope_denied")
      const kinds = (yield* ask({ path: "/v1/audit?action_kind=storage.tier_changed", key })).body as Array<unknown>
      assert.lengthOf(kinds, 3)
    }))

  it.effect("refuses sizes that there are not, that have no price, and that cost too much", () =>
    Effect.gen(function*() {
      for (const [tier_gb, status, code] of [
        [7, 422, "storage.tier_invalid"], [0, 422, "storage.tier_invalid"], [-5, 422, "storage.tier_invalid"], [250, 402, "wallet.insufficient_funds"],
        ["5", 400, "validation.bad_request"], [5.5, 400, "validation.bad_request"], [null, 400, "validation.bad_request"]
      ] as const) {
        const refused = yield* put({ tier_gb })
        assert.deepStrictEqual([refused.status, refused.code], [status, code], String(tier_gb))
      }
      const sql = yield* PgClient.PgClient
      yield* sql`DELETE FROM storage_prices WHERE tier_mb = 102400`
      const unpriced = yield* put({ tier_gb: 100 })
      assert.deepStrictEqual([unpriced.status, unpriced.code], [422, "storage.price_missing"])
      yield* sql`ALTER TABLE storage_prices RENAME TO storage_prices_away`
      const failed = yield* put({ tier_gb: 10 })
      yield* sql`ALTER TABLE storage_prices_away RENAME TO storage_prices`
      assert.deepStrictEqual([failed.status, failed.code], [500, "storage.tier_switch_failed"])
    }))
})
