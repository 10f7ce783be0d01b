import { PgClient, PgConnection } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import { session } from "../../../../src/layers/postgres/database/Database.ts"
import { InstanceLock } from "../../../../src/layers/postgres/embedded/InstanceLock.ts"
import { pausedProxy } from "../../../support/PausedProxy.ts"
import { overTcp } from "../../../support/DatabaseUrl.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { until } from "../../../support/Until.ts"

const takeAt = (url: Redacted.Redacted, shared = false) =>
  Effect.map(Layer.build(InstanceLock.layer(url, shared)), (services) => Context.get(services, InstanceLock))

/** Takes the lock as an engine does; held until the scope closes. */
const take = Effect.flatMap(TestDatabase.TestDatabase, ({ url }) => takeAt(url))

/** The server's processes that hold the lock or wait for it. */
const sessions = Effect.flatMap(
  PgClient.PgClient,
  (sql) =>
    sql<{ pid: number; granted: boolean }>`
    SELECT pid, granted FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
)

const holder = Effect.map(sessions, (rows) => rows.find((row) => row.granted)?.pid)

const terminate = (pid: number | undefined) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql`SELECT pg_terminate_backend(${pid ?? 0}::int4)`)

describe.concurrent("InstanceLock", () => {
  it.live("refuses a second engine and names the first", () =>
    Effect.gen(function* () {
      yield* take
      const error = yield* Effect.flip(take)
      assert.strictEqual(error._tag, "InstanceLocked")
      assert.include(error.message, `trunkline/${process.pid} at this machine`)
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty))
  )

  it.live("is shared by the processes of a cluster, and refused to a single engine", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* takeAt(url, true)
          yield* takeAt(url, true)
          assert.strictEqual((yield* Effect.flip(take))._tag, "InstanceLocked")
        })
      )
      yield* take
      assert.strictEqual((yield* Effect.flip(takeAt(url, true)))._tag, "InstanceLocked")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty))
  )

  it.live("lets the next engine in when the first has stopped, and engines of other databases at any time", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(take)
      yield* take
      yield* Effect.provide(take, Layer.fresh(TestDatabase.layerEmpty))
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty))
  )

  it.live("is free after kill -9 of its holder", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const child = spawn(process.execPath, ["test/support/LockChild.ts", Redacted.value(url)])
      yield* Effect.callback<void>((resume) => void child.stdout.once("data", () => resume(Effect.void)))
      assert.isDefined(yield* holder)
      child.kill("SIGKILL")
      yield* Effect.timeout(take, "1 second")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty))
  )

  it.live("is taken again when its session was cut off", () =>
    Effect.gen(function* () {
      const { lost } = yield* take
      const first = yield* holder
      yield* terminate(first)
      yield* until("new holder of the lock", holder, (pid) => pid !== undefined && pid !== first)
      assert.strictEqual((yield* Effect.flip(take))._tag, "InstanceLocked")
      const outcome = yield* Effect.timeoutOption(lost, "50 millis")
      assert.strictEqual(outcome._tag, "None")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty))
  )

  it.live("is lost if another engine took it meanwhile", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const { lost } = yield* take
      const first = yield* holder
      const key = yield* Effect.flatMap(
        PgClient.PgClient,
        (sql) =>
          sql<{ key: bigint }>`
          SELECT (classid::int8 << 32) | objid::int8 AS key FROM pg_locks WHERE pid = ${first ?? 0}::int4 AND locktype = 'advisory'`
      )
      const rival = yield* PgConnection.make({ ...session(url), applicationName: "rival" })
      const waiting = yield* Effect.forkChild(rival.query("SELECT pg_advisory_lock($1::int8)", [String(key[0]?.key)]))
      yield* until("session that waits for the lock", sessions, (rows) => rows.some((row) => !row.granted))
      yield* terminate(first)
      yield* Fiber.join(waiting)
      const error = yield* Effect.flip(lost)
      assert.include(error.message, "rival")
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty))
  )

  it.effect("is taken back from its own lost session when the network went silent", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const direct = overTcp(url)
      const proxy = yield* pausedProxy({ host: direct.hostname, port: Number(direct.port) })
      const relayed = new URL(direct)
      relayed.port = String(proxy.port)
      yield* takeAt(Redacted.make(relayed.href))
      const first = yield* holder
      proxy.silence()
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("5 seconds")
      yield* until(
        "new holder of the lock",
        Effect.andThen(TestClock.adjust("100 millis"), holder),
        (now) => now !== undefined && now !== first,
        { every_ms: 0 }
      )
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty))
  )
})
