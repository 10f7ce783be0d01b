// Tenant facts that the hot paths need, read from memory; the layer behind this port keeps them fresh.
import { Context, type Effect } from "effect"
import type { Extensions } from "../../credentials/Extension.ts"
import type { AssignedNumber, OwnedNumber } from "../../numbers/OwnedNumber.ts"
import type { Rate } from "../../numbers/Rate.ts"
import type { ServingTrunk } from "../../trunks/TrunkCapacity.ts"
import type { Currency } from "../../wallet/Currency.ts"
import type { Workspace } from "../../workspace/Workspace.ts"
import type { WorkspaceId } from "../../BrandedIds.ts"

export class Directory extends Context.Service<
  Directory,
  {
    /** Returns once reads of this process see the changes that were stored before. */
    readonly caughtUp: () => Effect.Effect<void>
    readonly workspace: (workspace_id: WorkspaceId) => Effect.Effect<Workspace | undefined>
    readonly workspaceOfPbx: (tenant_pbx_id: string) => Effect.Effect<Workspace | undefined>
    /** A number of this workspace, in any status; undefined if the workspace does not have it. */
    readonly number: (workspace_id: WorkspaceId, e164: string) => Effect.Effect<OwnedNumber | undefined>
    /** A number of any workspace; undefined if no workspace has it. */
    readonly numberOf: (e164: string) => Effect.Effect<AssignedNumber | undefined>
    /** The countries (ISO 3166-1 alpha-2) in which the workspace has numbers now, in alphabetical order. */
    readonly countries: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<string>>
    /** All extensions of the workspace that are in use, for numbers that it still has. */
    readonly extensions: (workspace_id: WorkspaceId) => Effect.Effect<Extensions>
    /** The workspace's own trunk that carries calls; undefined if there is none. */
    readonly trunk: (workspace_id: WorkspaceId) => Effect.Effect<ServingTrunk | undefined>
    /**
     * The rate row in force: longest prefix of the digits, then the latest `effective_from` not after `at`. Numbers of
     * the workspace's own have rates of the class `byo` and no others.
     */
    readonly rate: (
      currency: Currency,
      direction: "outbound" | "inbound",
      digits: string,
      at: number,
      source?: OwnedNumber["source"]
    ) => Effect.Effect<Rate | undefined>
  }
>()("trunkline/domain/ports/Directory") {}
