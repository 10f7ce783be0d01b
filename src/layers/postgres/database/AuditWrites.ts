import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { AuditRow } from "../../../domain/journal/Rows.ts"

/**
 * Adds a row to the audit log, in the transaction of the change that it records. Actors write theirs in the journal.
 */
export const insertAudit = (
  sql: SqlClient.SqlClient,
  { created_at, ...row }: AuditRow
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`INSERT INTO audit_entries ${sql.insert({ ...row, created_at: new Date(created_at) })}`)

/** `insertAudit` with the client of the context. */
export const writeAudit = (row: AuditRow): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => insertAudit(sql, row))
