import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"
import type { Position } from "./Cursor.ts"

const default_limit = 50
export const max_limit = 200

/** A page ends after the row with which it reaches this many characters of JSON, whatever its limit. */
const max_characters = 1024 * 1024

/** One page of a list. `next` is null on the last. */
export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly next: Position | null
}

/** The `limit` of a list. At most 200; larger values are clamped. `usual`: the limit of a request that has none. */
export const pageLimit = (raw: string | undefined, usual = default_limit): Result.Result<number, BadRequest> => {
  if (raw === undefined) return Result.succeed(usual)
  const limit = /^\d+$/.test(raw) ? Number(raw) : 0
  if (limit >= 1) return Result.succeed(Math.min(limit, max_limit))
  const message = "limit must be a whole number of at least 1."
  return Result.fail(new BadRequest({ message, details: [{ field: "/limit", code: "out_of_range", message }] }))
}

/** How many of the rows fit into a page: at least one. */
const fitting = (rows: ReadonlyArray<unknown>, max: number): number => {
  let characters = 0
  const last = rows.findIndex((row) => {
    characters += JSON.stringify(row).length
    return characters >= max
  })
  return last < 0 ? rows.length : last + 1
}

/**
 * The page that `limit + 1` rows make: the row too many only says that another page follows. Fewer rows if they are
 * large.
 */
export const pageOf = <Row>(rows: ReadonlyArray<Row>, limit: number, position: (row: Row) => Position): Page<Row> => {
  const count = Math.min(limit, fitting(rows, max_characters))
  const last = rows[count - 1]
  return rows.length > count && last !== undefined
    ? { rows: rows.slice(0, count), next: position(last) }
    : { rows, next: null }
}
