import { Context, type Effect } from "effect"
import type { ReadFailed } from "./ReadFailed.ts"

/** Which calls are under way, on any node. */
export class LiveCalls extends Context.Service<LiveCalls, {
  /** The ids of the calls, of all workspaces, that this PBX gateway carries and that have not ended. */
  readonly onGateway: (gateway_id: string) => Effect.Effect<ReadonlyArray<string>, ReadFailed>
}>()("trunkline/domain/ports/LiveCalls") {}
