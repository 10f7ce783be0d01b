// Turns a filter and a cursor into SQL conditions on `calls`.
import type { PgClient } from "@effect/sql-pg"
import type { After } from "../../../domain/paging/After.ts"
import { bounds } from "../reads/Bounds.ts"
import type { CallFilter } from "../../../domain/calls/views/CallFilter.ts"
import { keysOf } from "../../../domain/KeysOf.ts"

/** The columns of the filters that compare for equality, usually rare values first. */
const columns = {
  client_reference: "client_reference",
  to: "to_e164",
  from: "from_e164",
  number_id: "number_id",
  status: "status",
  direction: "direction"
} as const

type Sought = keyof typeof columns

/** The equality filters that are present, with their values, usually rare ones first. */
export const sought = (filter: CallFilter): ReadonlyArray<readonly [Sought, string]> =>
  keysOf(columns).flatMap((name) => {
    const value = filter[name]
    return value === undefined ? [] : [[name, value] as const]
  })

export const conditions = (sql: PgClient.PgClient, filter: CallFilter, after: After | undefined) => [
  ...sought(filter).map(([name, value]) => sql`${sql(columns[name])} = ${value}`),
  ...bounds(sql, { from: filter.created_after, to: filter.created_before }, after)
]
