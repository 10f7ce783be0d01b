import { Effect } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { NotCommitted } from "../../../domain/errors/NotCommitted.ts"
import type { IdempotencyRow } from "../../../domain/journal/Rows.ts"

/**
 * Stores the response to a request with an Idempotency-Key, in the transaction of its effect. Actors write theirs in
 * the journal. Undefined: the request has no key.
 */
export const writeAnswer = (
  row: IdempotencyRow | undefined
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  row === undefined
    ? Effect.void
    : Effect.flatMap(SqlClient.SqlClient, (sql) => {
        const values = { ...row, headers: JSON.stringify(row.headers), created_at: new Date(row.created_at) }
        return Effect.asVoid(sql`INSERT INTO idempotency_keys ${sql.insert(values)}`)
      })

/** Why a transaction with `writeAnswer` failed. */
export const notCommitted = (cause: unknown): NotCommitted => {
  const reason = cause instanceof SqlError.SqlError ? cause.reason : undefined
  const isDuplicate = reason?._tag === "UniqueViolation" && reason.constraint === "idempotency_keys_pkey"
  return new NotCommitted({ reason: isDuplicate ? "duplicate" : "unavailable", cause })
}
