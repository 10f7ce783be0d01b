// Sessions with PostgreSQL: what every connection of the engine has in common, and the pool.
import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Effect, type Redacted } from "effect"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { CurrentTenant } from "../../../domain/access/CurrentTenant.ts"
import { requestRole } from "./RowSecurity.ts"

/** Sessions of all engines and tools of this project begin with it; the process id follows. */
export const applicationPrefix = "trunkline/"

/**
 * Bounds on everything a session may wait for. `client_connection_check_interval` frees the locks of a client that
 * was killed in the middle of a statement within half a second (PostgreSQL 14 and newer).
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

const become = "SELECT set_config('trunkline.workspace_id', $1, false)"

/** A transaction that had failed answers COMMIT with ROLLBACK: that is no commit. */
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

/**
 * One client over two pools. What the engine does of its own accord goes through the first; what it reads for a request
 * that came in for a workspace goes through the second, whose sessions are of a role that sees that workspace alone.
 */
const divided = Effect.fnUntraced(function* (system: PgClient.PgClient, requests: PgClient.PgClient) {
  const asTenant = (workspace_id: string) =>
    Effect.tap(requests.reserve, (connection) => connection.executeRaw(become, [workspace_id]))
  const acquirer = Effect.flatMap(CurrentTenant, (tenant) => (tenant === undefined ? system.reserve : asTenant(tenant)))
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

/** The pool that reads and small writes use; `connections` at most for each of the two, opened when they are needed. */
export const layer = (options: { readonly url: Redacted.Redacted; readonly connections?: number }) =>
  PgClient.layerFrom(
    Effect.gen(function* () {
      const common = { ...session(options.url), maxConnections: options.connections ?? 10 }
      const system = yield* PgClient.make({ ...common, minConnections: 1 })
      const requests = yield* PgClient.make({
        ...common,
        startupParameters: { ...common.startupParameters, role: requestRole, default_transaction_read_only: "on" }
      })
      return yield* divided(system, requests)
    })
  )
