// Queries about SIP credentials and the devices that registered with them.
import { Context, type Effect } from "effect"
import type { DeviceState } from "../../credentials/CredentialRecord.ts"
import type { Credential } from "../../credentials/Credentials.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { CredentialId, WorkspaceId } from "../../BrandedIds.ts"

export class CredentialReads extends Context.Service<
  CredentialReads,
  {
    /**
     * All credentials of the workspace, oldest first, with those that the API does not show (`proposed`, `abandoned`).
     */
    readonly list: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<Credential>, ReadFailed>
    /** By credential id. A credential with which no device ever registered has no entry. */
    readonly devices: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyMap<CredentialId, DeviceState>, ReadFailed>
  }
>()("trunkline/domain/ports/CredentialReads") {}
