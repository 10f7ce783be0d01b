/**
 * One engine for one database: two beside each other are a cluster or a mistake. The processes of a cluster share the
 * lock, so that no engine that runs alone comes between them.
 *
 * The lock is an advisory one on a session of its own, so it is gone when the process is. A session that is lost (the
 * database was restarted, the network cut) is opened and locked again for as long as it takes: meanwhile nothing can
 * be written wrongly, because every write names the version that it follows. Only when another engine holds the lock
 * by then has this one lost it.
 *
 * The session must reach PostgreSQL itself or through a pooler in session mode.
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

/** "trunkeng" as a number. */
const key = "8390898172853317223"

const holderQuery = `
  SELECT pid, application_name || ' at ' || coalesce(host(client_addr), 'this machine') AS who
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::int8 << 32) | objid::int8 = $1::int8`

/** A killed engine's session ends within the half second of `client_connection_check_interval`. */
const patience = { schedule: Schedule.spaced("100 millis"), times: 15 }
const reconnectPause = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")])

/** `previous` is this engine's own lost session: if the server has not noticed its end, it is ended now. */
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

/** Fails within seconds of the session's end, and never succeeds. */
const beat = (connection: PgConnection.PgConnection) =>
  connection.query("SELECT 1").pipe(
    Effect.timeoutOrElse({
      duration: "5 seconds",
      orElse: () =>
        Effect.fail(
          new SqlError({
            reason: new ConnectionError({ cause: "timeout", message: "The session with the lock does not answer" })
          })
        )
    }),
    Effect.repeat(Schedule.spaced("1 second")),
    Effect.andThen(Effect.never)
  )

export class InstanceLock extends Context.Service<
  InstanceLock,
  {
    /** Fails when another engine has taken the database; never succeeds. */
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
          yield* Effect.retry(tryLock(connection, shared, previous), { ...patience, while: isLocked })
          if (previous !== undefined) yield* Effect.logInfo("The engine's lock on its database is held again")
          previous = connection.processId
          yield* Deferred.succeed(taken, undefined)
          return yield* beat(connection)
        }).pipe(
          Effect.scoped,
          Effect.tapError((error) => Deferred.fail(taken, error)),
          Effect.tapError((error) => Effect.logWarning(`The engine's lock on its database: ${error.message}`)),
          Effect.retry({ schedule: reconnectPause, while: (error) => !isLocked(error) }),
          Effect.catchTag("InstanceLocked", (error) => Deferred.fail(lost, error))
        )
        yield* Effect.forkScoped(hold)
        yield* Deferred.await(taken)
        return { lost: Deferred.await(lost) }
      })
    )
}
