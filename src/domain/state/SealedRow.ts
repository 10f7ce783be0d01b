// Stored rows with sealed secrets that are kept for good, and where in a row the secrets are.

interface SealedMembers {
  /** The part of a row whose `id` its secrets are bound to; `*` is each item of a list. Empty: the row itself. */
  readonly holder: string
  /** The secrets within the holder. */
  readonly members: ReadonlyArray<string>
}

/**
 * By the types of actors with stored secrets, and for providers, which are no actors. A path begins at the columns of
 * a row. Every secret that `Vault` seals and that a row keeps for good must be here: after a change of the master key
 * only these are sealed anew.
 */
export const sealedMembers = {
  Workspace: { holder: "", members: ["voice_secret", "state.voice_secret", "state.previous_voice_secret.secret"] },
  Subscription: { holder: "", members: ["state.secret", "state.previous_secret.sealed"] },
  SipCredentials: {
    holder: "state.credentials.*",
    members: ["password", "previous.password", "rotation.password"]
  },
  SipTrunk: { holder: "state.trunk", members: ["wanted.definition.password", "serving.definition.password"] },
  Provider: { holder: "", members: ["password"] }
} satisfies Readonly<Record<string, SealedMembers>>

export type SealedKind = keyof typeof sealedMembers

export interface SealedRow {
  readonly id: string
  /** Every column by its name. */
  readonly row: Readonly<Record<string, unknown>>
}

const namesOf = (path: string): ReadonlyArray<string> => (path === "" ? [] : path.split("."))

/** What stands at a path of a value: nothing, or several parts where the path has a `*`. */
const partsAt = (value: unknown, [name, ...rest]: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (name === undefined) return [value]
  if (typeof value !== "object" || value === null) return []
  const parts: ReadonlyArray<unknown> = name === "*" ? Object.values(value) : [Reflect.get(value, name)]
  return parts.flatMap((part) => partsAt(part, rest))
}

export interface SealedSecret {
  /** The id of the holder. */
  readonly id: string
  readonly sealed: string
}

/** The secrets of a row. */
export const secretsOf = (kind: SealedKind, { row }: SealedRow): ReadonlyArray<SealedSecret> => {
  const { holder, members }: SealedMembers = sealedMembers[kind]
  return partsAt(row, namesOf(holder)).flatMap((held) => {
    const [id] = partsAt(held, ["id"])
    const sealed = members.flatMap((member) => partsAt(held, namesOf(member)))
    return typeof id === "string"
      ? sealed.flatMap((text) => (typeof text === "string" ? [{ id, sealed: text }] : []))
      : []
  })
}

/** The paths of a kind's secrets in a row, from its columns on. */
export const sealedPaths = (kind: SealedKind): ReadonlyArray<string> => {
  const { holder, members }: SealedMembers = sealedMembers[kind]
  return members.map((member) => (holder === "" ? member : `${holder}.${member}`))
}
