// What a workspace may do with its SIP credentials.
import { Result } from "effect"
import type { Decided } from "../Decision.ts"
import type { Failure } from "../errors/Failure.ts"
import {
  ExtensionInvalid,
  ExtensionTaken,
  SipCredentialAlreadyRevoked,
  SipCredentialLimitReached,
  SipCredentialNotFound,
  SipProvisioningFailed
} from "../errors/SipCredentialErrors.ts"
import type { CredentialsCommand, CredentialsReply } from "./CredentialCommand.ts"
import {
  type Credential,
  type Credentials,
  type CredentialsEvent,
  evolve,
  isShown,
  isTaken,
  recordOf
} from "./Credentials.ts"

type Decide = Decided<CredentialsEvent, CredentialsReply>
type Command<Tag extends CredentialsCommand["_tag"]> = Extract<CredentialsCommand, { readonly _tag: Tag }>

/** Active credentials that there may be. */
export const limits = { per_number: 10, per_workspace: 1000 } as const

const extension = /^[0-9]{4}$/

const answer = (events: ReadonlyArray<CredentialsEvent>, reply: CredentialsReply): Decide =>
  Result.succeed({ events, reply })
const noted = (...events: ReadonlyArray<CredentialsEvent>): Decide => answer(events, { _tag: "Noted" })
const refused = (failure: Failure): Decide => Result.fail(failure)

const find = ({ credentials }: Credentials, id: string): Credential | undefined =>
  credentials.find((credential) => credential.id === id)

const shown = (
  state: Credentials,
  event: CredentialsEvent & { readonly id: string },
  { seen }: Command<"Confirm" | "Revoke">
): Decide => {
  const credential = find(evolve(state, event), event.id)!
  return answer([event], { _tag: "Shown", record: recordOf(credential, seen), password: credential.password })
}

const notFourDigits = new ExtensionInvalid({
  details: [{ field: "/extension", code: "invalid", message: "Expected exactly four digits." }]
})

const propose = ({ credentials }: Credentials, { credential }: Command<"Propose">, at: number): Decide => {
  if (!extension.test(credential.extension)) return refused(notFourDigits)
  const taken = credentials.filter(isTaken)
  if (taken.some((other) => other.extension === credential.extension)) return refused(new ExtensionTaken())
  if (taken.filter(({ number_id }) => number_id === credential.number_id).length >= limits.per_number) {
    return refused(new SipCredentialLimitReached())
  }
  if (taken.length >= limits.per_workspace) {
    return refused(
      new SipCredentialLimitReached({ message: "The workspace has as many active SIP credentials as it may have." })
    )
  }
  return answer([{ _tag: "Proposed", credential, at }], { _tag: "Proposed", revision: 1 })
}

/** A credential of this number that its workspace has seen and that is not revoked. */
const active = (
  state: Credentials,
  { id, number_id }: { readonly id: string; readonly number_id: string }
): Result.Result<Credential, Failure> => {
  const credential = find(state, id)
  if (credential === undefined || !isShown(credential) || credential.number_id !== number_id) {
    return Result.fail(new SipCredentialNotFound())
  }
  return credential.status === "revoked" ? Result.fail(new SipCredentialAlreadyRevoked()) : Result.succeed(credential)
}

const proposeRotation = (state: Credentials, command: Command<"ProposeRotation">, at: number): Decide =>
  Result.flatMap(active(state, command), ({ id, revision }) => {
    const { grace_seconds, password } = command
    return answer([{ _tag: "RotationProposed", id, password, grace_seconds, at }], {
      _tag: "Proposed",
      revision: revision + 1
    })
  })

const isProposal = (credential: Credential | undefined, revision: number): credential is Credential =>
  credential !== undefined &&
  credential.revision === revision &&
  (credential.status === "proposed" || credential.rotation !== null)

const confirm = (state: Credentials, command: Command<"Confirm">, at: number): Decide => {
  const credential = find(state, command.id)
  return isProposal(credential, command.revision)
    ? shown(
        state,
        {
          _tag: credential.status === "proposed" ? "Created" : "Rotated",
          id: credential.id,
          origin: command.origin,
          at
        },
        command
      )
    : refused(new SipProvisioningFailed({ message: "The credential was changed in another way meanwhile." }))
}

const abandon = (state: Credentials, { id, reached, revision }: Command<"Abandon">): Decide =>
  isProposal(find(state, id), revision) ? noted({ _tag: "Abandoned", id, reached }) : noted()

const revokeNumber = (
  { credentials }: Credentials,
  { left_at, number_id, origin }: Command<"RevokeNumber">,
  at: number
): Decide => {
  const leaves = (credential: Credential): boolean =>
    credential.number_id === number_id && isTaken(credential) && (credential.number_since ?? left_at) <= left_at
  return noted(
    ...credentials
      .filter(leaves)
      .map(({ id, status }): CredentialsEvent =>
        status === "proposed" ? { _tag: "Abandoned", id, reached: true } : { _tag: "Revoked", id, origin, at }
      )
  )
}

const synced = (state: Credentials, { id, revision }: Command<"Synced">): Decide =>
  find(state, id)?.revision === revision ? noted({ _tag: "Synced", id, revision }) : noted()

export const decideCredentials = (state: Credentials, command: CredentialsCommand, now: number): Decide => {
  switch (command._tag) {
    case "Propose":
      return propose(state, command, now)
    case "ProposeRotation":
      return proposeRotation(state, command, now)
    case "Confirm":
      return confirm(state, command, now)
    case "Abandon":
      return abandon(state, command)
    case "Revoke":
      return Result.flatMap(active(state, command), ({ id }) =>
        shown(state, { _tag: "Revoked", id, origin: command.origin, at: now }, command)
      )
    case "RevokeNumber":
      return revokeNumber(state, command, now)
    case "KeepToken":
      return answer([], { _tag: "TokenKept", session: command.session, token: command.token })
    case "Synced":
      return synced(state, command)
    case "GraceOver": {
      const credential = find(state, command.id)
      const over =
        credential?.revision === command.revision && credential.status === "active" && credential.previous !== null
      return over ? noted({ _tag: "GraceEnded", id: command.id }) : noted()
    }
    case "GatewayReturned":
      return command.epoch > state.returned_epoch && state.credentials.length > 0 ? noted(command) : noted()
    case "Restored":
      return command.epoch === state.returned_epoch ? noted(command) : noted()
  }
}
