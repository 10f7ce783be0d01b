import type { PgClient } from "@effect/sql-pg"
import type { AuditRow } from "../../../domain/journal/Rows.ts"

/** A line of the audit log, for the transaction of a change that no actor makes. */
export const insertAudit = (sql: PgClient.PgClient, { created_at, ...row }: AuditRow) =>
  sql`INSERT INTO audit_entries ${sql.insert({ ...row, created_at: new Date(created_at) })}`
