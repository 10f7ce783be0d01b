import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { KeyUse } from "../../../../src/domain/ports/access/KeyUse.ts"
import * as PgKeyUse from "../../../../src/layers/postgres/people/PgKeyUse.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { apiKeyId } from "../../../support/Ids.ts"
import { until } from "../../../support/Until.ts"

const workspace_id = "00000000-0000-8000-8000-0000000000b1"
const busy = apiKeyId("00000000-0000-8000-8000-0000000000c1")
const idle = apiKeyId("00000000-0000-8000-8000-0000000000c2")

const insertKeys = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const created_at = new Date(0)
  const tenant = { id: workspace_id, name: "w", tenant_pbx_id: "w", gateway_id: "g", voice_secret: "", created_at }
  yield* sql`INSERT INTO workspaces ${sql.insert(tenant)}`
  const key = {
    workspace_id,
    label: "k",
    scopes: "{}",
    env: "live",
    prefix: "",
    created_at,
    expires_at: created_at,
    version: 1,
    state: "{}"
  }
  yield* sql`INSERT INTO api_keys ${sql.insert([
    { ...key, id: busy },
    { ...key, id: idle }
  ])}`
})

/** Seconds since the epoch at which each key was last used, by what is stored. */
const stored = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const rows = yield* sql<{ readonly last_used_at: Date | null }>`SELECT last_used_at FROM api_keys ORDER BY id`
  return rows.map(({ last_used_at }) => last_used_at && last_used_at.getTime() / 1000)
})

const eventually = (expected: ReadonlyArray<number | null>) =>
  until(`last use at ${expected.join(" and ")}`, stored, (found) => found.join() === expected.join(), { every_ms: 10 })

describe("the last use of API keys", () => {
  it.effect("is stored once a minute, and when the engine stops", () =>
    Effect.gen(function* () {
      yield* insertKeys
      yield* Effect.gen(function* () {
        const { used } = yield* KeyUse
        yield* TestClock.adjust("10 seconds")
        used(busy)
        yield* TestClock.adjust("10 seconds")
        used(busy)
        yield* TestClock.adjust("39 seconds")
        assert.deepStrictEqual(yield* stored, [null, null])
        yield* TestClock.adjust("1 second")
        yield* eventually([20, null])
        used(idle)
      }).pipe(Effect.provide(PgKeyUse.layer))
      assert.deepStrictEqual(yield* stored, [20, 60])
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("is stored with the next write if the database failed, and never goes back", () =>
    Effect.gen(function* () {
      yield* insertKeys
      const sql = yield* PgClient.PgClient
      const reported = yield* Deferred.make<void>()
      const log = Logger.layer([Logger.make(() => Deferred.doneUnsafe(reported, Effect.void))])
      yield* Effect.gen(function* () {
        const { used } = yield* KeyUse
        used(busy)
        used(idle)
        yield* sql`ALTER TABLE api_keys RENAME TO elsewhere`
        yield* TestClock.adjust("1 minute")
        yield* Deferred.await(reported)
        yield* sql`ALTER TABLE elsewhere RENAME TO api_keys`
        yield* sql`UPDATE api_keys SET last_used_at = ${new Date(90_000)} WHERE id = ${idle}`
      }).pipe(Effect.provide(PgKeyUse.layer), Effect.provide(log))
      assert.deepStrictEqual(yield* stored, [0, 90])
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it.effect("is stored even if the engine stops during the write", () =>
    Effect.gen(function* () {
      yield* insertKeys
      const sql = yield* PgClient.PgClient
      const locked = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const locking = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.andThen(
            sql`LOCK TABLE api_keys`,
            Effect.andThen(Deferred.succeed(locked, undefined), Deferred.await(release))
          )
        )
      )
      yield* Deferred.await(locked)
      const engine = yield* Scope.make()
      const { used } = Context.get(yield* Layer.buildWithScope(PgKeyUse.layer, engine), KeyUse)
      used(busy)
      yield* TestClock.adjust("1 minute")
      const stopping = yield* Effect.forkChild(Scope.close(engine, Exit.void), { startImmediately: true })
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.joinAll([locking, stopping])
      assert.deepStrictEqual(yield* stored, [0, null])
    }).pipe(Effect.provide(TestDatabase.layer))
  )
})
