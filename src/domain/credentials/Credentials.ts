// All SIP credentials of a workspace in one state, so that concurrent requests can neither share an extension nor
// exceed a limit. `revision` is what the PBX must have of a credential, `synced` what it has.
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import { type CredentialId, WorkspaceId } from "../BrandedIds.ts"
import { Count, EpochMs, optional, orNull } from "../kit/Fields.ts"
import type { CredentialRecord, DeviceStatus } from "./CredentialRecord.ts"
import { ProposedCredential } from "./CredentialCommand.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"

/** Instants are epoch milliseconds. Passwords are sealed. Stored, so that members keep their spelling. */
const Credential = Schema.Struct({
  ...ProposedCredential.fields,
  /**
   * `proposed`: it is being provisioned on the PBX and is not shown to the workspace yet. `abandoned`: that failed, and
   * the PBX must delete it.
   */
  status: Schema.Literals(["proposed", "active", "revoked", "abandoned"]),
  /** The password before the last rotation, while it is still accepted. */
  previous: orNull(Schema.Struct({ password: Schema.String, expires_at: EpochMs })),
  /** A new password that is being provisioned on the PBX. */
  rotation: orNull(Schema.Struct({ password: Schema.String, grace_seconds: Schema.Int })),
  /** When the credential or its rotation was proposed. */
  proposed_at: EpochMs,
  /** Rises with every change that the PBX must have. */
  revision: Count,
  /** The revision that the PBX has; 0: none. */
  synced: Count,
  /** Counts the webhook events about it. */
  sequence: Count,
  created_at: EpochMs,
  rotated_at: orNull(EpochMs),
  revoked_at: orNull(EpochMs),
  /** When the workspace was last alerted that somebody guesses the password. */
  attack_alerted_at: optional(EpochMs)
})
export type Credential = typeof Credential.Type

export const Credentials = Schema.Struct({
  workspace_id: WorkspaceId,
  credentials: Schema.Array(Credential),
  /** The gateway connection that last came back, and the one that was last sent all credentials again. */
  returned_epoch: Count,
  restored_epoch: Count
})
export type Credentials = typeof Credentials.Type

export type CredentialsEvent =
  | { readonly _tag: "Proposed"; readonly credential: ProposedCredential; readonly at: number }
  | {
      readonly _tag: "RotationProposed"
      readonly id: CredentialId
      readonly password: string
      readonly grace_seconds: number
      readonly at: number
    }
  | { readonly _tag: "Created"; readonly id: CredentialId; readonly origin: Origin; readonly at: number }
  | { readonly _tag: "Rotated"; readonly id: CredentialId; readonly origin: Origin; readonly at: number }
  /** `reached`: the PBX may have the proposal. */
  | { readonly _tag: "Abandoned"; readonly id: CredentialId; readonly reached: boolean }
  | { readonly _tag: "Revoked"; readonly id: CredentialId; readonly origin: Origin; readonly at: number }
  | {
      readonly _tag: "AttackAlerted"
      readonly id: CredentialId
      readonly attempts: number
      readonly since: number
      readonly addresses: ReadonlyArray<string>
      readonly at: number
    }
  | { readonly _tag: "GraceEnded"; readonly id: CredentialId }
  | { readonly _tag: "Synced"; readonly id: CredentialId; readonly revision: number }
  | { readonly _tag: "ResyncBegan"; readonly epoch: number }
  | { readonly _tag: "ResyncFinished"; readonly epoch: number }

export const initialCredentials = (workspace_id: WorkspaceId): Credentials => ({
  workspace_id,
  credentials: [],
  returned_epoch: 0,
  restored_epoch: 0
})

/** How many revoked credentials are kept and shown; older ones are dropped. */
export const revokedShown = 200

/** Whether it occupies its extension and counts towards the limits. */
export const isTaken = ({ status }: Credential): boolean => status === "active" || status === "proposed"

export const newCredential = (credential: ProposedCredential, at: number): Credential => ({
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
  // An earlier abandoned rotation may have reached the PBX although this one did not.
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

/** The credential after an event about it; empty if it is dropped. */
const changed = (
  credential: Credential,
  event: Extract<CredentialsEvent, { readonly id: CredentialId }>
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
    case "AttackAlerted":
      return [{ ...credential, sequence: credential.sequence + 1, attack_alerted_at: event.at }]
    case "GraceEnded":
      return [{ ...credential, previous: null, revision: credential.revision + 1 }]
    case "Synced":
      return credential.status === "abandoned" ? [] : [{ ...credential, synced: event.revision }]
  }
}

/** Drops the oldest revoked credentials that the PBX has deleted, so that the state is bounded. */
const withoutOldest = (credentials: ReadonlyArray<Credential>): ReadonlyArray<Credential> => {
  const revoked = credentials.filter(({ status }) => status === "revoked")
  if (revoked.length <= revokedShown) return credentials
  const newest = new Set(revoked.sort((a, b) => (b.revoked_at ?? 0) - (a.revoked_at ?? 0)).slice(0, revokedShown))
  return credentials.filter(
    (credential) =>
      credential.status !== "revoked" || newest.has(credential) || credential.synced !== credential.revision
  )
}

export const evolveCredentials = (state: Credentials, event: CredentialsEvent): Credentials => {
  switch (event._tag) {
    case "Proposed":
      return { ...state, credentials: [...state.credentials, newCredential(event.credential, event.at)] }
    case "ResyncBegan":
      return { ...state, returned_epoch: event.epoch }
    case "ResyncFinished":
      return { ...state, restored_epoch: event.epoch }
    default: {
      const credentials = state.credentials.flatMap((credential) =>
        credential.id === event.id ? changed(credential, event) : [credential]
      )
      return { ...state, credentials: event._tag === "Revoked" ? withoutOldest(credentials) : credentials }
    }
  }
}

/** Whether it is shown to its workspace. */
export const isShown = ({ status }: Credential): boolean => status === "active" || status === "revoked"

export const recordOf = (credential: Credential, seen: DeviceStatus): CredentialRecord => {
  const { created_at, display_name, extension, id, label, max_contacts, number_id, revoked_at, rotated_at, username } =
    credential
  const { media_encryption = "optional" } = credential
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
    media_encryption,
    registrations: is_revoked ? [] : seen.registrations,
    last_registered_at: seen.last_registered_at,
    created_at: isoInstant(created_at),
    rotated_at: instantOrNull(rotated_at),
    revoked_at: instantOrNull(revoked_at)
  }
}
