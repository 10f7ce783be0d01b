// Pages of lists: bare arrays, newest first, with the way to the next page in the headers.
import { Effect, type Result, Schema, SchemaGetter } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiSchema } from "effect/http-api"
import { GivenInstant } from "../../domain/GivenInstant.ts"
import { type BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import type { After } from "../../domain/paging/After.ts"
import { decodeCursor, encodeCursor, type Position, type Query } from "../../domain/paging/Cursor.ts"
import { pageLimit, pageOf } from "../../domain/paging/Page.ts"
import { CursorSigner } from "../../domain/ports/CursorSigner.ts"

const Text = (max: number) => Schema.String.check(Schema.isMaxLength(max), Schema.isPattern(/^[^\0]*$/))

/** A word to filter by. */
export const FilterText = Text(128)

/** An RFC 3339 instant in a query, as epoch milliseconds. */
export const FilterInstant = GivenInstant.annotate({ description: "RFC 3339.", format: "date-time" }).pipe(
  Schema.decodeTo(Schema.Number, {
    decode: SchemaGetter.transform((text) => Date.parse(text)),
    encode: SchemaGetter.transform((at) => new Date(at).toISOString())
  })
)

/** What every list takes. */
export const paging = {
  limit: Schema.optionalKey(Text(32)).annotate({
    description: "How many rows, 1 to 200; 50 if absent, and more is taken for 200."
  }),
  cursor: Schema.optionalKey(Text(1024)).annotate({ description: "`X-Next-Cursor` of the page before." })
}

/** What every list answers. */
export const ListOf = <S extends Schema.Top>(row: S) =>
  HttpApiSchema.WithHeaders(Schema.Array(row), {
    "x-next-cursor": Schema.optionalKey(Schema.String).annotate({ description: "Absent on the last page." }),
    link: Schema.optionalKey(Schema.String).annotate({ description: 'The next page, `rel="next"` (RFC 8288).' })
  })

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
 * One page. `query` names the list and all that filters it, workspace included: a cursor serves nothing else.
 */
export const page = <Row extends { readonly id: string }, E, R>(options: {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly paging: { readonly limit?: string; readonly cursor?: string }
  readonly query: Query
  /** What the list is sorted by: an instant in epoch milliseconds, or a sequence. */
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
    const rowsAndOne = yield* options.read(after, limit + 1)
    const { rows, next } = pageOf(rowsAndOne, limit, (row) => ({ sort: options.sort(row), id: row.id }))
    if (next === null) return HttpApiSchema.withHeaders({ body: rows, headers: {} })
    const following = encodeCursor(signer, next, options.query)
    return HttpApiSchema.withHeaders({
      body: rows,
      headers: { "x-next-cursor": following, link: nextLink(options.request.url, following) }
    })
  })
