import { Context, type Effect } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { RegistrationReport } from "../../credentials/CredentialRecord.ts"

/** Stores which devices are registered, as last reported by the PBX. */
export class Registrations extends Context.Service<
  Registrations,
  {
    /** Stores the report, unless a newer report about the same contact is stored. */
    readonly note: (report: RegistrationReport) => Effect.Effect<void, ReadFailed>
  }
>()("trunkline/domain/ports/Registrations") {}
