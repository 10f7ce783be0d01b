// An extension as calls see it: the device user behind four digits, and the number that its calls show.
import type { Credential } from "./Credentials.ts"
import type { CredentialId, NumberId } from "../BrandedIds.ts"

export interface Extension extends Pick<
  Credential,
  "extension" | "username" | "number_id" | "number" | "display_name"
> {
  readonly credential_id: CredentialId
}

/** The extensions of a workspace, found by what a call knows of them: no search takes longer if there are more. */
export interface Extensions {
  /** Oldest first. */
  readonly all: ReadonlyArray<Extension>
  readonly byDigits: ReadonlyMap<string, Extension>
  readonly byUsername: ReadonlyMap<string, Extension>
  readonly byCredential: ReadonlyMap<CredentialId, Extension>
  /** Those of each number, oldest first. */
  readonly byNumber: ReadonlyMap<NumberId, ReadonlyArray<Extension>>
  /** The passwords, sealed. Empty in a directory of fixed data. */
  readonly passwords: ReadonlyMap<CredentialId, string>
}

export const extensionsBy = (
  all: ReadonlyArray<Extension>,
  passwords: Extensions["passwords"] = new Map()
): Extensions => ({
  all,
  byDigits: new Map(all.map((each) => [each.extension, each])),
  byUsername: new Map(all.map((each) => [each.username, each])),
  byCredential: new Map(all.map((each) => [each.credential_id, each])),
  byNumber: Map.groupBy(all, ({ number_id }) => number_id),
  passwords
})

export const noExtensions = extensionsBy([])

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

/** The extensions of the active credentials whose number the workspace still has. */
export const extensionsWith = (credentials: ReadonlyArray<Credential>, numbers: ReadonlySet<NumberId>): Extensions => {
  const held = credentials.filter(({ number_id, status }) => status === "active" && numbers.has(number_id))
  return extensionsBy(extensionsOf(held), new Map(held.map(({ id, password }) => [id, password])))
}
