import { Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { Legs } from "../../actors/calls/Legs.ts"
import { numberLocation } from "../../actors/numbers/NumberActor.ts"
import { Numbers } from "../../actors/numbers/Numbers.ts"
import { CallInvalidDestination } from "../../domain/errors/CallErrors.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { numberLookup } from "../../domain/calls/policy/NumberLookup.ts"
import { CarrierData } from "../../domain/ports/numbers/CarrierData.ts"
import { NumberPlan } from "../../domain/ports/numbers/NumberPlan.ts"
import { NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { CurrencyUnsupported, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import type { RoutingRequest } from "../../domain/numbers/Routing.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import type { Position } from "../../domain/paging/Cursor.ts"
import { type Currency, isCurrency } from "../../domain/wallet/Currency.ts"
import type { InventoryFilter, InventoryItem } from "../../domain/numbers/InventoryItem.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage, pageInOrder } from "../request/ListPage.ts"
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

/** The inventory, by country and number. */
const inventory = (
  reads: NumberReads["Service"],
  workspace_id: WorkspaceId,
  currency: Currency,
  filter: InventoryFilter
) => ({
  position: ({ country, number }: InventoryItem) => ({ sort: country, id: number }),
  read: (after: Position | undefined, limit: number) =>
    reads.available(workspace_id, currency, filter, limit, after && { country: String(after.sort), number: after.id })
})

const makeBrowse = (reads: NumberReads["Service"], directory: Directory["Service"]) =>
  Effect.fnUntraced(function* ({
    query: { currency: asked, limit: _limit, cursor: _cursor, ...filter },
    query,
    request
  }: {
    readonly query: InventoryFilter & {
      readonly currency?: string
      readonly limit?: string
      readonly cursor?: string
    }
    readonly request: HttpServerRequest.HttpServerRequest
  }) {
    const { workspace_id } = yield* CurrentPrincipal
    if (asked !== undefined && !isCurrency(asked)) return yield* new CurrencyUnsupported()
    const currency = asked ?? (yield* directory.workspace(workspace_id))?.currency ?? (yield* new WalletNotFound())
    const list = { list: "inventory", workspace_id, currency, ...filter }
    return yield* pageInOrder({
      ...inventory(reads, workspace_id, currency, filter),
      request,
      paging: query,
      query: list
    })
  })

/** A source of carriers that does not answer in this time is not waited for. */
const carrier_within = "2 seconds"

const makeLookup = Effect.gen(function* () {
  const legs = yield* Legs
  const plan = yield* NumberPlan
  const carriers = yield* CarrierData

  const carrierOf = (number: string) =>
    carriers.find(number).pipe(
      Effect.timeoutOption(carrier_within),
      Effect.map((found) => Option.getOrUndefined(found) ?? null),
      Effect.catch((error) => Effect.as(Effect.logWarning("The source of carriers failed", error), null))
    )

  return Effect.fnUntraced(function* ({ params }: { readonly params: { readonly number: string } }) {
    const { workspace_id } = yield* CurrentPrincipal
    const reading = plan.read(params.number, { strict: true, allow_test: isSandbox(workspace_id) })
    if (!reading.ok) {
      const { reason, suggested_e164 } = reading
      return yield* new CallInvalidDestination({ reason, ...(suggested_e164 !== undefined && { suggested_e164 }) })
    }
    const use = yield* legs.use(workspace_id, reading)
    return numberLookup(use, plan.describe(reading.e164), yield* carrierOf(reading.e164))
  })
})

export const NumbersHandlers = group(
  Api,
  "numbers",
  Effect.fnUntraced(function* (handlers) {
    const numbers = yield* Numbers
    const reads = yield* NumberReads
    const browse = makeBrowse(reads, yield* Directory)
    const lookup = yield* makeLookup

    const find = Effect.fnUntraced(function* (id: NumberId) {
      const { workspace_id } = yield* CurrentPrincipal
      return (yield* reads.find(workspace_id, id)) ?? (yield* new NumberNotFound())
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
      available: browse,
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
      lookup,
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
