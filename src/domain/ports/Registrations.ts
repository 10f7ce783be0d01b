import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** What a PBX told of one device. Instants are epoch milliseconds. */
export interface RegistrationReport {
  readonly workspace_id: WorkspaceId
  readonly credential_id: string
  readonly contact: string
  readonly user_agent: string | null
  readonly transport: string | null
  /** Until when it is reached; null: it is not any more. */
  readonly expires_at: number | null
  readonly occurred_at: number
}

/** Which devices are registered, as the PBX last told it. */
export class Registrations extends Context.Service<
  Registrations,
  {
    /** What is older than what is known of the same contact changes nothing. */
    readonly note: (report: RegistrationReport) => Effect.Effect<void, ReadFailed>
  }
>()("trunkline/domain/ports/Registrations") {}
