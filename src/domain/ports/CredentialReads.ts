// Questions about SIP credentials and their devices, answered by the database.
import { Context, type Effect } from "effect"
import type { Registration } from "../credentials/CredentialRecord.ts"
import type { Credential } from "../credentials/Credentials.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

export interface DeviceState {
  /** Those that have not expired, the latest first. */
  readonly registrations: ReadonlyArray<Registration>
  readonly last_registered_at: string | null
}

export class CredentialReads extends Context.Service<
  CredentialReads,
  {
    /** All that the workspace has, in the order in which they were made, those included that it has not seen. */
    readonly list: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<Credential>, ReadFailed>
    /** By credential; none for one that no device ever registered with. */
    readonly devices: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyMap<string, DeviceState>, ReadFailed>
  }
>()("trunkline/domain/ports/CredentialReads") {}
