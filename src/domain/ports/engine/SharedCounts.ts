import { Context, Effect, Layer } from "effect"
import type { Quota, QuotaName, Verdict } from "../../access/Quota.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { Grant } from "../../limits/Leases.ts"

/** Rate-limit counters that all processes of the engine share. */
export class SharedCounts extends Context.Service<
  SharedCounts,
  {
    /**
     * Counts one request of `who` against the quota, at the time `now` (milliseconds since 1970), and returns what is
     * left. Undefined: there are no shared counters, so the process counts on its own.
     */
    readonly count: (
      name: QuotaName,
      quota: Quota,
      who: string,
      now: number
    ) => Effect.Effect<Verdict | undefined, ReadFailed>
    /**
     * Counts as many requests of `who` against the quota as are available, up to `wanted`, but none if they are fewer
     * than a lease (domain/limits/Leases.ts). The clock of the counters counts, so that the processes agree. `wanted`
     * is at least a lease and at most the burst. Undefined: there are no shared counters.
     */
    readonly lease: (
      name: QuotaName,
      quota: Quota,
      who: string,
      wanted: number
    ) => Effect.Effect<Grant | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/SharedCounts") {
  /** For tests, and for engines of one process without shared counters. */
  static readonly none = Layer.succeed(SharedCounts)({
    count: () => Effect.succeed(undefined),
    lease: () => Effect.succeed(undefined)
  })
}
