import { Clock, Effect, Schema, SchemaIssue } from "effect"
import { makeSeenAfterwards } from "../../actors/shared/SeenAfterwards.ts"
import { auditRow } from "../../domain/access/Origin.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import {
  rateOfColumns,
  RateReader,
  RateRequest,
  rates_at_once,
  type RatesChanged
} from "../../domain/numbers/RateSheet.ts"
import { RateTable } from "../../domain/ports/numbers/RateTable.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { pointer } from "../../domain/json/JsonPointer.ts"
import { listPage } from "../request/ListPage.ts"
import { operatorOrigin } from "../request/RequestOrigin.ts"
import { storedAnswer } from "../request/StoredAnswer.ts"

const decode = Schema.decodeUnknownEffect(Schema.Array(RateRequest), { errors: "all" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

type Columns = Readonly<Record<string, string>>

/** Checks some rows of a CSV table like the same rates in JSON, with the same JSON pointers in errors. */
const ofRows = (rows: ReadonlyArray<Columns>, first: number) =>
  Effect.mapError(
    decode(rows.map(rateOfColumns)),
    ({ issue }) =>
      new BadRequest({
        details: format(issue)
          .issues.slice(0, 20)
          .map(({ message, path: [row, ...path] = [] }) => ({
            field: pointer(["rates", first + Number(row), ...path]),
            code: "invalid",
            message
          }))
      })
  )

const noRates = new BadRequest({ details: [{ field: "/rates", code: "invalid", message: "There is no rate." }] })

/** Reads rates with pauses, so that others have their turn. */
const inParts = Effect.fnUntraced(function* <Row, E>(
  rows: ReadonlyArray<Row>,
  now: number,
  ratesOf: (part: ReadonlyArray<Row>, first: number) => Effect.Effect<ReadonlyArray<RateRequest>, E>
) {
  if (rows.length === 0) return yield* noRates
  const reader = new RateReader(now)
  for (let first = 0; first < rows.length; first += rates_at_once) {
    reader.read(yield* ratesOf(rows.slice(first, first + rates_at_once), first))
    yield* Effect.yieldNow
  }
  return yield* Effect.fromResult(reader.result)
})

export const AdminRatesHandlers = group(
  Api,
  "admin_rates",
  Effect.fnUntraced(function* (handlers) {
    const seenAfterwards = yield* makeSeenAfterwards
    const table = yield* RateTable
    return handlers.handleAll({
      upsert: Effect.fnUntraced(function* ({ payload }) {
        const at = yield* Clock.currentTimeMillis
        const writes =
          typeof payload === "string"
            ? yield* inParts(yield* table.rows(payload), at, ofRows)
            : yield* inParts(payload.rates, at, Effect.succeed)
        const origin = yield* operatorOrigin
        const answer = yield* storedAnswer(200)
        const audit = (changed: RatesChanged) =>
          auditRow(origin, {
            workspace_id: null,
            action_kind: "rate.changed",
            target: { type: "rates", id: [...new Set(writes.map(({ currency }) => currency))].join(",") },
            after: changed,
            at
          })
        return answer.response(yield* seenAfterwards(table.upsert(writes, audit, answer.row)))
      }),
      list: Effect.fnUntraced(function* ({ query: { limit: _limit, cursor: _cursor, ...filter }, query, request }) {
        return yield* listPage({
          request,
          paging: query,
          query: { list: "rates", ...filter },
          read: (after, limit) => table.list(filter, after, limit),
          sort: ({ effective_from }) => Date.parse(effective_from)
        })
      })
    })
  })
)
