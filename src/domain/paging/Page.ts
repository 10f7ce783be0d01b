import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"
import type { Position } from "./Cursor.ts"

const default_limit = 50
const max_limit = 200

/** One page of a list. `next` is null on the last. */
export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly next: Position | null
}

/** The `limit` of a list. Default 50, max 200; larger values are clamped. */
export const pageLimit = (raw: string | undefined): Result.Result<number, BadRequest> => {
  if (raw === undefined) return Result.succeed(default_limit)
  const limit = /^\d+$/.test(raw) ? Number(raw) : 0
  if (limit >= 1) return Result.succeed(Math.min(limit, max_limit))
  const message = "limit must be a whole number of at least 1."
  return Result.fail(new BadRequest({ message, details: [{ field: "/limit", code: "out_of_range", message }] }))
}

/** The page that `limit + 1` rows make: the row too many only says that another page follows. */
export const pageOf = <Row>(rows: ReadonlyArray<Row>, limit: number, position: (row: Row) => Position): Page<Row> => {
  const last = rows[limit - 1]
  return rows.length > limit && last !== undefined
    ? { rows: rows.slice(0, limit), next: position(last) }
    : { rows, next: null }
}
