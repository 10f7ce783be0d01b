import { Context, type Effect } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { WorkspaceId } from "../../BrandedIds.ts"

/** What numbers must know of a workspace's SIP trunk. */
export class Trunks extends Context.Service<
  Trunks,
  {
    /** Whether calls can go over it now. */
    readonly active: (workspace_id: WorkspaceId) => Effect.Effect<boolean, ReadFailed>
  }
>()("trunkline/domain/ports/Trunks") {}
