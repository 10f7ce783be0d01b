import { Clock, Effect } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { Calls } from "../../actors/calls/Calls.ts"
import { callStats, dayRange } from "../../domain/calls/views/CallStats.ts"
import { chargeBreakdown } from "../../domain/calls/views/ChargeBreakdown.ts"
import { timelinePage } from "../../domain/calls/views/Timeline.ts"
import { CallNotFound } from "../../domain/errors/CallErrors.ts"
import { CallHistory } from "../../domain/ports/calls/CallHistory.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import { CallStatistics } from "../../domain/ports/calls/CallStatistics.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Api } from "../api/Api.ts"
import type { Position } from "../../domain/paging/Cursor.ts"
import { max_limit } from "../../domain/paging/Page.ts"
import { afterOf, askedPage, nextPage } from "../request/ListPage.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import type { CallId, CallRef, WorkspaceId } from "../../domain/BrandedIds.ts"

const placeOf = (position: Position) => Effect.map(afterOf(position), ({ at, id }) => ({ at, tie: id }))

export const CallStatsHandlers = group(
  Api,
  "callStats",
  Effect.fnUntraced(function* (handlers) {
    const statistics = yield* CallStatistics
    const directory = yield* Directory
    const history = yield* CallHistory
    const reads = yield* CallReads
    const calls = yield* Calls

    const find = (workspace_id: WorkspaceId, ref: CallRef) =>
      Effect.flatMap(reads.find(workspace_id, ref), (call) =>
        call === undefined ? Effect.fail(new CallNotFound()) : Effect.succeed(call)
      )

    const asOf = (workspace_id: WorkspaceId, ids: ReadonlyArray<CallId>, at: number) =>
      Effect.all({
        at: Effect.succeed(at),
        balance_minor: history.balance(workspace_id, at),
        latest: history.latest(workspace_id, ids, at)
      })

    return handlers.handleAll({
      stats: Effect.fnUntraced(function* ({ query: { from, group_by = "day", number_id, to } }) {
        const { workspace_id } = yield* CurrentPrincipal
        const now = yield* Clock.currentTimeMillis
        const asked = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
        const range = yield* Effect.fromResult(dayRange(asked, now))
        const workspace = yield* directory.workspace(workspace_id)
        const rows = yield* statistics.rows({
          workspace_id,
          range,
          group_by,
          ...(number_id !== undefined && { number_id })
        })
        return callStats({ range, group_by, currency: workspace?.currency ?? null, now, rows })
      }),
      charge: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        const call = yield* find(workspace_id, params.id)
        const { created_at, currency, direction, matched_prefix } = call
        const rate =
          matched_prefix === null
            ? undefined
            : yield* history.rate(currency, direction, matched_prefix, Date.parse(created_at))
        return chargeBreakdown(call, yield* history.money(workspace_id, [call.id]), rate)
      }),
      timeline: Effect.fnUntraced(function* ({ params, query: { at: until, ...paging }, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        const asked = { request, paging, query: { list: "timeline", workspace_id, call_id: params.id, until } }
        const { after: last, limit } = yield* askedPage(asked, max_limit)
        const after = last && (yield* placeOf(last))
        const call = yield* find(workspace_id, params.id)
        const ids = [call.id, ...call.child_call_ids]
        const trail = yield* history.trail(workspace_id, ids, { after, until, limit })
        const as_of = until === undefined ? undefined : yield* asOf(workspace_id, ids, until)
        const acknowledged = yield* calls.acknowledgements(trail.commands)
        const { next, ...page } = timelinePage(call, trail, acknowledged, { after, as_of, limit })
        const { cursor, headers } = yield* nextPage(asked, next && { sort: next.at, id: next.tie })
        return HttpApiSchema.withHeaders({ body: { ...page, next_cursor: cursor }, headers })
      })
    })
  })
)
