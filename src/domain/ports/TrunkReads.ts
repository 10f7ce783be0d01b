import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** What stands beside a workspace's trunk, answered by the database. */
export class TrunkReads extends Context.Service<
  TrunkReads,
  {
    readonly standing: (workspace_id: WorkspaceId) => Effect.Effect<
      {
        /** It has chosen numbers of the platform, for ever. */
        readonly locked: boolean
        /** It has brought numbers that come over its trunk. */
        readonly in_use: boolean
      },
      ReadFailed
    >
    /** Whose trunk it is; undefined where none has this id. */
    readonly workspaceOf: (trunk_id: string) => Effect.Effect<WorkspaceId | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/TrunkReads") {}
