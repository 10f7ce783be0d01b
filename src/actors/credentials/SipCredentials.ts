// SIP credential operations for the HTTP API and the library.
import { Context, Effect, Layer } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import type { CredentialRecord, CredentialRequest, DeviceStatus } from "../../domain/credentials/CredentialRecord.ts"
import { isShown, newCredential, recordOf } from "../../domain/credentials/Credentials.ts"
import type { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import {
  type ExtensionInvalid,
  type ExtensionTaken,
  type SipConfigUnavailable,
  type SipCredentialAlreadyRevoked,
  type SipCredentialLimitReached,
  SipCredentialNotFound,
  type SipProvisioningFailed
} from "../../domain/errors/SipCredentialErrors.ts"
import { CredentialReads } from "../../domain/ports/pbx/CredentialReads.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { makeSeenAfterwards } from "../shared/SeenAfterwards.ts"
import { sealContext } from "../shared/SealedResponse.ts"
import { passwordPlace } from "./CredentialSecrets.ts"
import { makeProvisionProposal } from "./ProvisionProposal.ts"
import { type CredentialId, type NumberId, toCredentialId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

/** Errors of provisioning a credential on the PBX. */
type ProvisionError = SipProvisioningFailed | SipConfigUnavailable | ServiceUnavailable | NotCommitted | ReadFailed

export interface CredentialWithPassword {
  readonly record: CredentialRecord
  /** In plain text. It is shown only once. */
  readonly password: string
}

export class SipRegistrar extends Context.Service<
  SipRegistrar,
  {
    /** Where devices register. */
    readonly domain: string
  }
>()("trunkline/actors/SipRegistrar") {}

export class SipCredentials extends Context.Service<
  SipCredentials,
  {
    /** Returns when devices can register with it. */
    readonly create: (
      workspace_id: WorkspaceId,
      number_id: NumberId,
      request: CredentialRequest,
      context: RequestContext
    ) => Effect.Effect<
      CredentialWithPassword,
      NumberNotFound | NumberNotActive | ExtensionInvalid | ExtensionTaken | SipCredentialLimitReached | ProvisionError
    >
    /** The active and the latest revoked credentials, newest first. */
    readonly list: (
      workspace_id: WorkspaceId,
      number_id: NumberId
    ) => Effect.Effect<ReadonlyArray<CredentialRecord>, NumberNotFound | ReadFailed>
    /** The previous password is accepted for `grace_seconds` more. */
    readonly rotate: (
      workspace_id: WorkspaceId,
      number_id: NumberId,
      id: CredentialId,
      grace_seconds: number,
      context: RequestContext
    ) => Effect.Effect<
      CredentialWithPassword,
      NumberNotFound | SipCredentialNotFound | SipCredentialAlreadyRevoked | ProvisionError
    >
    /** Takes effect in the engine at once. The command to the PBX is repeated until the PBX has accepted it. */
    readonly revoke: (
      workspace_id: WorkspaceId,
      number_id: NumberId,
      id: CredentialId,
      context: RequestContext
    ) => Effect.Effect<
      CredentialRecord,
      NumberNotFound | SipCredentialNotFound | SipCredentialAlreadyRevoked | NotCommitted | ReadFailed
    >
  }
>()("trunkline/actors/SipCredentials") {
  static readonly layer = Layer.effect(
    SipCredentials,
    Effect.suspend(() => make())
  )
}

/** Unique on the whole PBX and never reused: devices of a revoked credential must not match a later one. */
const usernameOf = (extension: string, id: CredentialId): string => `${extension}-${id.slice(-12)}`

const withDefaults = (id: CredentialId, { extension, max_contacts = 3, ...optional }: CredentialRequest) => ({
  id,
  extension,
  username: usernameOf(extension, id),
  label: null,
  display_name: null,
  ...optional,
  max_contacts
})

/** Numbers that an operator put into the database have no claim time; they count as owned since ever. */
const sinceOf = (claimed_at: string | null): number => (claimed_at === null ? 0 : Date.parse(claimed_at))

/** What the operations need from the database. */
const makeReads = Effect.fnUntraced(function* (noDevices: DeviceStatus) {
  const numbers = yield* NumberReads
  const reads = yield* CredentialReads

  const devicesOf = (workspace_id: WorkspaceId, id: CredentialId): Effect.Effect<DeviceStatus, ReadFailed> =>
    Effect.map(reads.devices(workspace_id), (devices) => ({ ...noDevices, ...devices.get(id) }))

  const ownNumber = (workspace_id: WorkspaceId, number_id: NumberId) =>
    Effect.filterOrFail(
      numbers.find(workspace_id, number_id),
      (number) => number !== undefined,
      () => new NumberNotFound()
    )

  /** A credential as it is stored. */
  const stored = (workspace_id: WorkspaceId, number_id: NumberId, id: CredentialId) =>
    Effect.filterOrFail(
      Effect.map(reads.list(workspace_id), (credentials) =>
        credentials.find(
          (credential) => credential.id === id && credential.number_id === number_id && isShown(credential)
        )
      ),
      (credential) => credential !== undefined,
      () => new SipCredentialNotFound()
    )

  return { devicesOf, ownNumber, stored }
})

/** A number that left its workspace while a credential was created has revoked all others: this one must follow. */
const makeRevokeIfReleased = Effect.gen(function* () {
  const numbers = yield* NumberReads
  const system = yield* ActorSystem
  return Effect.fnUntraced(function* (workspace_id: WorkspaceId, number_id: NumberId, left_at: number) {
    const number = yield* numbers.find(workspace_id, number_id)
    if (number !== undefined && number.status !== "released") return
    const leave = { number_id, left_at, origin: systemOrigin }
    yield* system.ask(CredentialsCommands.RevokeNumber, workspace_id, leave)
    return yield* new NumberNotActive()
  })
})

const make = Effect.fnUntraced(function* () {
  const { domain } = yield* SipRegistrar
  const ids = yield* Ids
  const reads = yield* CredentialReads
  const system = yield* ActorSystem
  const vault = yield* Vault
  const provisionProposal = yield* makeProvisionProposal
  const revokeIfReleased = yield* makeRevokeIfReleased
  const seenAfterwards = yield* makeSeenAfterwards

  const noDevices: DeviceStatus = { domain, registrations: [], last_registered_at: null }
  const { devicesOf, ownNumber, stored } = yield* makeReads(noDevices)

  const newPassword = (workspace_id: WorkspaceId, id: CredentialId) => {
    const password = vault.newPassword()
    return { password, sealed: vault.seal(password, sealContext(passwordPlace, id, workspace_id)) }
  }

  return SipCredentials.of({
    create: traced("SipCredentials.create")(function* (workspace_id, number_id, request, context) {
      const { claimed_at, number, status } = yield* ownNumber(workspace_id, number_id)
      if (status !== "active" && status !== "past_due") return yield* new NumberNotActive()
      const id = toCredentialId(ids.uuid())
      const { password, sealed } = newPassword(workspace_id, id)
      const number_since = sinceOf(claimed_at)
      const credential = { ...withDefaults(id, request), number_id, number, password: sealed, number_since }
      yield* system.ask(CredentialsCommands.Propose, workspace_id, { credential })
      const record = yield* provisionProposal(workspace_id, newCredential(credential, 0), context, noDevices)
      yield* seenAfterwards(revokeIfReleased(workspace_id, number_id, number_since))
      return { record, password }
    }),
    list: traced("SipCredentials.list")(function* (workspace_id, number_id) {
      yield* ownNumber(workspace_id, number_id)
      const credentials = yield* reads.list(workspace_id)
      const devices = yield* reads.devices(workspace_id)
      return credentials
        .filter((credential) => credential.number_id === number_id && isShown(credential))
        .map((credential) => recordOf(credential, { ...noDevices, ...devices.get(credential.id) }))
        .reverse()
    }),
    rotate: traced("SipCredentials.rotate")(function* (workspace_id, number_id, id, grace_seconds, context) {
      yield* ownNumber(workspace_id, number_id)
      const before = yield* stored(workspace_id, number_id, id)
      const { password, sealed } = newPassword(workspace_id, id)
      const rotation = { password: sealed, grace_seconds }
      const { revision } = yield* system.ask(CredentialsCommands.ProposeRotation, workspace_id, {
        number_id,
        id,
        ...rotation
      })
      const devices = yield* devicesOf(workspace_id, id)
      const record = yield* provisionProposal(workspace_id, { ...before, rotation, revision }, context, devices)
      return { record, password }
    }),
    revoke: traced("SipCredentials.revoke")(function* (workspace_id, number_id, id, context) {
      yield* ownNumber(workspace_id, number_id)
      const seen = yield* devicesOf(workspace_id, id)
      const command = { number_id, id, seen, ...context }
      const { record } = yield* seenAfterwards(system.ask(CredentialsCommands.Revoke, workspace_id, command))
      return record
    })
  })
})
