import { Context, type Effect } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { WorkspaceId } from "../../BrandedIds.ts"

/** The references for manual payments to workspaces. */
export class IncomingPaymentReferences extends Context.Service<
  IncomingPaymentReferences,
  {
    /** The reference of a workspace, created on first use. */
    readonly of: (workspace_id: WorkspaceId) => Effect.Effect<string, ReadFailed>
    /** The workspace of a reference. Undefined: no workspace has it. */
    readonly workspaceOf: (account_ref: string) => Effect.Effect<WorkspaceId | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/IncomingPaymentReferences") {}
