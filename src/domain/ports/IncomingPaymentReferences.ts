import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** The references with which workspaces are paid by hand. */
export class IncomingPaymentReferences extends Context.Service<
  IncomingPaymentReferences,
  {
    /** The workspace's, made when it is first asked for. */
    readonly of: (workspace_id: WorkspaceId) => Effect.Effect<string, ReadFailed>
    /** Undefined: nobody has it. */
    readonly workspaceOf: (account_ref: string) => Effect.Effect<WorkspaceId | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/IncomingPaymentReferences") {}
