// Reads one page of a list: a bare array, with the next page in the headers.
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { type BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import type { After } from "../../domain/paging/After.ts"
import { decodeCursor, encodeCursor, type Position, type Query } from "../../domain/paging/Cursor.ts"
import { pageLimit, pageOf } from "../../domain/paging/Page.ts"
import { CursorSigner } from "../../domain/paging/CursorSigner.ts"

const nextLink = (url: string, cursor: string): string => {
  const [path, query] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  parameters.set("cursor", cursor)
  return `<${path}?${parameters}>; rel="next"`
}

export const afterOf = ({ sort, id }: Position): Effect.Effect<After, InvalidCursor> =>
  typeof sort === "number" ? Effect.succeed({ at: sort, id }) : Effect.fail(new InvalidCursor())

interface Asked {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly paging: { readonly limit?: string; readonly cursor?: string }
  readonly query: Query
}

interface Listed<Row, E, R> extends Asked {
  readonly position: (row: Row) => Position
  readonly read: (after: Position | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>, E, R>
}

type ListPage<Row> = HttpApiSchema.withHeaders<
  ReadonlyArray<Row>,
  { readonly "x-next-cursor"?: string; readonly link?: string }
>

/** Where the page begins that a request asks for, and how many rows it may have. `usual`: the rows without `limit`. */
export const askedPage = ({ paging, query }: Asked, usual?: number) =>
  Effect.gen(function* () {
    const signer = yield* CursorSigner
    const limit = yield* Effect.fromResult(pageLimit(paging.limit, usual))
    const { cursor } = paging
    const after = cursor === undefined ? undefined : yield* Effect.fromResult(decodeCursor(signer, cursor, query))
    return { after, limit }
  })

/** The cursor of the page after `next`, and the headers that lead there. */
export const nextPage = ({ query, request }: Asked, next: Position | null) =>
  Effect.map(CursorSigner, (signer) => {
    if (next === null) return { cursor: null, headers: {} }
    const cursor = encodeCursor(signer, next, query)
    return { cursor, headers: { "x-next-cursor": cursor, link: nextLink(request.url, cursor) } }
  })

/** Reads one page of a list in any order. `position`: the place of a row in it. */
export const pageInOrder = <Row, E, R>(
  options: Listed<Row, E, R>
): Effect.Effect<ListPage<Row>, E | BadRequest | InvalidCursor, R | CursorSigner> =>
  Effect.gen(function* () {
    const { after, limit } = yield* askedPage(options)
    const { rows, next } = pageOf(yield* options.read(after, limit + 1), limit, options.position)
    const { headers } = yield* nextPage(options, next)
    return HttpApiSchema.withHeaders({ body: rows, headers })
  })

/**
 * Reads one page of a list that is sorted by a number. `query` names the list and all its filters, the workspace
 * included: a cursor is valid for the same query only. `read` is asked for one row more than the page holds, to see
 * whether there is a next page. `sort`: an instant in epoch milliseconds, or a sequence.
 */
export const listPage = <Row extends { readonly id: string }, E, R>({
  read,
  sort,
  ...list
}: Omit<Listed<Row, E, R>, "position" | "read"> & {
  readonly sort: (row: Row) => number
  readonly read: (after: After | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>, E, R>
}): Effect.Effect<ListPage<Row>, E | BadRequest | InvalidCursor, R | CursorSigner> =>
  pageInOrder<Row, E | InvalidCursor, R>({
    ...list,
    position: (row) => ({ sort: sort(row), id: row.id }),
    read: (after, limit) =>
      after === undefined ? read(undefined, limit) : Effect.flatMap(afterOf(after), (after) => read(after, limit))
  })
