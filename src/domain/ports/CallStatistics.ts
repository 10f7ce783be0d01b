// Sums over a workspace's calls. What is over is added up beforehand, and read from its sums.
import { Context, type Effect } from "effect"
import type { DayRange, StatsGroup, StatsRow } from "../calls/CallStats.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { NumberId, WorkspaceId } from "../BrandedIds.ts"

export interface StatsQuery {
  readonly workspace_id: WorkspaceId
  readonly range: DayRange
  readonly group_by: StatsGroup
  readonly number_id?: NumberId
}

export class CallStatistics extends Context.Service<
  CallStatistics,
  {
    readonly rows: (query: StatsQuery) => Effect.Effect<ReadonlyArray<StatsRow>, ReadFailed>
  }
>()("trunkline/domain/ports/CallStatistics") {}
