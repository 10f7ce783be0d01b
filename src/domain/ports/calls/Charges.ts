import { Context, type Effect } from "effect"
import type { NotCommitted } from "../../errors/NotCommitted.ts"
import type { CallId, WorkspaceId } from "../../BrandedIds.ts"
import type { OrphanedHold } from "../../wallet/HoldRecord.ts"

/** Reads charges and holds from the ledger. */
export class Charges extends Context.Service<
  Charges,
  {
    /** The charge of a call; undefined if there is none. */
    readonly ofCall: (
      workspace_id: WorkspaceId,
      call_id: CallId
    ) => Effect.Effect<{ readonly entry_id: string; readonly amount_minor: number } | undefined, NotCommitted>
    /** Open holds placed before `placed_before` whose call does not exist or has ended. */
    readonly orphanedHolds: (
      workspace_id: WorkspaceId,
      placed_before: number
    ) => Effect.Effect<ReadonlyArray<OrphanedHold>, NotCommitted>
  }
>()("trunkline/domain/ports/Charges") {}
