// SQL conditions for one page of a list that is sorted newest first.
import type { PgClient } from "@effect/sql-pg"
import type { After } from "../../../domain/paging/After.ts"

/** Epoch milliseconds; `from` is inclusive, `to` exclusive. */
export interface Period {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * Returns at most one condition for each end. With two upper conditions PostgreSQL enters the index at the first one
 * and reads up to the other, so only the earlier of the cursor and `to` is used; it implies the other.
 */
export const bounds = (sql: PgClient.PgClient, { from, to }: Period, after: After | undefined) => [
  ...(from === undefined ? [] : [sql`created_at >= ${new Date(from)}`]),
  ...(after !== undefined && (to === undefined || after.at < to)
    ? [sql`(created_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`]
    : to === undefined
      ? []
      : [sql`created_at < ${new Date(to)}`])
]
