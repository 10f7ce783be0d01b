import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { defaultRouting } from "../../../../src/domain/numbers/Routing.ts"
import { default_policy } from "../../../../src/domain/calls/policy/CallingPolicy.ts"
import { Directory } from "../../../../src/domain/ports/access/Directory.ts"
import { DenyList } from "../../../../src/domain/ports/numbers/DenyList.ts"
import { Vault } from "../../../../src/domain/ports/engine/Vault.ts"
import { AesVault } from "../../../../src/layers/keyring/AesVault.ts"
import { ChangeFeed } from "../../../../src/layers/postgres/cache/ChangeFeed.ts"
import * as Database from "../../../../src/layers/postgres/database/Database.ts"
import * as PgDenyList from "../../../../src/layers/postgres/people/PgDenyList.ts"
import * as PgDirectory from "../../../../src/layers/postgres/cache/PgDirectory.ts"
import { voiceSecretBound } from "../../../../src/domain/workspace/VoiceSecret.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import type { WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { workspaceId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const mine = workspaceId("00000000-0000-8000-8000-0000000000b1")
const other = workspaceId("00000000-0000-8000-8000-0000000000b2")
const key_id = "00000000-0000-8000-8000-0000000000c1"
const number = "+254700000001"

const insertWorkspace = (id: WorkspaceId) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const vault = yield* Vault
    yield* sql`INSERT INTO workspaces ${sql.insert({
      id,
      name: "w",
      currency: "KES",
      tenant_pbx_id: `pbx ${id}`,
      gateway_id: "g",
      voice_secret: vault.seal(`secret of ${id}`, voiceSecretBound(id)),
      created_at: new Date(0)
    })}`
  })

const insertRate = (
  n: number,
  prefix: string,
  per_min_minor: number,
  from: number,
  to: number | null,
  direction = "outbound"
) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql`INSERT INTO rates ${sql.insert({
      id: `00000000-0000-8000-8000-0000000001${String(n).padStart(2, "0")}`,
      currency: "KES",
      direction,
      prefix,
      description: "",
      per_min_minor,
      effective_from: new Date(from),
      effective_to: to === null ? null : new Date(to)
    })}`
  })

const Seeded = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* insertWorkspace(mine)
    yield* insertWorkspace(other)
    yield* sql`INSERT INTO numbers ${sql.insert({
      id: "00000000-0000-8000-8000-0000000000d1",
      workspace_id: mine,
      number,
      status: "active",
      source: "platform",
      country: "KE",
      type: "mobile",
      capabilities: "{voice}",
      outbound_per_min_minor: 250n,
      inbound_per_min_minor: 0n,
      routing: JSON.stringify({ voice_url: "https://example.com/voice" })
    })}`
    yield* insertRate(1, "254", 300, 0, null)
    yield* insertRate(2, "2547", 400, 1000, null)
    yield* insertRate(3, "2547", 450, 2000, 3000)
    yield* insertRate(4, "254711", 1, 0, null, "inbound")
    yield* sql`INSERT INTO api_keys ${sql.insert({
      id: key_id,
      workspace_id: mine,
      label: "k",
      scopes: "{calls.read}",
      env: "live",
      version: 1,
      state: "{}",
      prefix: "x",
      created_at: new Date(0),
      expires_at: new Date(Date.UTC(2100, 0))
    })}`
  })
)

const Memory = Layer.mergeAll(PgDirectory.layer, PgDenyList.layer).pipe(
  Layer.provideMerge(ChangeFeed.layer),
  Layer.provideMerge(Seeded),
  Layer.provideMerge(AesVault(new Uint8Array(32).fill(1))),
  Layer.provideMerge(TestDatabase.layer)
)

/** Notifications come over a socket of their own: on its time, not on the test's. */
const eventually = (what: string, holds: Effect.Effect<boolean>) => until(what, holds, (it) => it, { every_ms: 5 })

/** A session of its own that nobody listens on: the trace of statements shows who asks. */
const readsOf = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* sql`SELECT pg_stat_force_next_flush()`
    yield* sql`SELECT pg_stat_clear_snapshot()`
    const [row] = yield* sql<{
      readonly n: bigint
    }>`SELECT seq_scan + idx_scan AS n FROM pg_stat_user_tables WHERE relname = ${table}`
    return Number(row!.n)
  })

layer(Memory, { timeout: "30 seconds", excludeTestServices: true })("the directory", (it) => {
  it.effect("finds workspaces by both of their ids, with the secret decrypted", () =>
    Effect.gen(function* () {
      const directory = yield* Directory
      const workspace = yield* directory.workspace(mine)
      assert.deepInclude(workspace, { status: "active", currency: "KES", voice_secret: `secret of ${mine}` })
      assert.deepStrictEqual(workspace?.calling_policy, default_policy)
      assert.deepStrictEqual(yield* directory.workspaceOfPbx(`pbx ${mine}`), workspace)
      assert.isUndefined(yield* directory.workspace(workspaceId("00000000-0000-8000-8000-0000000000ff")))
      assert.isUndefined(yield* directory.workspaceOfPbx("none"))
    })
  )

  it.effect("finds a number only in its own workspace, by its exact text", () =>
    Effect.gen(function* () {
      const directory = yield* Directory
      assert.deepInclude(yield* directory.number(mine, number), { status: "active", outbound_per_min_minor: 250 })
      assert.isUndefined(yield* directory.number(other, number))
      const { inbound_per_min_minor, routing, workspace_id } = (yield* directory.numberOf(number))!
      assert.deepStrictEqual([workspace_id, inbound_per_min_minor], [mine, 0])
      assert.deepStrictEqual(routing, { ...defaultRouting, voice_url: "https://example.com/voice" })
      assert.isUndefined(yield* directory.numberOf("+1"))
      assert.isUndefined(yield* directory.number(mine, `${number} `))
      assert.isUndefined(yield* directory.number(mine, `${number} x`))
      assert.deepStrictEqual([yield* directory.countries(mine), yield* directory.countries(other)], [["KE"], []])
    })
  )

  it.effect("uses the longest valid prefix, and of equal ones the latest", () =>
    Effect.gen(function* () {
      const directory = yield* Directory
      const rate = (digits: string, at: number, direction: "outbound" | "inbound" = "outbound") =>
        Effect.map(
          directory.rate("KES", direction, digits, at),
          (found) => found && [found.prefix, found.per_min_minor]
        )
      assert.deepStrictEqual(yield* rate("254711000001", 500), ["254", 300])
      assert.deepStrictEqual(yield* rate("254711000001", 1500), ["2547", 400])
      assert.deepStrictEqual(yield* rate("254711000001", 2500), ["2547", 450])
      assert.deepStrictEqual(yield* rate("254711000001", 3000), ["2547", 400])
      assert.deepStrictEqual(yield* rate("254200000001", 3000), ["254", 300])
      assert.deepStrictEqual(yield* rate("254711000001", 0, "inbound"), ["254711", 1])
      assert.isUndefined(yield* rate("14155550100", 3000))
      assert.isUndefined(yield* directory.rate("UGX", "outbound", "254711000001", 3000))
    })
  )

  it.effect("queries the database once", () =>
    Effect.gen(function* () {
      const directory = yield* Directory
      const all = Effect.all([
        directory.workspace(mine),
        directory.number(mine, number),
        directory.number(mine, "+1"),
        directory.rate("KES", "outbound", "254", 0)
      ])
      yield* all
      const before = (yield* readsOf("workspaces")) + (yield* readsOf("numbers")) + (yield* readsOf("rates"))
      for (let n = 0; n < 100; n++) yield* all
      assert.strictEqual(
        (yield* readsOf("workspaces")) + (yield* readsOf("numbers")) + (yield* readsOf("rates")),
        before
      )
    })
  )

  it.effect("notices changes", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const directory = yield* Directory
      assert.isUndefined(yield* directory.number(other, number))
      yield* sql`UPDATE workspaces SET status = 'suspended' WHERE id = ${mine}`
      yield* eventually(
        "suspended",
        Effect.map(directory.workspace(mine), (it) => it?.status === "suspended")
      )
      yield* sql`UPDATE workspaces SET calling_policy = '{"allow_high_risk":true,"calls_per_second":200}' WHERE id = ${mine}`
      yield* eventually(
        "allowed",
        Effect.map(directory.workspace(mine), (it) => it?.calling_policy.allow_high_risk === true)
      )
      assert.deepStrictEqual((yield* directory.workspace(mine))?.calling_policy, {
        ...default_policy,
        allow_high_risk: true,
        calls_per_second: 200
      })
      yield* sql`UPDATE workspaces SET status = 'active', tenant_pbx_id = 'moved' WHERE id = ${mine}`
      yield* eventually(
        "moved",
        Effect.map(directory.workspaceOfPbx("moved"), (it) => it?.id === mine)
      )
      yield* eventually(
        "gone",
        Effect.map(directory.workspaceOfPbx(`pbx ${mine}`), (it) => it === undefined)
      )
      yield* sql`UPDATE numbers SET workspace_id = ${other} WHERE number = ${number}`
      yield* eventually(
        "given",
        Effect.map(directory.number(other, number), (it) => it !== undefined)
      )
      yield* eventually(
        "known of its new owner",
        Effect.map(directory.numberOf(number), (it) => it?.workspace_id === other)
      )
      assert.deepStrictEqual([yield* directory.countries(mine), yield* directory.countries(other)], [[], ["KE"]])
      yield* eventually(
        "taken",
        Effect.map(directory.number(mine, number), (it) => it === undefined)
      )
      yield* sql`UPDATE numbers SET status = 'available', workspace_id = NULL WHERE number = ${number}`
      yield* eventually(
        "nobody's",
        Effect.map(directory.numberOf(number), (it) => it === undefined)
      )
      yield* insertRate(5, "25471", 900, 0, null)
      yield* eventually(
        "dearer",
        Effect.map(directory.rate("KES", "outbound", "254711", 9), (it) => it?.per_min_minor === 900)
      )
    })
  )

  it.effect("sees a change at once after it has caught up", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const directory = yield* Directory
      for (const name of Array.from({ length: 20 }, (_, nth) => `name ${nth}`)) {
        yield* directory.workspace(mine)
        yield* sql`UPDATE workspaces SET name = ${name} WHERE id = ${mine}`
        yield* directory.caughtUp()
        assert.strictEqual((yield* directory.workspace(mine))?.name, name)
      }
    })
  )

  it.effect("notices a revoked key within a second, also after a lost connection", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const deny = yield* DenyList
      const directory = yield* Directory
      const changes = yield* ChangeFeed
      assert.isFalse(deny.isRevoked(key_id))
      yield* sql`UPDATE api_keys SET last_used_at = now() WHERE id = ${key_id}`
      // The engine's connections end, and what happens meanwhile goes unheard.
      const { url } = yield* TestDatabase.TestDatabase
      yield* Effect.gen(function* () {
        const apart = yield* PgClient.PgClient
        yield* apart`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%' AND pid <> pg_backend_pid()`
        yield* apart`UPDATE api_keys SET revoked_at = now() WHERE id = ${key_id}`
        yield* apart`UPDATE workspaces SET name = 'renamed' WHERE id = ${mine}`
      }).pipe(Effect.provide(Database.layer({ url: Redacted.make(Redacted.value(url)), connections: 1 })))
      yield* eventually(
        "revoked",
        Effect.sync(() => deny.isRevoked(key_id))
      )
      yield* eventually(
        "listening",
        Effect.sync(() => changes.listening())
      )
      assert.strictEqual((yield* directory.workspace(mine))?.name, "renamed")
      const second = "00000000-0000-8000-8000-0000000000c2"
      yield* sql`INSERT INTO api_keys (id, workspace_id, label, scopes, env, prefix, created_at, expires_at, version, state)
        SELECT ${second}::uuid, workspace_id, label, scopes, env, prefix, created_at, expires_at, version, state FROM api_keys WHERE id = ${key_id}`
      yield* sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${second}`
      yield* eventually(
        "revoked as well",
        Effect.sync(() => deny.isRevoked(second))
      )
      assert.isTrue(deny.isRevoked(key_id))
    })
  )
})
