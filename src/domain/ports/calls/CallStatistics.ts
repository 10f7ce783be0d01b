// Sums over a workspace's calls. Ended calls are added up in advance.
import { Context, type Effect } from "effect"
import type { StatsQuery, StatsRow } from "../../calls/views/CallStats.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"

export class CallStatistics extends Context.Service<
  CallStatistics,
  {
    readonly rows: (query: StatsQuery) => Effect.Effect<ReadonlyArray<StatsRow>, ReadFailed>
  }
>()("trunkline/domain/ports/CallStatistics") {}
