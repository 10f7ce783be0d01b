import { Clock, Effect } from "effect"
import { Numbers } from "../../actors/numbers/Numbers.ts"
import { auditRow } from "../../domain/access/Origin.ts"
import { NotFound } from "../../domain/errors/GeneralErrors.ts"
import { SeriesInvalid, SeriesNotActive } from "../../domain/errors/NumberErrors.ts"
import { rangeOf, type SeriesRecord, seriesOf, type SuffixRange } from "../../domain/numbers/Series.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { SeriesStore } from "../../domain/ports/numbers/SeriesStore.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { listPage } from "../request/ListPage.ts"
import { operatorOrigin } from "../request/RequestOrigin.ts"
import { storedAnswer } from "../request/StoredAnswer.ts"
import { toWorkspaceId } from "../../domain/BrandedIds.ts"

/** A line of the platform's audit log about a series. */
const seriesLine = Effect.fnUntraced(function* (
  action_kind: "series.created" | "series.generated" | "series.retired",
  id: string
) {
  const origin = yield* operatorOrigin
  const at = yield* Clock.currentTimeMillis
  return (after: unknown) =>
    auditRow(origin, { workspace_id: null, action_kind, target: { type: "number_series", id }, after, at })
})

const unknownProvider = () => {
  const message = "There is no such active provider."
  return new SeriesInvalid({ message, details: [{ field: "/provider_id", code: "unknown", message }] })
}

/** Generates the numbers of the range, and makes the response. */
const generate = Effect.fnUntraced(function* (store: SeriesStore["Service"], series: SeriesRecord, range: SuffixRange) {
  const line = yield* seriesLine("series.generated", series.id)
  const answer = yield* storedAnswer(200)
  const bodyOf = (generated: number) => ({ series_id: series.id, ...range, generated })
  const generated = yield* store.generate(
    series,
    range,
    (generated) => line({ ...range, generated }),
    (generated) => answer.row(bodyOf(generated))
  )
  return answer.response(bodyOf(generated))
})

export const AdminNumbersHandlers = group(
  Api,
  "admin_numbers",
  Effect.fnUntraced(function* (handlers) {
    const ids = yield* Ids
    const numbers = yield* Numbers
    const store = yield* SeriesStore

    const find = Effect.fnUntraced(function* (id: string) {
      return (yield* store.find(id)) ?? (yield* new NotFound({ message: "There is no such series." }))
    })

    return handlers.handleAll({
      createSeries: Effect.fnUntraced(function* ({ payload }) {
        const facts = yield* Effect.fromResult(seriesOf(payload))
        const id = ids.uuid()
        const line = yield* seriesLine("series.created", id)
        const answer = yield* storedAnswer(201)
        const created = yield* store.create(id, facts, line(facts), answer.row)
        return answer.response(created ?? (yield* unknownProvider()))
      }),
      listSeries: Effect.fnUntraced(function* ({
        query: { limit: _limit, cursor: _cursor, ...filter },
        query,
        request
      }) {
        return yield* listPage({
          request,
          paging: query,
          query: { list: "number_series", ...filter },
          read: (after, limit) => store.list(filter, after, limit),
          sort: ({ created_at }) => Date.parse(created_at)
        })
      }),
      generate: Effect.fnUntraced(function* ({ params: { id }, payload }) {
        const series = yield* find(id)
        if (series.status !== "active") return yield* new SeriesNotActive()
        const range = yield* Effect.fromResult(rangeOf(series, payload ?? {}))
        return yield* generate(store, series, range)
      }),
      retireSeries: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* find(id)
        const line = yield* seriesLine("series.retired", id)
        const retired_numbers = yield* store.retire(id, (retired_numbers) => line({ retired_numbers }))
        return { ...(yield* find(id)), retired_numbers }
      }),
      setPrices: Effect.fnUntraced(function* ({ payload: { prices } }) {
        const origin = yield* operatorOrigin
        const at = yield* Clock.currentTimeMillis
        const target = {
          type: "series_prices",
          id: [...new Set(prices.map(({ series_id }) => series_id))].slice(0, 20).join(",")
        }
        const set = yield* store.setPrices(
          prices,
          auditRow(origin, { workspace_id: null, action_kind: "rate.changed", target, after: prices, at })
        )
        return set ? { prices } : yield* new NotFound({ message: "A series does not exist. No price was changed." })
      }),
      listPrices: ({ query }) => store.prices(query),
      reassign: Effect.fnUntraced(function* ({ params, payload }) {
        const workspace_id = toWorkspaceId(payload.workspace_id.toLowerCase())
        return yield* numbers.reassign(params.id, workspace_id, { origin: yield* operatorOrigin })
      }),
      retireNumber: Effect.fnUntraced(function* ({ params }) {
        return yield* numbers.retire(params.id, { origin: yield* operatorOrigin })
      })
    })
  })
)
