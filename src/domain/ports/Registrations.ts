import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { CredentialId, WorkspaceId } from "../BrandedIds.ts"

/** A PBX's report about the registration of one device. Times are epoch milliseconds. */
export interface RegistrationReport {
  readonly workspace_id: WorkspaceId
  readonly credential_id: CredentialId
  readonly contact: string
  readonly user_agent: string | null
  readonly transport: string | null
  /** When the registration expires; null if the device is no longer registered. */
  readonly expires_at: number | null
  readonly occurred_at: number
}

/** Stores which devices are registered, as last reported by the PBX. */
export class Registrations extends Context.Service<
  Registrations,
  {
    /** Stores the report, unless a newer report about the same contact is stored. */
    readonly note: (report: RegistrationReport) => Effect.Effect<void, ReadFailed>
  }
>()("trunkline/domain/ports/Registrations") {}
