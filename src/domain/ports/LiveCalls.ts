import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"

export interface LiveCall {
  readonly id: string
  readonly session_id: string
}

/** Which calls are under way, on any node. */
export class LiveCalls extends Context.Service<
  LiveCalls,
  {
    /** The calls, of all workspaces, that this PBX gateway carries and that have not ended. */
    readonly onGateway: (gateway_id: string) => Effect.Effect<ReadonlyArray<LiveCall>, ReadFailed>
  }
>()("trunkline/domain/ports/LiveCalls") {}
