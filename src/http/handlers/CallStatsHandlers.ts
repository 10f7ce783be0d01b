import { Clock, Effect } from "effect"
import { Calls } from "../../actors/calls/Calls.ts"
import { callStats, dayRange } from "../../domain/calls/views/CallStats.ts"
import { chargeBreakdown } from "../../domain/calls/views/ChargeBreakdown.ts"
import { timeline } from "../../domain/calls/views/Timeline.ts"
import { CallNotFound } from "../../domain/errors/CallErrors.ts"
import { CallHistory } from "../../domain/ports/calls/CallHistory.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import { CallStatistics } from "../../domain/ports/calls/CallStatistics.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import type { CallRef, WorkspaceId } from "../../domain/BrandedIds.ts"

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
      timeline: Effect.fnUntraced(function* ({ params, query: { at } }) {
        const { workspace_id } = yield* CurrentPrincipal
        const call = yield* find(workspace_id, params.id)
        const trail = yield* history.trail(workspace_id, [call.id, ...call.child_call_ids])
        const as_of = at === undefined ? undefined : { at, balance_minor: yield* history.balance(workspace_id, at) }
        return timeline(call, trail, yield* calls.acknowledgements(trail.commands), as_of)
      })
    })
  })
)
