import { NotifyAdmins } from "../../../../src/actors/mail/NotifyAdmins.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { generateKeyPairSync } from "node:crypto"
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as ApiKeyActor from "../../../../src/actors/access/ApiKeyActor.ts"
import { ApiKeys } from "../../../../src/actors/access/ApiKeys.ts"
import * as LocalSystem from "../../../../src/actors/runtime/LocalSystem.ts"
import * as PerformWallet from "../../../../src/actors/wallet/PerformWallet.ts"
import { WalletOwner } from "../../../../src/actors/wallet/WalletOwner.ts"
import { Scope } from "../../../../src/domain/access/Scope.ts"
import { Charges } from "../../../../src/domain/ports/calls/Charges.ts"
import { Keyring } from "../../../../src/domain/ports/engine/Keyring.ts"
import { Vault } from "../../../../src/domain/ports/engine/Vault.ts"
import * as SystemIds from "../../../../src/layers/ids/SystemIds.ts"
import { AesVault } from "../../../../src/layers/keyring/AesVault.ts"
import { HmacTokens } from "../../../../src/layers/keyring/HmacTokens.ts"
import { JoseKeyring } from "../../../../src/layers/keyring/JoseKeyring.ts"
import * as ApiKeyReads from "../../../../src/layers/postgres/reads/ApiKeyReads.ts"
import * as PgJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { seed } from "../../../../src/layers/postgres/seed/Seed.ts"
import { prefixesBut } from "../../../../src/layers/postgres/seed/SeedRows.ts"
import { voiceSecretBound } from "../../../../src/domain/workspace/VoiceSecret.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { workspaceId } from "../../../support/Ids.ts"

const base_url = "http://127.0.0.1:8080"
const signingKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })

const noCharges = Layer.succeed(Charges)({
  ofCall: () => Effect.succeed(undefined),
  orphanedHolds: () => Effect.succeed([])
})

/** What a start has: actors on the journal of the database, and the keys of the deployment. */
const engine = (signing_key = signingKey()) =>
  Layer.mergeAll(
    PerformWallet.layer.pipe(Layer.provide(WalletOwner.none)),
    ApiKeyActor.layer.pipe(Layer.provide(NotifyAdmins.none)),
    ApiKeys.layer
  ).pipe(
    Layer.provideMerge(LocalSystem.layer),
    Layer.provide(ApiKeyReads.layer),
    Layer.provide(noCharges),
    Layer.provideMerge(PgJournal.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        SystemIds.layer,
        AesVault(new Uint8Array(32).fill(7)),
        HmacTokens([new Uint8Array(32).fill(8)]),
        JoseKeyring({ issuer: base_url, audience: "api", current: signing_key })
      )
    ),
    Layer.fresh
  )

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-seed-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const counted = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Record<string, number>>`
    SELECT (SELECT count(*) FROM workspaces)::int AS workspaces, (SELECT count(*) FROM api_keys)::int AS api_keys,
      (SELECT count(*) FROM numbers)::int AS numbers, (SELECT count(*) FROM rates)::int AS rates,
      (SELECT count(*) FROM number_series_prices)::int AS prices, (SELECT count(*) FROM ledger_entries)::int AS entries,
      (SELECT count(*) FROM storage_prices)::int AS storage`
  return row
})

const everything = { workspaces: 2, api_keys: 4, numbers: 27, rates: 7 * 79, prices: 7 * 2, entries: 2, storage: 7 * 8 }
const fileIn = (data_dir: string) => Effect.promise(() => readFile(join(data_dir, "demo.json"), "utf8"))

describe("seed", () => {
  it.effect("prices everything in every currency, at the same value", () =>
    Effect.gen(function* () {
      yield* seed({ data_dir: yield* folder, base_url })
      const sql = yield* SqlClient.SqlClient
      const prices = yield* sql<{ readonly currency: string; readonly prices: ReadonlyArray<number> }>`
        SELECT currency, array_agg(minor ORDER BY what)::int[] AS prices FROM (
          SELECT currency, 'rate ' || prefix AS what, per_min_minor AS minor FROM rates WHERE prefix IN ('254', '256')
          UNION ALL SELECT currency, 'storage', monthly_price_minor FROM storage_prices WHERE tier_mb = 1024
        ) AS seeded GROUP BY currency ORDER BY currency`
      assert.deepStrictEqual(
        prices.map(({ currency, prices }) => [currency, ...prices]),
        [
          ["GHS", 30, 120, 5_990],
          ["KES", 300, 1_200, 59_900],
          ["NGN", 3_600, 14_400, 718_800],
          ["RWF", 3_000, 12_000, 599_000],
          ["TZS", 6_000, 24_000, 1_198_000],
          ["UGX", 8_700, 34_800, 1_737_100],
          ["ZAR", 45, 180, 8_985]
        ]
      )
    }).pipe(Effect.provide(engine()), Effect.provide(TestDatabase.layer))
  )

  it.effect("creates two workspaces that can call, described in demo.json", () =>
    Effect.gen(function* () {
      const data_dir = yield* folder
      const demo = yield* seed({ data_dir, base_url })
      assert.deepStrictEqual(yield* counted, everything)
      assert.deepStrictEqual(JSON.parse(yield* fileIn(data_dir)), demo)
      const files = yield* Effect.promise(() => readdir(data_dir))
      assert.deepStrictEqual(files.sort(), ["api-key", "demo.json"])
      for (const file of files) {
        const { mode } = yield* Effect.promise(() => stat(join(data_dir, file)))
        assert.strictEqual(mode & 0o777, 0o600, file)
      }
      assert.hasAllKeys(demo, [
        "base_url",
        "pbx_gateway",
        "workspace_id",
        "tenant_pbx_id",
        "mode",
        "voice_secret",
        "api_key",
        "test_api_key",
        "read_only_api_key",
        "number",
        "webhook",
        "owner_session",
        "operator_session",
        "other_workspace"
      ])
      const sql = yield* SqlClient.SqlClient
      const wallets = yield* sql`SELECT currency, balance_minor, held_minor FROM wallets`
      const full = { currency: "KES", balance_minor: 1_000_000n, held_minor: 0n }
      assert.deepStrictEqual(wallets, [full, full])
      const free = yield* sql`
        SELECT country, count(*)::int AS n FROM numbers WHERE status = 'available' GROUP BY country ORDER BY country`
      assert.deepStrictEqual(free, [
        { country: "KE", n: 20 },
        { country: "UG", n: 5 }
      ])
      const owned = yield* sql`
        SELECT workspace_id, id, number FROM numbers WHERE workspace_id IS NOT NULL AND status = 'active' ORDER BY number`
      assert.deepStrictEqual(owned, [
        { workspace_id: demo.workspace_id, ...demo.number },
        { workspace_id: demo.other_workspace.workspace_id, ...demo.other_workspace.number }
      ])
      const [policy] = yield* sql`SELECT calling_policy FROM workspaces WHERE id = ${demo.workspace_id}`
      assert.deepStrictEqual(policy, {
        calling_policy: { max_concurrent_calls: 1_000, calls_per_second: 200, max_calls_per_destination_per_hour: null }
      })
    }).pipe(Effect.provide(engine()), Effect.provide(TestDatabase.layer))
  )

  it.effect("gives keys their scopes, and each workspace its own sealed secret", () =>
    Effect.gen(function* () {
      const demo = yield* seed({ data_dir: yield* folder, base_url })
      const keyring = yield* Keyring
      const claims = (token: string) => keyring.verify(Redacted.make(token))
      assert.deepInclude(yield* claims(demo.api_key), {
        workspace_id: demo.workspace_id,
        scopes: Scope.literals,
        env: "live",
        unlimited: true
      })
      assert.deepInclude(yield* claims(demo.read_only_api_key), {
        workspace_id: demo.workspace_id,
        scopes: ["calls.read"]
      })
      assert.deepInclude(yield* claims(demo.other_workspace.api_key), {
        workspace_id: demo.other_workspace.workspace_id
      })
      const sql = yield* SqlClient.SqlClient
      const vault = yield* Vault
      const rows = yield* sql<{ id: string; voice_secret: string }>`SELECT id, voice_secret FROM workspaces`
      const secrets = rows.map(
        ({ id, voice_secret }) => vault.open(voice_secret, voiceSecretBound(workspaceId(id))) ?? ""
      )
      assert.strictEqual(new Set(secrets.filter((secret) => /^whsec_.{44}$/.test(secret))).size, 2)
    }).pipe(Effect.provide(engine()), Effect.provide(TestDatabase.layer))
  )

  it.effect("changes nothing the second time, nor in another process at once", () =>
    Effect.gen(function* () {
      const data_dir = yield* folder
      const current = signingKey()
      const run = Effect.provide(seed({ data_dir, base_url }), engine(current))
      yield* Effect.provide(seed({ data_dir: yield* folder, base_url }), engine(current)).pipe(
        Effect.zip(run, { concurrent: true })
      )
      const sql = yield* SqlClient.SqlClient
      const before = yield* fileIn(data_dir)
      const secrets = yield* sql`SELECT voice_secret FROM workspaces ORDER BY id`
      yield* run
      assert.strictEqual(yield* fileIn(data_dir), before)
      assert.deepStrictEqual(yield* sql`SELECT voice_secret FROM workspaces ORDER BY id`, secrets)
      assert.deepStrictEqual(yield* counted, { ...everything, api_keys: 8 })
      assert.deepStrictEqual(yield* sql`SELECT DISTINCT balance_minor FROM wallets`, [{ balance_minor: 1_000_000n }])
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("finishes what a start that crashed began", () =>
    Effect.gen(function* () {
      const data_dir = yield* folder
      const current = signingKey()
      const run = Effect.provide(seed({ data_dir, base_url }), engine(current))
      const first = yield* run
      const sql = yield* SqlClient.SqlClient
      const undo = [
        sql`DELETE FROM rates`,
        sql.withTransaction(
          Effect.andThen(
            sql`SET LOCAL session_replication_role = replica`,
            Effect.forEach(["ledger_lines", "ledger_entries", "wallets"], (table) => sql`DELETE FROM ${sql(table)}`)
          )
        ),
        sql`DELETE FROM api_keys WHERE label = 'Other'`,
        Effect.promise(() => rm(join(data_dir, "demo.json")))
      ]
      yield* undo[0]!
      yield* run
      yield* undo[1]!
      assert.deepStrictEqual(yield* run, first)
      yield* undo[2]!
      const third = yield* run
      assert.deepStrictEqual({ ...third, other_workspace: null }, { ...first, other_workspace: null })
      assert.notStrictEqual(third.other_workspace.api_key, first.other_workspace.api_key)
      yield* undo[3]!
      yield* run
      assert.deepStrictEqual(yield* counted, { ...everything, api_keys: 8 })
      assert.deepStrictEqual(yield* sql`SELECT DISTINCT balance_minor FROM wallets`, [{ balance_minor: 1_000_000n }])
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("replaces keys that no longer work, and restricts a file that others could read", () =>
    Effect.gen(function* () {
      const data_dir = yield* folder
      const first = yield* Effect.provide(seed({ data_dir, base_url }), engine())
      const second = yield* Effect.provide(seed({ data_dir, base_url }), engine())
      assert.notStrictEqual(second.api_key, first.api_key)
      yield* Effect.promise(() => rm(join(data_dir, "demo.json")))
      yield* Effect.promise(() => writeFile(join(data_dir, "demo.json"), "{", { mode: 0o644 }))
      yield* Effect.provide(seed({ data_dir, base_url }), engine())
      const { mode } = yield* Effect.promise(() => stat(join(data_dir, "demo.json")))
      assert.strictEqual(mode & 0o777, 0o600)
    }).pipe(Effect.provide(TestDatabase.layer))
  )
})

describe("the rates of the test network", () => {
  const prefixes = prefixesBut("999", "00000007")
  const rated = (digits: string) => prefixes.some((prefix) => digits.startsWith(prefix))

  it("leave one number out", () => {
    for (let n = 0; n < 2_000; n++) assert.strictEqual(rated(`999${String(n).padStart(8, "0")}`), n !== 7)
    assert.isTrue(rated("99999999999"))
    assert.isTrue(rated("99910000007"))
    assert.isFalse(rated("99800000001"))
  })
})
