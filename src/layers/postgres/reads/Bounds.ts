// SQL conditions for one page of a list that is sorted newest first.
import type { PgClient } from "@effect/sql-pg"
import type { Statement } from "effect/sql"
import type { After } from "../../../domain/paging/After.ts"

/** Epoch milliseconds; `from` is inclusive, `to` exclusive. */
export interface Period {
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** What orders rows of one instant. Default: their ids. */
interface Tie {
  readonly column: string
  /** Its value in the row that the cursor names. */
  readonly value: Statement.Fragment
}

/**
 * Returns at most one condition for each end. With two upper conditions PostgreSQL enters the index at the first one
 * and reads up to the other, so only the earlier of the cursor and `to` is used; it implies the other.
 */
export const bounds = (sql: PgClient.PgClient, { from, to }: Period, after: After | undefined, tie?: Tie) => [
  ...(from === undefined ? [] : [sql`created_at >= ${new Date(from)}`]),
  ...(after !== undefined && (to === undefined || after.at < to)
    ? [
        tie === undefined
          ? sql`(created_at, id) < (${new Date(after.at)}, ${after.id}::uuid)`
          : sql`(created_at, ${sql(tie.column)}) < (${new Date(after.at)}, ${tie.value})`
      ]
    : to === undefined
      ? []
      : [sql`created_at < ${new Date(to)}`])
]
