import { Clock, Effect, Schema, SchemaIssue } from "effect"
import { makeSeenAfterwards } from "../../actors/shared/SeenAfterwards.ts"
import { auditRow } from "../../domain/access/Origin.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { rateOfColumns, type RatesChanged, RatesRequest, ratesOf } from "../../domain/numbers/RateSheet.ts"
import { RateTable } from "../../domain/ports/numbers/RateTable.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { pointer } from "../../domain/json/JsonPointer.ts"
import { listPage } from "../request/ListPage.ts"
import { operatorOrigin } from "../request/RequestOrigin.ts"
import { storedAnswer } from "../request/StoredAnswer.ts"

const decode = Schema.decodeUnknownEffect(RatesRequest, { errors: "all" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** Checks the rows of a CSV table like the same rates in JSON, with the same JSON pointers in errors. */
const ofTable = (rows: ReadonlyArray<Readonly<Record<string, string>>>) =>
  Effect.mapError(
    decode({ rates: rows.map(rateOfColumns) }),
    ({ issue }) =>
      new BadRequest({
        details: format(issue)
          .issues.slice(0, 20)
          .map(({ message, path }) => ({ field: pointer(path ?? []), code: "invalid", message }))
      })
  )

export const AdminRatesHandlers = group(
  Api,
  "admin_rates",
  Effect.fnUntraced(function* (handlers) {
    const seenAfterwards = yield* makeSeenAfterwards
    const table = yield* RateTable
    return handlers.handleAll({
      upsert: Effect.fnUntraced(function* ({ payload }) {
        const { rates } = typeof payload === "string" ? yield* ofTable(yield* table.rows(payload)) : payload
        const at = yield* Clock.currentTimeMillis
        const writes = yield* Effect.fromResult(ratesOf(rates, at))
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
