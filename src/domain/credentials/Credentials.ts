// The SIP credentials of a workspace, together: so extensions are unique and no cap is passed, however many are asked
// for at once. What the PBX must hold is part of the state, and what it has taken on beside it.
import type { Origin } from "../access/Origin.ts"
import type { CredentialRecord, Seen } from "./CredentialRecord.ts"
import type { ProposedCredential } from "./CredentialCommand.ts"

/** Instants are epoch milliseconds. Passwords are sealed. */
export interface Credential extends ProposedCredential {
  /**
   * proposed: the PBX is being asked to take it on, and its workspace has not seen it. abandoned: it was not taken on,
   * and the PBX is to forget it.
   */
  readonly status: "proposed" | "active" | "revoked" | "abandoned"
  /** The password before the last rotation, while it is still accepted. */
  readonly previous: { readonly password: string; readonly expires_at: number } | null
  /** A rotation that the PBX is being asked to take on. */
  readonly rotation: { readonly password: string; readonly grace_seconds: number } | null
  /** When the PBX was asked to take on what is proposed. */
  readonly proposed_at: number
  /** Rises with everything that the PBX is told of the credential. */
  readonly revision: number
  /** The revision that the PBX has taken on; 0: none. */
  readonly synced: number
  /** Counts the events about it. */
  readonly sequence: number
  readonly created_at: number
  readonly rotated_at: number | null
  readonly revoked_at: number | null
}

export interface Credentials {
  readonly workspace_id: string
  readonly credentials: ReadonlyArray<Credential>
  /** The connection of the gateway that last came back, and the one that was given everything since. */
  readonly returned_epoch: number
  readonly restored_epoch: number
}

export type CredentialsEvent =
  | { readonly _tag: "Proposed"; readonly credential: ProposedCredential; readonly at: number }
  | {
      readonly _tag: "RotationProposed"
      readonly id: string
      readonly password: string
      readonly grace_seconds: number
      readonly at: number
    }
  | { readonly _tag: "Created"; readonly id: string; readonly origin: Origin; readonly at: number }
  | { readonly _tag: "Rotated"; readonly id: string; readonly origin: Origin; readonly at: number }
  /** `reached`: the PBX may have taken on what was proposed. */
  | { readonly _tag: "Abandoned"; readonly id: string; readonly reached: boolean }
  | { readonly _tag: "Revoked"; readonly id: string; readonly origin: Origin; readonly at: number }
  | { readonly _tag: "GraceEnded"; readonly id: string }
  | { readonly _tag: "Synced"; readonly id: string; readonly revision: number }
  | { readonly _tag: "GatewayReturned"; readonly epoch: number }
  | { readonly _tag: "Restored"; readonly epoch: number }

export const initial = (workspace_id: string): Credentials => ({
  workspace_id,
  credentials: [],
  returned_epoch: 0,
  restored_epoch: 0
})

/** Revoked credentials that are still shown; older ones are forgotten. */
export const revokedShown = 200

/** It has its extension, and counts. */
export const isTaken = ({ status }: Credential): boolean => status === "active" || status === "proposed"

const proposed = (credential: ProposedCredential, at: number): Credential => ({
  ...credential,
  status: "proposed",
  previous: null,
  rotation: null,
  proposed_at: at,
  revision: 1,
  synced: 0,
  sequence: 0,
  created_at: at,
  rotated_at: null,
  revoked_at: null
})

const rotated = (credential: Credential, at: number): Credential => {
  const { password, rotation } = credential
  if (rotation === null) return credential
  const { grace_seconds } = rotation
  return {
    ...credential,
    password: rotation.password,
    previous: grace_seconds === 0 ? null : { password, expires_at: at + grace_seconds * 1000 },
    rotation: null,
    synced: credential.revision,
    sequence: credential.sequence + 1,
    rotated_at: at
  }
}

const abandoned = (credential: Credential, reached: boolean): ReadonlyArray<Credential> => {
  const { revision, status, synced } = credential
  if (status === "proposed") return reached ? [{ ...credential, status: "abandoned", revision: revision + 1 }] : []
  // A rotation before this one may have reached the PBX though this one did not.
  const untouched = !reached && synced === revision - 1
  return [{ ...credential, rotation: null, revision: untouched ? synced : revision + 1 }]
}

const revoked = (credential: Credential, at: number): Credential => ({
  ...credential,
  status: "revoked",
  previous: null,
  rotation: null,
  revision: credential.revision + 1,
  sequence: credential.sequence + 1,
  revoked_at: at
})

/** What becomes of the credential that an event is about: nothing, where it is forgotten. */
const changed = (
  credential: Credential,
  event: Extract<CredentialsEvent, { readonly id: string }>
): ReadonlyArray<Credential> => {
  switch (event._tag) {
    case "RotationProposed":
      return [
        {
          ...credential,
          rotation: { password: event.password, grace_seconds: event.grace_seconds },
          proposed_at: event.at,
          revision: credential.revision + 1
        }
      ]
    case "Created":
      return [{ ...credential, status: "active", created_at: event.at, synced: credential.revision, sequence: 1 }]
    case "Rotated":
      return [rotated(credential, event.at)]
    case "Abandoned":
      return abandoned(credential, event.reached)
    case "Revoked":
      return [revoked(credential, event.at)]
    case "GraceEnded":
      return [{ ...credential, previous: null, revision: credential.revision + 1 }]
    case "Synced":
      return credential.status === "abandoned" ? [] : [{ ...credential, synced: event.revision }]
  }
}

/** The oldest of those that the PBX has forgotten go, so that the state has an end. */
const withoutOldest = (credentials: ReadonlyArray<Credential>): ReadonlyArray<Credential> => {
  const revoked = credentials.filter(({ status }) => status === "revoked")
  if (revoked.length <= revokedShown) return credentials
  const kept = new Set(revoked.sort((a, b) => b.revoked_at! - a.revoked_at!).slice(0, revokedShown))
  return credentials.filter(
    (credential) => credential.status !== "revoked" || kept.has(credential) || credential.synced !== credential.revision
  )
}

export const evolve = (state: Credentials, event: CredentialsEvent): Credentials => {
  switch (event._tag) {
    case "Proposed":
      return { ...state, credentials: [...state.credentials, proposed(event.credential, event.at)] }
    case "GatewayReturned":
      return { ...state, returned_epoch: event.epoch }
    case "Restored":
      return { ...state, restored_epoch: event.epoch }
    default: {
      const credentials = state.credentials.flatMap((credential) =>
        credential.id === event.id ? changed(credential, event) : [credential]
      )
      return { ...state, credentials: event._tag === "Revoked" ? withoutOldest(credentials) : credentials }
    }
  }
}

const instant = (at: number): string => new Date(at).toISOString()
const instantOrNull = (at: number | null): string | null => (at === null ? null : instant(at))

/** Whether its workspace has seen it. */
export const isShown = ({ status }: Credential): boolean => status === "active" || status === "revoked"

export const recordOf = (credential: Credential, seen: Seen): CredentialRecord => {
  const { created_at, display_name, extension, id, label, max_contacts, number_id, revoked_at, rotated_at, username } =
    credential
  const is_revoked = credential.status === "revoked"
  return {
    id,
    number_id,
    extension,
    username,
    domain: seen.domain,
    label,
    display_name,
    status: is_revoked ? "revoked" : "active",
    max_contacts,
    registrations: is_revoked ? [] : seen.registrations,
    last_registered_at: seen.last_registered_at,
    created_at: instant(created_at),
    rotated_at: instantOrNull(rotated_at),
    revoked_at: instantOrNull(revoked_at)
  }
}
