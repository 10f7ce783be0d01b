// Sums over a workspace's calls. Ended calls are added up in advance.
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
