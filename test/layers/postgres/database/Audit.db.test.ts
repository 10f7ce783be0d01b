import { NotifyAdmins } from "../../../../src/actors/mail/NotifyAdmins.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeyCommands } from "../../../../src/domain/access/ApiKeyCommand.ts"
import * as ApiKeyActor from "../../../../src/actors/access/ApiKeyActor.ts"
import * as LocalSystem from "../../../../src/actors/runtime/LocalSystem.ts"
import { ActorSystem } from "../../../../src/actors/runtime/ActorSystem.ts"
import type { Origin } from "../../../../src/domain/access/Origin.ts"
import { AuditReads } from "../../../../src/domain/ports/access/AuditReads.ts"
import { Ids } from "../../../../src/domain/ports/engine/Ids.ts"
import * as SystemIds from "../../../../src/layers/ids/SystemIds.ts"
import * as PgAuditReads from "../../../../src/layers/postgres/reads/AuditReads.ts"
import * as PgJournal from "../../../../src/layers/postgres/journal/Journal.ts"
import { insertRows, demoWorkspace, otherWorkspace } from "../../../../src/layers/postgres/seed/SeedRows.ts"
import { AesVault } from "../../../../src/layers/keyring/AesVault.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import type { WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { apiKeyId, workspaceId } from "../../../support/Ids.ts"

const engine = Layer.mergeAll(ApiKeyActor.layer.pipe(Layer.provide(NotifyAdmins.none)), PgAuditReads.layer).pipe(
  Layer.provideMerge(LocalSystem.layer),
  Layer.provideMerge(PgJournal.layer),
  Layer.provideMerge(Layer.merge(SystemIds.layer, AesVault(new Uint8Array(32).fill(7)))),
  Layer.provideMerge(
    Layer.effectDiscard(insertRows("default")).pipe(Layer.provide(AesVault(new Uint8Array(32).fill(7))))
  ),
  Layer.provideMerge(TestDatabase.layer)
)

const origin: Origin = {
  actor: { type: "user", id: "u1", label: "ann@example.com" },
  ip: "192.0.2.1",
  user_agent: "curl",
  request_id: "r1"
}

/** The log may drop older entries: begin now. */
const created_at = Date.now()

/** So many keys at once, which leaves as many lines. */
const makeKeys = (workspace_id: WorkspaceId, count: number) =>
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const { uuid } = yield* Ids
    const facts = {
      workspace_id,
      label: "CRM",
      scopes: ["calls.read"],
      env: "live",
      allowed_ips: [],
      created_by: "u1",
      created_at,
      expires_at: created_at + 1_000,
      prefix: "x"
    } as const
    yield* Effect.forEach(
      Array.from({ length: count }, uuid),
      (id) => system.ask(ApiKeyCommands.Create, apiKeyId(id), { facts, origin, sealed: "s" }),
      { concurrency: "unbounded", discard: true }
    )
  })

/** As someone who may do anything in the database. */
const tamper = (statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.andThen(sql`SET LOCAL session_replication_role = replica`, sql.unsafe(statement)))
  )

describe("the audit log", () => {
  const { id: mine } = demoWorkspace
  const { id: theirs } = otherWorkspace

  it.live("is one chain per workspace despite concurrent writers", () =>
    Effect.gen(function* () {
      const reads = yield* AuditReads
      yield* Effect.all([makeKeys(workspaceId(mine), 40), makeKeys(workspaceId(theirs), 40)], { concurrency: 2 })
      const entries = yield* reads.list(workspaceId(mine), {}, undefined, 200)
      const bySequence = entries.toSorted((a, b) => a.sequence - b.sequence)
      assert.deepStrictEqual(
        bySequence.map(({ sequence }) => sequence),
        Array.from({ length: 40 }, (_, index) => index + 1)
      )
      for (const [index, { prev_hash }] of bySequence.entries())
        assert.strictEqual(prev_hash, bySequence[index - 1]?.hash ?? "")
      assert.deepInclude(bySequence[0], {
        action_kind: "api_key.created",
        actor: origin.actor,
        ip: "192.0.2.1",
        request_id: "r1"
      })
      const verdict = yield* reads.verify(workspaceId(mine))
      assert.deepStrictEqual(verdict, {
        valid: true,
        entries: 40,
        broken_at: null,
        last_sequence: 40,
        last_hash: bySequence[39]!.hash
      })
      assert.isTrue((yield* reads.verify(workspaceId(theirs))).valid)
    }).pipe(Effect.provide(engine))
  )

  it.live("can be filtered, and never shows another workspace's entries", () =>
    Effect.gen(function* () {
      const reads = yield* AuditReads
      yield* makeKeys(workspaceId(mine), 2)
      const [line] = yield* reads.list(
        workspaceId(mine),
        { actor_id: "u1", action_kind: "api_key.created", from: 0 },
        undefined,
        1
      )
      assert.strictEqual((yield* reads.list(workspaceId(mine), { target_id: line!.target.id }, undefined, 9)).length, 1)
      assert.deepStrictEqual(yield* reads.list(workspaceId(mine), { actor_id: "u2" }, undefined, 9), [])
      assert.deepStrictEqual(yield* reads.list(workspaceId(mine), { action_kind: "api_key.revoked" }, undefined, 9), [])
      assert.deepStrictEqual(yield* reads.list(workspaceId(mine), { to: created_at }, undefined, 9), [])
      assert.deepStrictEqual(yield* reads.list(workspaceId(theirs), {}, undefined, 9), [])
      assert.deepStrictEqual(yield* reads.verify(workspaceId(theirs)), {
        valid: true,
        entries: 0,
        broken_at: null,
        last_sequence: null,
        last_hash: null
      })
    }).pipe(Effect.provide(engine))
  )

  it.live("of many entries is verified by one connection, and then from the last verified entry", () =>
    Effect.gen(function* () {
      const reads = yield* AuditReads
      const sql = yield* SqlClient.SqlClient
      const add = (count: number) => sql`
        INSERT INTO audit_entries (id, workspace_id, action_kind, actor, target_type, target_id, before, after, created_at)
        SELECT gen_random_uuid(), ${mine}, 'api_key.created', '{"type":"system","id":null,"label":"x"}', 'api_key', n::text,
          '{}', '{}', now() FROM generate_series(1, ${count}::int) AS n`
      yield* add(5_500)
      let most = 0
      const watch = sql<{ readonly active: bigint }>`SELECT count(*) AS active FROM pg_stat_activity
        WHERE state = 'active' AND query LIKE '%audit_hash%' AND pid <> pg_backend_pid()
          AND datname = current_database()`.pipe(
        Effect.tap(([row]) => Effect.sync(() => (most = Math.max(most, Number(row?.active))))),
        Effect.forever
      )
      const many = Effect.all(
        Array.from({ length: 30 }, () => reads.verify(workspaceId(mine))),
        { concurrency: "unbounded" }
      )
      const verdicts = yield* Effect.raceFirst(many, watch)
      assert.isAtMost(most, 1, "connections that verify at a time")
      for (const verdict of verdicts) assert.deepInclude(verdict, { valid: true, entries: 5_500, last_sequence: 5_500 })
      yield* add(3)
      yield* tamper("UPDATE audit_entries SET ip = '198.51.100.1' WHERE sequence = 5502")
      const { broken_at, entries, valid } = yield* reads.verify(workspaceId(mine))
      assert.deepStrictEqual([valid, broken_at?.sequence, entries], [false, 5_502, 5_503])
    }).pipe(Effect.provide(engine))
  )

  it.live("cannot be changed, and reveals where it was changed anyway", () =>
    Effect.gen(function* () {
      const reads = yield* AuditReads
      const sql = yield* SqlClient.SqlClient
      yield* makeKeys(workspaceId(mine), 5)
      for (const forbidden of [
        "UPDATE audit_entries SET ip = NULL",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries"
      ]) {
        const refused = yield* Effect.flip(sql.unsafe(forbidden))
        assert.include(String(refused.reason.cause), "append-only", forbidden)
      }
      const brokenAt = Effect.map(reads.verify(workspaceId(mine)), ({ broken_at, valid }) => [
        valid,
        broken_at?.sequence
      ])
      assert.deepStrictEqual(yield* brokenAt, [true, undefined])
      yield* tamper("UPDATE audit_entries SET created_at = created_at - interval '401 days' WHERE sequence = 1")
      yield* sql`DELETE FROM audit_entries WHERE sequence = 1`
      assert.deepStrictEqual(yield* brokenAt, [true, undefined], "what was kept long enough may go")
      yield* tamper("UPDATE audit_entries SET ip = '198.51.100.1' WHERE sequence = 5")
      assert.deepStrictEqual(yield* brokenAt, [false, 5])
      yield* tamper("DELETE FROM audit_entries WHERE sequence = 3")
      assert.deepStrictEqual(yield* brokenAt, [false, 4])
    }).pipe(Effect.provide(engine))
  )
})
