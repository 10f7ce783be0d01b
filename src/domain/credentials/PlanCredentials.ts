import { deadline, task, type Work } from "../Decision.ts"
import type { Credential, Credentials } from "./Credentials.ts"
import type { CredentialsCommand } from "./CredentialCommand.ts"

export type CredentialsWork =
  /** Tell the PBX what it must hold of the credential now. */
  | { readonly _tag: "Sync"; readonly id: string; readonly revision: number }
  /** Tell a PBX that has come back of all active credentials. */
  | { readonly _tag: "Restore"; readonly epoch: number }

/** Whoever proposes tells the PBX and says how it went; one that has not by then has died. */
export const proposalLife_ms = 15_000

type Item = Work<CredentialsCommand, CredentialsWork>

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
    : deadline(`grace:${id}:${revision}`, previous.expires_at, { _tag: "GraceOver", id, revision })
}

export const planCredentials = ({ credentials, restored_epoch, returned_epoch }: Credentials): ReadonlyArray<Item> => {
  const work = credentials.flatMap((credential) => workOf(credential) ?? [])
  return returned_epoch === restored_epoch
    ? work
    : [...work, task(`restore:${returned_epoch}`, { _tag: "Restore", epoch: returned_epoch })]
}
