// Where a page of a list, newest first, begins and ends.
import type { PgClient } from "@effect/sql-pg"
import type { After } from "../../../domain/paging/After.ts"

/** Epoch milliseconds: from the first on, until before the second. */
export interface Period {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/**
 * One bound at either end: of two, an index is entered at whichever is named first, and everything up to the other is read.
 * So of the cursor and the end of the period the earlier is asked for, which says all that the later does.
 */
export const bounds = (sql: PgClient.PgClient, { from, to }: Period, after: After | undefined) => [
  ...(from === undefined ? [] : [sql`created_at >= ${new Date(from)}`]),
  ...(after !== undefined && (to === undefined || after.at < to)
    ? [sql`(created_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`]
    : to === undefined
      ? []
      : [sql`created_at < ${new Date(to)}`])
]
