// An extension as calls know it: who answers to four digits, and which number its calls show.
import type { Credential } from "./Credentials.ts"

export interface Extension {
  readonly credential_id: string
  readonly extension: string
  /** How the PBX knows its devices. */
  readonly username: string
  readonly number_id: string
  /** E.164. */
  readonly number: string
  readonly display_name: string | null
}

/** Those in use, in the order in which they were made. */
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
