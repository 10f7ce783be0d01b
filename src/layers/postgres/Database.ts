// Sessions with PostgreSQL: what every connection of the engine has in common, and the pool.
import { PgClient, type PgConnection } from "@effect/sql-pg"
import type { Redacted } from "effect"

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

/** The pool that reads and small writes use; `connections` at most, opened when they are needed. */
export const layer = (options: { readonly url: Redacted.Redacted; readonly connections?: number }) =>
  PgClient.layer({ ...session(options.url), maxConnections: options.connections ?? 10, minConnections: 1 })
