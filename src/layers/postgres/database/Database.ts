// Connections to PostgreSQL: the settings that all of them share, and the pools.
import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Cause, Clock, Effect, Exit, Layer, type Redacted } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { CurrentTenant, IsUrgent } from "../../../domain/access/CurrentTenant.ts"
import { type FairShares, makeFairShares, type NoShare } from "../../../domain/access/FairShares.ts"
import { isReadOnly } from "../../../domain/errors/Unavailable.ts"
import { PoolQueues } from "./PoolQueues.ts"
import { requestRole } from "./RowSecurity.ts"
import type { WorkspaceId } from "../../../domain/BrandedIds.ts"

/** Prefix of `application_name` for every connection of this project. The process id follows. */
export const applicationPrefix = "trunkline/"

/**
 * Time limits for every session. `client_connection_check_interval` frees the locks of a client that was killed in the
 * middle of a statement within half a second (PostgreSQL 14 and newer).
 */
export const session = (url: Redacted.Redacted): PgConnection.Config => ({
  url,
  applicationName: `${applicationPrefix}${process.pid}`,
  connectTimeout: "5 seconds",
  keepAlive: "5 seconds",
  startupParameters: {
    statement_timeout: "5s",
    lock_timeout: "2s",
    idle_in_transaction_session_timeout: "10s",
    client_connection_check_interval: "500ms",
    tcp_keepalives_idle: "5",
    tcp_keepalives_interval: "2",
    tcp_keepalives_count: "3"
  }
})

const setWorkspace = "SELECT set_config('trunkline.workspace_id', $1, false)"

/** PostgreSQL answers COMMIT of a failed transaction with ROLLBACK, without an error. Makes that an error. */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: result,
              message: "COMMIT rolled back a failed transaction",
              operation: "commit"
            })
          })
        )
      : Effect.void
  )

/** All work of the engine itself is one holder. */
const engine = "engine"

const endSession = "SELECT pg_terminate_backend(pg_backend_pid())"

/** How often a session may be ended because it is read-only, in milliseconds: another costs a connection. */
const endEvery_ms = 1_000

/**
 * Reserves a session of the pool. A session that began while its role or database was read-only stays so. It is ended
 * after a write that it refused, so that the pool opens another.
 */
const reserveWritable = (pool: PgClient.PgClient) => {
  let endedAt = Number.NEGATIVE_INFINITY
  return Effect.tap(pool.reserve, (connection) =>
    Effect.addFinalizer((exit) =>
      Exit.isSuccess(exit) ||
      !exit.cause.reasons.some((reason) => Cause.isFailReason(reason) && isReadOnly(reason.error))
        ? Effect.void
        : Effect.flatMap(Clock.currentTimeMillis, (now) => {
            if (now - endedAt < endEvery_ms) return Effect.void
            endedAt = now
            return Effect.ignore(connection.executeRaw(endSession, []))
          })
    )
  )
}

/**
 * One client over two pools. The engine's own work uses the `system` pool. Reads for a request of a workspace use the
 * `requests` pool, whose role sees only that workspace's rows (RowSecurity.ts).
 */
const clientOverTwoPools = Effect.fnUntraced(function* (
  system: PgClient.PgClient,
  requests: PgClient.PgClient,
  queues: PoolQueues["Service"]
) {
  const asTenant = (workspace_id: WorkspaceId) =>
    Effect.andThen(
      Effect.flatMap(IsUrgent, (isUrgent) =>
        Effect.mapError((isUrgent ? queues.urgent : queues.requests).place(workspace_id), noConnection)
      ),
      Effect.tap(requests.reserve, (connection) => connection.executeRaw(setWorkspace, [workspace_id]))
    )
  const ofSystem = reserveWritable(system)
  const asEngine = Effect.andThen(Effect.mapError(queues.system.place(engine), noConnection), ofSystem)
  const acquirer = Effect.flatMap(CurrentTenant, (tenant) => (tenant === undefined ? asEngine : asTenant(tenant)))
  const client = yield* SqlClient.make({
    driver: system.driver,
    acquirer,
    borrower: (use) => Effect.scoped(Effect.flatMap(acquirer, use)),
    compiler: PgClient.makeCompiler(),
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]]
  })
  const { config, json, listen, notify } = system
  return Object.assign(client, { [PgClient.TypeId]: PgClient.TypeId, config, json, listen, notify })
})

/** So many reads of a workspace may wait as a key may make at once, each for two seconds. */
export const workspaceWaits = { waiting: 200, waiting_total: 2_000, wait_ms: 2_000 }
/**
 * What waits for the engine's own connections: all of it fails in an outage too, and is tried again. As many may wait
 * as there are live calls that a process takes over when it starts, and each as long as a statement may take.
 */
export const engineWaits = { waiting: 20_000, wait_ms: 5_000 }

/** The share of a workspace: half of the connections for requests. */
const sharesOf = (connections: number): FairShares =>
  makeFairShares({ total: connections, each: Math.max(1, connections >> 1), ...workspaceWaits })

const engineShares = (connections: number): FairShares =>
  makeFairShares({ total: connections, each: connections, ...engineWaits })

const noConnection = (cause: NoShare): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause,
      message: "No database connection is free",
      operation: "acquire"
    })
  })

/** The client for reads and small writes. `connections` (default 10) limits each of its two pools. */
export const layer = (options: { readonly url: Redacted.Redacted; readonly connections?: number }) => {
  const connections = options.connections ?? 10
  const queues = Layer.sync(PoolQueues, () => ({
    system: engineShares(connections),
    requests: sharesOf(connections),
    urgent: sharesOf(connections)
  }))
  return PgClient.layerFrom(
    Effect.gen(function* () {
      const common = { ...session(options.url), maxConnections: connections }
      const system = yield* PgClient.make({ ...common, minConnections: 1 })
      const requests = yield* PgClient.make({
        ...common,
        startupParameters: { ...common.startupParameters, role: requestRole, default_transaction_read_only: "on" }
      })
      return yield* clientOverTwoPools(system, requests, yield* PoolQueues)
    })
  ).pipe(Layer.provideMerge(queues))
}
