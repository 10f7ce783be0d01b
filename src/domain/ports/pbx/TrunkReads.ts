import { Context, type Effect } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { TrunkId, WorkspaceId } from "../../BrandedIds.ts"
import type { ServingPlace } from "../../trunks/ServingPlaces.ts"

/** Queries about the trunk of a workspace and the numbers that depend on it. */
export class TrunkReads extends Context.Service<
  TrunkReads,
  {
    readonly standing: (workspace_id: WorkspaceId) => Effect.Effect<
      {
        /** Whether the workspace uses numbers of the platform. This choice is permanent, and rules out a trunk. */
        readonly locked: boolean
        /** Whether the workspace has numbers of its own that are reached over its trunk. */
        readonly in_use: boolean
      },
      ReadFailed
    >
    /** Where the trunks that carry calls are reached, and from where their calls come. Sandboxes have none. */
    readonly servingPlaces: Effect.Effect<ReadonlyArray<ServingPlace>, ReadFailed>
    /** The hosts of the platform's number providers. */
    readonly providerHosts: Effect.Effect<ReadonlyArray<string>, ReadFailed>
    /** The workspace that owns the trunk; undefined if there is no trunk with this id. */
    readonly workspaceOf: (trunk_id: TrunkId) => Effect.Effect<WorkspaceId | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/TrunkReads") {}
