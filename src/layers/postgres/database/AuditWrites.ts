// Lines of the audit log for what is no actor's: to be written in the transaction of what they record.
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { AuditRow } from "../../../domain/journal/Rows.ts"

export const writeAudit = (row: AuditRow): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.asVoid(sql`INSERT INTO audit_entries ${sql.insert({ ...row, created_at: new Date(row.created_at) })}`)
  )
