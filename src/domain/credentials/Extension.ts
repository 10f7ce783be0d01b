// An extension as calls see it: the device user behind four digits, and the number that its calls show.
import type { Credential } from "./Credentials.ts"
import type { CredentialId } from "../BrandedIds.ts"

export interface Extension extends Pick<
  Credential,
  "extension" | "username" | "number_id" | "number" | "display_name"
> {
  readonly credential_id: CredentialId
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
