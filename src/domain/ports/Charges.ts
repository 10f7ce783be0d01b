import { Context, type Effect } from "effect"
import type { NotCommitted } from "../errors/NotCommitted.ts"
import type { CallId, WorkspaceId } from "../BrandedIds.ts"

/** Questions about money that only the books can answer. */
export class Charges extends Context.Service<
  Charges,
  {
    /** The charge of a call, when it was made. */
    readonly ofCall: (
      workspace_id: WorkspaceId,
      call_id: CallId
    ) => Effect.Effect<{ readonly entry_id: string; readonly amount_minor: number } | undefined, NotCommitted>
    /** Open holds placed before `placed_before` whose call does not exist or has ended. */
    readonly orphanedHolds: (
      workspace_id: WorkspaceId,
      placed_before: number
    ) => Effect.Effect<ReadonlyArray<string>, NotCommitted>
  }
>()("trunkline/domain/ports/Charges") {}
