import { deadline, task, type Work } from "../Decision.ts"
import type { CredentialsMessage } from "./CredentialCommand.ts"
import type { Credential, Credentials } from "./Credentials.ts"
import type { CredentialId } from "../BrandedIds.ts"

export type CredentialsWork =
  /** Send the PBX the current revision of a credential. */
  | { readonly _tag: "Sync"; readonly id: CredentialId; readonly revision: number }
  /** Send all active credentials to a PBX that has come back. */
  | { readonly _tag: "Resync"; readonly epoch: number }

/** After this, a proposal that was neither confirmed nor abandoned is abandoned: its request has died. */
export const proposalLife_ms = 15_000

type Item = Work<CredentialsMessage, CredentialsWork>

const workOf = (credential: Credential): Item | undefined => {
  const { id, previous, proposed_at, revision, rotation, status, synced } = credential
  if (status === "proposed" || rotation !== null) {
    return deadline(`proposal:${id}:${revision}`, proposed_at + proposalLife_ms, {
      _tag: "Abandon",
      id,
      revision,
      reached: true
    })
  }
  if (synced !== revision) return task(`sync:${id}:${revision}`, { _tag: "Sync", id, revision })
  return previous === null
    ? undefined
    : deadline(`grace:${id}:${revision}`, previous.expires_at, { _tag: "EndGrace", id, revision })
}

export const planCredentials = ({ credentials, restored_epoch, returned_epoch }: Credentials): ReadonlyArray<Item> => {
  const work = credentials.flatMap((credential) => workOf(credential) ?? [])
  return returned_epoch === restored_epoch
    ? work
    : [...work, task(`resync:${returned_epoch}`, { _tag: "Resync", epoch: returned_epoch })]
}
