// Reads one page of a list: bare arrays, newest first, with the next page in the headers.
import { Effect, type Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { type BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import type { After } from "../../domain/paging/After.ts"
import { decodeCursor, encodeCursor, type Position, type Query } from "../../domain/paging/Cursor.ts"
import { pageLimit, pageOf } from "../../domain/paging/Page.ts"
import { CursorSigner } from "../../domain/ports/CursorSigner.ts"

const nextLink = (url: string, cursor: string): string => {
  const [path, query] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  parameters.set("cursor", cursor)
  return `<${path}?${parameters}>; rel="next"`
}

const afterOf = (decoded: Result.Result<Position, InvalidCursor>): Effect.Effect<After, InvalidCursor> =>
  Effect.flatMap(Effect.fromResult(decoded), ({ sort, id }) =>
    typeof sort === "number" ? Effect.succeed({ at: sort, id }) : Effect.fail(new InvalidCursor())
  )

/**
 * Reads one page. `query` names the list and all its filters, the workspace included: a cursor is valid for the same
 * query only. `read` is asked for one row more than the page holds, to see whether there is a next page.
 */
export const listPage = <Row extends { readonly id: string }, E, R>(options: {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly paging: { readonly limit?: string; readonly cursor?: string }
  readonly query: Query
  /** The sort value of a row: an instant in epoch milliseconds, or a sequence. */
  readonly sort: (row: Row) => number
  readonly read: (after: After | undefined, limit: number) => Effect.Effect<ReadonlyArray<Row>, E, R>
}): Effect.Effect<
  HttpApiSchema.withHeaders<ReadonlyArray<Row>, { readonly "x-next-cursor"?: string; readonly link?: string }>,
  E | BadRequest | InvalidCursor,
  R | CursorSigner
> =>
  Effect.gen(function* () {
    const signer = yield* CursorSigner
    const limit = yield* Effect.fromResult(pageLimit(options.paging.limit))
    const { cursor } = options.paging
    const after = cursor === undefined ? undefined : yield* afterOf(decodeCursor(signer, cursor, options.query))
    const rowsAndNext = yield* options.read(after, limit + 1)
    const { rows, next } = pageOf(rowsAndNext, limit, (row) => ({ sort: options.sort(row), id: row.id }))
    if (next === null) return HttpApiSchema.withHeaders({ body: rows, headers: {} })
    const following = encodeCursor(signer, next, options.query)
    return HttpApiSchema.withHeaders({
      body: rows,
      headers: { "x-next-cursor": following, link: nextLink(options.request.url, following) }
    })
  })
