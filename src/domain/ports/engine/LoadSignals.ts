import { Context } from "effect"
import type { LoopLoad, PoolQueue } from "../../overload/Pressure.ts"

/** Signals of overload in this process: its event loop, and who waits for its database connections. */
export class LoadSignals extends Context.Service<
  LoadSignals,
  {
    /** Since it was last asked for. */
    readonly eventLoop: () => LoopLoad
    /** Who waits for a database connection, by pool. */
    readonly pools: () => ReadonlyMap<string, PoolQueue>
  }
>()("trunkline/domain/ports/LoadSignals") {}
