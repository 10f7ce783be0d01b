// An extension as calls see it: the device user behind four digits, and the number that its calls show.
import type { Credential } from "./Credentials.ts"
import type { CredentialId, NumberId } from "../BrandedIds.ts"

export interface Extension {
  readonly credential_id: CredentialId
  readonly extension: string
  /** The user name of its devices on the PBX. */
  readonly username: string
  readonly number_id: NumberId
  /** E.164. */
  readonly number: string
  readonly display_name: string | null
}

/** The extensions of active credentials, oldest first. */
export const extensionsOf = (credentials: ReadonlyArray<Credential>): ReadonlyArray<Extension> =>
  credentials
    .filter(({ status }) => status === "active")
    .map(({ display_name, extension, id, number, number_id, username }) => ({
      credential_id: id,
      extension,
      username,
      number_id,
      number,
      display_name
    }))
