import { Context } from "effect"
import type { FairShares } from "../../../domain/access/FairShares.ts"

/** Who waits for a database connection of this process, by pool. */
export class PoolQueues extends Context.Service<
  PoolQueues,
  {
    readonly system: FairShares
    readonly requests: FairShares
    /** Urgent reads wait behind each other alone. */
    readonly urgent: FairShares
  }
>()("trunkline/postgres/PoolQueues") {}
