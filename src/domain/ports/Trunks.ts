import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"

/** What numbers must know of a workspace's SIP trunk. */
export class Trunks extends Context.Service<
  Trunks,
  {
    /** Whether calls can go over it now. */
    readonly active: (workspace_id: string) => Effect.Effect<boolean, ReadFailed>
  }
>()("trunkline/domain/ports/Trunks") {}
