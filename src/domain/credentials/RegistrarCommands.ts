// The PBX commands about a credential. Passwords are unsealed only here.
import type { TenantCommand } from "../pbx/TenantCommand.ts"
import type { Credential } from "./Credentials.ts"

/** Unseals a text. Undefined: it cannot be opened with the keys of this engine. */
export type Open = (sealed: string) => string | undefined

const passwords = ({ password, previous, rotation }: Credential): ReadonlyArray<string> => {
  if (rotation !== null) return rotation.grace_seconds > 0 ? [rotation.password, password] : [rotation.password]
  return previous === null ? [password] : [password, previous.password]
}

const putAction = (credential: Credential, open: Open): TenantCommand["action"] | undefined => {
  const { display_name, extension, id: credential_id, max_contacts, number, username } = credential
  const { media_encryption = "optional" } = credential
  const [password, previous_password] = passwords(credential).map(open)
  if (password === undefined) return undefined
  return {
    kind: "registrar.put",
    credential_id,
    username,
    password,
    ...(previous_password !== undefined && { previous_password }),
    extension,
    number,
    ...(display_name !== null && { display_name }),
    max_contacts,
    ...(media_encryption !== "optional" && { media_encryption })
  }
}

/**
 * The command that brings the PBX to the credential's current revision; undefined if the password cannot be opened.
 * `occasion` tells apart repeated commands about the same revision: the PBX may have lost its memory in between.
 */
export const registrarCommand = (
  credential: Credential,
  tenant_pbx_id: string,
  open: Open,
  occasion: string
): TenantCommand | undefined => {
  const { id, revision, status, username } = credential
  const gone = status === "revoked" || status === "abandoned"
  const action = gone ? { kind: "registrar.delete" as const, credential_id: id, username } : putAction(credential, open)
  return action && { id: `registrar:${id}:${revision}:${occasion}`, tenant_pbx_id, about: `credential:${id}`, action }
}
