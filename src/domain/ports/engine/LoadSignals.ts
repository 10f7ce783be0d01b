import { Context } from "effect"
import type { LoopLoad, PoolQueue } from "../../overload/Pressure.ts"

/** What else shows that this process has too much to do, beside what waits for the journal. */
export class LoadSignals extends Context.Service<
  LoadSignals,
  {
    /** Since it was last asked for. */
    readonly eventLoop: () => LoopLoad
    /** Who waits for a database connection, by pool. */
    readonly pools: () => ReadonlyMap<string, PoolQueue>
  }
>()("trunkline/domain/ports/LoadSignals") {}
