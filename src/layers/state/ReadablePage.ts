// A page of a list of which some rows are unreadable. They are left out, and the page is filled up with the rows after
// them: a short page would end the list.
import { Effect } from "effect"
import type { After } from "../../domain/paging/After.ts"
import { Unreadable } from "../../domain/state/StoredState.ts"
import { readableRows, type RowName } from "./UnreadableRows.ts"

/** How often a page is filled up. A page that stays short means that most rows are unreadable. */
const refills_max = 20

export interface ReadablePage<Row, A, E, R> {
  readonly after: After | undefined
  readonly limit: number
  /** Reads the first `limit` rows after a place, in the order of the list. */
  readonly rows: (after: After | undefined) => Effect.Effect<ReadonlyArray<Row>, E, R>
  readonly of: (row: Row) => RowName
  readonly placeOf: (row: Row) => After
  /** Throws for an unreadable row. */
  readonly show: (row: Row) => A
}

export const readablePage = <Row, A, E, R>({
  limit,
  of,
  placeOf,
  rows,
  show,
  ...page
}: ReadablePage<Row, A, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.gen(function* () {
    const found: Array<A> = []
    let { after } = page
    for (let refills = 0; refills <= refills_max; refills++) {
      const read = yield* rows(after)
      found.push(...(yield* readableRows(read, of, show)))
      const last = read.at(-1)
      if (last === undefined || read.length < limit || found.length >= limit) return found.slice(0, limit)
      after = placeOf(last)
    }
    return yield* Effect.die(new Unreadable("Most rows of a list are unreadable; the log names them."))
  })
