// What a workspace may do with its SIP credentials (docs/sip-credentials.md).
import { Result } from "effect"
import { decideBy, type Rules } from "../Command.ts"
import {
  ExtensionInvalid,
  ExtensionTaken,
  SipCredentialAlreadyRevoked,
  SipCredentialLimitReached,
  SipCredentialNotFound,
  SipProvisioningFailed
} from "../errors/SipCredentialErrors.ts"
import type { CredentialsCommands } from "./CredentialCommand.ts"
import type { DeviceStatus } from "./CredentialRecord.ts"
import {
  type Credential,
  type Credentials,
  type CredentialsEvent,
  evolveCredentials,
  isShown,
  isTaken,
  recordOf
} from "./Credentials.ts"
import type { CredentialId, NumberId } from "../BrandedIds.ts"

type CredentialsRules = Rules<Credentials, CredentialsCommands, CredentialsEvent>

/** The most active credentials. */
export const limits = { per_number: 10, per_workspace: 1000 } as const

/** Attacks on one credential are alerted at most this often. */
const alertPause_ms = 3_600_000

const extensionPattern = /^[0-9]{4}$/

const done = (...events: ReadonlyArray<CredentialsEvent>) => Result.succeed({ events, reply: undefined })

const find = ({ credentials }: Credentials, id: CredentialId): Credential | undefined =>
  credentials.find((credential) => credential.id === id)

/** Replies with the credential as it is after the event. */
const shown = (
  state: Credentials,
  credential: Credential,
  event: CredentialsEvent & { readonly id: CredentialId },
  seen: DeviceStatus
) => {
  const after = find(evolveCredentials(state, event), event.id) ?? credential
  return Result.succeed({ events: [event], reply: { record: recordOf(after, seen), password: after.password } })
}

const notFourDigits = new ExtensionInvalid({
  details: [{ field: "/extension", code: "invalid", message: "Expected exactly four digits." }]
})

const propose: CredentialsRules["Propose"] = ({ credentials }, { credential }, at) => {
  if (!extensionPattern.test(credential.extension)) return Result.fail(notFourDigits)
  const taken = credentials.filter(isTaken)
  if (taken.some(({ extension }) => extension === credential.extension)) return Result.fail(new ExtensionTaken())
  if (taken.filter(({ number_id }) => number_id === credential.number_id).length >= limits.per_number)
    return Result.fail(new SipCredentialLimitReached())
  if (taken.length >= limits.per_workspace) {
    const message = "The workspace has reached its limit of active SIP credentials."
    return Result.fail(new SipCredentialLimitReached({ message }))
  }
  return Result.succeed({ events: [{ _tag: "Proposed", credential, at }], reply: { revision: 1 } })
}

/** A credential of this number that its workspace has seen and that is not revoked. */
const active = (
  state: Credentials,
  { id, number_id }: { readonly id: CredentialId; readonly number_id: NumberId }
): Result.Result<Credential, SipCredentialNotFound | SipCredentialAlreadyRevoked> => {
  const credential = find(state, id)
  if (credential === undefined || !isShown(credential) || credential.number_id !== number_id)
    return Result.fail(new SipCredentialNotFound())
  return credential.status === "revoked" ? Result.fail(new SipCredentialAlreadyRevoked()) : Result.succeed(credential)
}

const proposeRotation: CredentialsRules["ProposeRotation"] = (state, command, at) =>
  Result.map(active(state, command), ({ id, revision }) => {
    const { grace_seconds, password } = command
    return {
      events: [{ _tag: "RotationProposed", id, password, grace_seconds, at }],
      reply: { revision: revision + 1 }
    }
  })

const isProposal = (credential: Credential | undefined, revision: number): credential is Credential =>
  credential !== undefined &&
  credential.revision === revision &&
  (credential.status === "proposed" || credential.rotation !== null)

const confirm: CredentialsRules["Confirm"] = (state, { id, origin, revision, seen }, at) => {
  const credential = find(state, id)
  if (!isProposal(credential, revision)) {
    const message = "The credential was changed by another request in the meantime."
    return Result.fail(new SipProvisioningFailed({ message }))
  }
  const _tag = credential.status === "proposed" ? "Created" : "Rotated"
  return shown(state, credential, { _tag, id, origin, at }, seen)
}

const abandon: CredentialsRules["Abandon"] = (state, { id, reached, revision }) =>
  isProposal(find(state, id), revision) ? done({ _tag: "Abandoned", id, reached }) : done()

const revoke: CredentialsRules["Revoke"] = (state, command, at) =>
  Result.flatMap(active(state, command), (credential) => {
    const { origin, seen } = command
    return shown(state, credential, { _tag: "Revoked", id: credential.id, origin, at }, seen)
  })

const revokeNumber: CredentialsRules["RevokeNumber"] = ({ credentials }, { left_at, number_id, origin }, at) => {
  const leaves = (credential: Credential): boolean =>
    credential.number_id === number_id && isTaken(credential) && (credential.number_since ?? left_at) <= left_at
  const ended = ({ id, status }: Credential): CredentialsEvent =>
    status === "proposed" ? { _tag: "Abandoned", id, reached: true } : { _tag: "Revoked", id, origin, at }
  return done(...credentials.filter(leaves).map(ended))
}

/** Gateways count for themselves and forget when they restart, so the credential limits the alerts. */
const reportAttack: CredentialsRules["ReportAttack"] = (state, { _tag: _, at: occurred_at, id, ...attack }, now) => {
  const credential = find(state, id)
  if (credential?.status !== "active") return done()
  const is_alerted = now < (credential.attack_alerted_at ?? -Infinity) + alertPause_ms
  const at = Math.min(occurred_at, now)
  return is_alerted ? done() : done({ _tag: "AttackAlerted", id, ...attack, since: Math.min(attack.since, at), at })
}

const confirmSync: CredentialsRules["ConfirmSync"] = (state, { id, revision }) =>
  find(state, id)?.revision === revision ? done({ _tag: "Synced", id, revision }) : done()

const endGrace: CredentialsRules["EndGrace"] = (state, { id, revision }) => {
  const credential = find(state, id)
  const isOver = credential?.revision === revision && credential.status === "active" && credential.previous !== null
  return isOver ? done({ _tag: "GraceEnded", id }) : done()
}

const rules: CredentialsRules = {
  Propose: propose,
  ProposeRotation: proposeRotation,
  Confirm: confirm,
  Abandon: abandon,
  Revoke: revoke,
  RevokeNumber: revokeNumber,
  ReportAttack: reportAttack,
  ConfirmSync: confirmSync,
  EndGrace: endGrace,
  BeginResync: (state, { epoch }) =>
    // Not "greater": another gateway, whose epochs are its own, may carry the workspace now.
    epoch !== state.returned_epoch && state.credentials.length > 0 ? done({ _tag: "ResyncBegan", epoch }) : done(),
  FinishResync: (state, { epoch }) =>
    epoch === state.returned_epoch ? done({ _tag: "ResyncFinished", epoch }) : done()
}

export const decideCredentials = decideBy<Credentials, CredentialsCommands, CredentialsEvent>(() => rules)
