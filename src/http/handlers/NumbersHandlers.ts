import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { numberLocation } from "../../actors/numbers/NumberActor.ts"
import { Numbers } from "../../actors/numbers/Numbers.ts"
import { NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import type { RoutingRequest } from "../../domain/numbers/Routing.ts"
import { pageLimit } from "../../domain/paging/Page.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import { Api } from "../api/Api.ts"
import { group } from "../server/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { requestContext, requestOrigin } from "../request/RequestOrigin.ts"
import type { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"

const json = (status: number, record: NumberRecord, headers: Record<string, string> = {}) =>
  HttpServerResponse.text(JSON.stringify(record), { status, headers, contentType: "application/json" })

const created = (record: NumberRecord) => json(201, record, { location: numberLocation(record.id) })

const routingView = ({ id, label, number, routing }: NumberRecord, secret?: string) => ({
  id,
  number,
  label,
  ...routing,
  ...(secret !== undefined && { secret })
})

type Rerouting = RoutingRequest & { readonly label?: string | null }

export const NumbersHandlers = group(
  Api,
  "numbers",
  Effect.fnUntraced(function* (handlers) {
    const directory = yield* Directory
    const numbers = yield* Numbers
    const reads = yield* NumberReads

    const find = Effect.fnUntraced(function* (id: NumberId) {
      const { workspace_id } = yield* CurrentPrincipal
      return (yield* reads.find(workspace_id, id)) ?? (yield* new NumberNotFound())
    })

    const currencyOf = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
      const workspace = yield* directory.workspace(workspace_id)
      return workspace?.currency ?? (yield* new WalletNotFound())
    })

    const reroute = Effect.fnUntraced(function* (
      id: NumberId,
      { label, ...request }: Rerouting,
      mode: "merge" | "replace"
    ) {
      const { workspace_id } = yield* CurrentPrincipal
      const rerouting = { request, mode, ...(label !== undefined && { label }) }
      const { record, secret } = yield* numbers.route(workspace_id, id, rerouting, { origin: yield* requestOrigin })
      return routingView(record, secret)
    })

    return handlers.handleAll({
      available: Effect.fnUntraced(function* ({ query: { currency, limit, ...filter } }) {
        const { workspace_id } = yield* CurrentPrincipal
        const rows = yield* Effect.fromResult(pageLimit(limit))
        return yield* reads.available(workspace_id, currency ?? (yield* currencyOf(workspace_id)), filter, rows)
      }),
      claim: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return created(yield* numbers.claim(workspace_id, params.id, yield* requestContext))
      }),
      list: Effect.fnUntraced(function* ({ query: { limit: _limit, cursor: _cursor, ...filter }, query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "numbers", workspace_id, ...filter },
          read: (after, limit) => reads.list(workspace_id, filter, after, limit),
          sort: (number) => (number.claimed_at === null ? 0 : Date.parse(number.claimed_at))
        })
      }),
      get: ({ params }) => find(params.id),
      release: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return json(200, yield* numbers.release(workspace_id, params.id, yield* requestContext))
      }),
      routing: ({ params }) => Effect.map(find(params.id), (record) => routingView(record)),
      mergeRouting: ({ params, payload }) => reroute(params.id, payload, "merge"),
      replaceRouting: ({ params, payload }) => reroute(params.id, payload, "replace"),
      bring: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return created(yield* numbers.register(workspace_id, payload, yield* requestContext))
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        yield* numbers.remove(workspace_id, params.id, { origin: yield* requestOrigin })
      })
    })
  })
)
