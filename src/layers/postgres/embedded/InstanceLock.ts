/**
 * Ensures that one engine uses a database, or several with CLUSTER=on. The processes of a cluster hold the lock in
 * shared mode, so that a single engine cannot start beside them.
 *
 * The lock is a PostgreSQL advisory lock on its own session, so it ends with the process. If the session is lost (the
 * database restarted, the network broke), the engine reconnects and locks again, however long that takes. Meanwhile no
 * wrong write is possible, because every write names the version that it replaces. The lock is lost only if another
 * engine holds it by then.
 *
 * The session needs a direct connection to PostgreSQL, or a pooler in session mode.
 */
import { PgConnection } from "@effect/sql-pg"
import { Context, Data, Deferred, Effect, Layer, type Redacted, Schedule } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { session } from "../database/Database.ts"

export class InstanceLocked extends Data.TaggedError("InstanceLocked")<{ readonly holder: string }> {
  override get message() {
    return `Another engine runs on this database (${this.holder}). Stop it first, or start all of them with CLUSTER=on.`
  }
}

/** Key of the advisory lock: "trunkeng" as a number. */
const key = "8390898172853317223"

const holderQuery = `
  SELECT pid, application_name || ' at ' || coalesce(host(client_addr), 'this machine') AS who
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::int8 << 32) | objid::int8 = $1::int8`

/** Waits for the session of a killed engine, which ends within half a second (`client_connection_check_interval`). */
const lockRetry = { schedule: Schedule.spaced("100 millis"), times: 15 }
const reconnectPause = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")])

/** Takes the lock. `previous` is this engine's lost session; if the server still has it, it is terminated. */
const tryLock = Effect.fnUntraced(function* (
  connection: PgConnection.PgConnection,
  shared: boolean,
  previous: number | undefined
) {
  const lock = shared ? "pg_try_advisory_lock_shared" : "pg_try_advisory_lock"
  const {
    rows: [attempt]
  } = yield* connection.query(`SELECT ${lock}($1::int8) AS locked`, [key])
  if (attempt?.["locked"] === true) return
  const {
    rows: [holder]
  } = yield* connection.query(holderQuery, [key])
  if (holder !== undefined && holder["pid"] === previous) {
    yield* connection.query("SELECT pg_terminate_backend($1::int4)", [previous])
  }
  return yield* new InstanceLocked({ holder: String(holder?.["who"] ?? "it has just ended") })
})

const isLocked = (error: SqlError | InstanceLocked) => error._tag === "InstanceLocked"

/** Checks the session every second. Fails within seconds of its end; never succeeds. */
const watchSession = (connection: PgConnection.PgConnection) =>
  connection.query("SELECT 1").pipe(
    Effect.timeoutOrElse({
      duration: "5 seconds",
      orElse: () =>
        Effect.fail(
          new SqlError({
            reason: new ConnectionError({
              cause: "timeout",
              message: "The session that holds the lock does not answer"
            })
          })
        )
    }),
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.andThen(Effect.never)
  )

export class InstanceLock extends Context.Service<
  InstanceLock,
  {
    /** Fails when another engine has taken the lock; never succeeds. */
    readonly lost: Effect.Effect<never, InstanceLocked>
  }
>()("trunkline/layers/postgres/InstanceLock") {
  static readonly layer = (
    url: Redacted.Redacted,
    shared = false
  ): Layer.Layer<InstanceLock, InstanceLocked | SqlError> =>
    Layer.effect(
      InstanceLock,
      Effect.gen(function* () {
        const taken = yield* Deferred.make<void, InstanceLocked | SqlError>()
        const lost = yield* Deferred.make<never, InstanceLocked>()
        let previous: number | undefined
        const hold = Effect.gen(function* () {
          const connection = yield* PgConnection.make(session(url))
          yield* Effect.retry(tryLock(connection, shared, previous), { ...lockRetry, while: isLocked })
          if (previous !== undefined) yield* Effect.logInfo("Took the lock on the database again")
          previous = connection.processId
          yield* Deferred.succeed(taken, undefined)
          return yield* watchSession(connection)
        }).pipe(
          Effect.scoped,
          Effect.tapError((error) => Deferred.fail(taken, error)),
          Effect.tapError((error) => Effect.logWarning(`Lost the lock on the database: ${error.message}`)),
          Effect.retry({ schedule: reconnectPause, while: (error) => !isLocked(error) }),
          Effect.catchTag("InstanceLocked", (error) => Deferred.fail(lost, error))
        )
        yield* Effect.forkScoped(hold)
        yield* Deferred.await(taken)
        return { lost: Deferred.await(lost) }
      })
    )
}
