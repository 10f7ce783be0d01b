import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { callStats, dayRange } from "../../domain/calls/CallStats.ts"
import { CallStatistics } from "../../domain/ports/CallStatistics.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Api } from "../Api.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"

export const CallStatsHandlers = HttpApiBuilder.group(Api, "callStats", Effect.fnUntraced(function*(handlers) {
  const statistics = yield* CallStatistics
  const directory = yield* Directory
  return handlers.handleAll({
    stats: Effect.fnUntraced(function*({ query: { from, group_by = "day", number_id, to } }) {
      const { workspace_id } = yield* CurrentPrincipal
      const now = yield* Clock.currentTimeMillis
      const asked = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      const range = yield* Effect.fromResult(dayRange(asked, now))
      const workspace = yield* directory.workspace(workspace_id)
      const rows = yield* statistics.rows({ workspace_id, range, group_by, ...(number_id !== undefined && { number_id }) })
      return callStats({ range, group_by, currency: workspace?.currency ?? null, now, rows })
    })
  })
}))
