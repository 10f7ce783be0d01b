// The door to SIP credentials for HTTP and the library.
import { Context, Effect, Layer } from "effect"
import { systemOrigin } from "../../domain/access/Origin.ts"
import type { CredentialRecord, CredentialRequest, Seen } from "../../domain/credentials/CredentialRecord.ts"
import { evolve, initial, isShown, recordOf } from "../../domain/credentials/Credentials.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import { SipCredentialNotFound, SipProvisioningFailed } from "../../domain/errors/SipCredentialErrors.ts"
import { CredentialReads } from "../../domain/ports/CredentialReads.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { CredentialsActor, passwordPlace } from "./CredentialsActor.ts"
import { makeSettle } from "./ProposedCredential.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { boundTo } from "../shared/SealedResponse.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

export interface ShownCredential {
  readonly record: CredentialRecord
  /** Shown this once. */
  readonly password: string
}

export class SipCredentials extends Context.Service<
  SipCredentials,
  {
    readonly create: (
      workspace_id: string,
      number_id: string,
      request: CredentialRequest,
      context: RequestContext
    ) => Effect.Effect<ShownCredential, Unhappy>
    /** The active ones and the last that were revoked, newest first. */
    readonly list: (workspace_id: string, number_id: string) => Effect.Effect<ReadonlyArray<CredentialRecord>, Unhappy>
    readonly rotate: (
      workspace_id: string,
      number_id: string,
      id: string,
      grace_seconds: number,
      context: RequestContext
    ) => Effect.Effect<ShownCredential, Unhappy>
    /** It holds at once; the PBX is told until it has taken it on. */
    readonly revoke: (
      workspace_id: string,
      number_id: string,
      id: string,
      context: RequestContext
    ) => Effect.Effect<CredentialRecord, Unhappy>
  }
>()("trunkline/actors/SipCredentials") {
  /** `domain` is where devices register. */
  static readonly layer = (options: { readonly domain: string }) => Layer.effect(SipCredentials, make(options))
}

/** Unique among all tenants of a PBX, and new each time: devices of a revoked credential never meet those of the next. */
const usernameOf = (extension: string, id: string): string => `${extension}-${id.slice(-12)}`

const wished = (id: string, { extension, max_contacts = 3, ...named }: CredentialRequest) => ({
  id,
  extension,
  username: usernameOf(extension, id),
  label: null,
  display_name: null,
  ...named,
  max_contacts
})

/** Numbers that were put into the database by hand were always there. */
const sinceOf = (claimed_at: string | null): number => (claimed_at === null ? 0 : Date.parse(claimed_at))

/** A number that left its workspace while a credential was made of it did not know of that one: it ends as the others did. */
const makeEndWhereLeft = Effect.gen(function* () {
  const numbers = yield* NumberReads
  const system = yield* ActorSystem
  return Effect.fnUntraced(function* (workspace_id: string, number_id: string, left_at: number) {
    const number = yield* numbers.find(workspace_id, number_id)
    if (number !== undefined && number.status !== "released") return
    yield* system.ask(CredentialsActor, workspace_id, {
      _tag: "RevokeNumber",
      number_id,
      left_at,
      origin: systemOrigin
    })
    return yield* new NumberNotActive()
  })
})

const make = Effect.fnUntraced(function* ({ domain }: { readonly domain: string }) {
  const ids = yield* Ids
  const numbers = yield* NumberReads
  const reads = yield* CredentialReads
  const system = yield* ActorSystem
  const vault = yield* Vault

  const unseen: Seen = { domain, registrations: [], last_registered_at: null }

  const seen = (workspace_id: string, id: string): Effect.Effect<Seen, ReadFailed> =>
    Effect.map(reads.devices(workspace_id), (devices) => ({ ...unseen, ...devices.get(id) }))

  const ownNumber = (workspace_id: string, number_id: string) =>
    Effect.filterOrFail(
      numbers.find(workspace_id, number_id),
      (number) => number !== undefined,
      () => new NumberNotFound()
    )

  /** A credential as it is stored, to be told to the PBX with what is proposed of it. */
  const stored = (workspace_id: string, number_id: string, id: string) =>
    Effect.filterOrFail(
      Effect.map(reads.list(workspace_id), (credentials) =>
        credentials.find(
          (credential) => credential.id === id && credential.number_id === number_id && isShown(credential)
        )
      ),
      (credential) => credential !== undefined,
      () => new SipCredentialNotFound()
    )

  const newPassword = (workspace_id: string, id: string) => {
    const password = vault.newPassword()
    return { password, sealed: vault.seal(password, boundTo(passwordPlace, id, workspace_id)) }
  }

  const endWhereLeft = yield* makeEndWhereLeft
  const settle = yield* makeSettle

  return SipCredentials.of({
    create: Effect.fnUntraced(function* (workspace_id, number_id, request, context) {
      const { claimed_at, number, status } = yield* ownNumber(workspace_id, number_id)
      if (status !== "active" && status !== "past_due") return yield* new NumberNotActive()
      const id = ids.uuid()
      const { password, sealed } = newPassword(workspace_id, id)
      const credential = {
        ...wished(id, request),
        number_id,
        number,
        password: sealed,
        number_since: sinceOf(claimed_at)
      }
      yield* system.ask(CredentialsActor, workspace_id, { _tag: "Propose", credential })
      const { credentials } = evolve(initial(workspace_id), { _tag: "Proposed", credential, at: 0 })
      const record = yield* settle(workspace_id, credentials[0]!, context, unseen)
      yield* endWhereLeft(workspace_id, number_id, credential.number_since)
      return { record, password }
    }),
    list: Effect.fnUntraced(function* (workspace_id, number_id) {
      yield* ownNumber(workspace_id, number_id)
      const credentials = yield* reads.list(workspace_id)
      const devices = yield* reads.devices(workspace_id)
      return credentials
        .filter((credential) => credential.number_id === number_id && isShown(credential))
        .map((credential) => recordOf(credential, { ...unseen, ...devices.get(credential.id) }))
        .reverse()
    }),
    rotate: Effect.fnUntraced(function* (workspace_id, number_id, id, grace_seconds, context) {
      yield* ownNumber(workspace_id, number_id)
      const before = yield* stored(workspace_id, number_id, id)
      const { password, sealed } = newPassword(workspace_id, id)
      const reply = yield* system.ask(CredentialsActor, workspace_id, {
        _tag: "ProposeRotation",
        number_id,
        id,
        password: sealed,
        grace_seconds
      })
      if (reply._tag !== "Proposed") return yield* new SipProvisioningFailed()
      const proposed = { ...before, rotation: { password: sealed, grace_seconds }, revision: reply.revision }
      return { record: yield* settle(workspace_id, proposed, context, yield* seen(workspace_id, id)), password }
    }),
    revoke: Effect.fnUntraced(function* (workspace_id, number_id, id, context) {
      yield* ownNumber(workspace_id, number_id)
      const command = { _tag: "Revoke", number_id, id, seen: yield* seen(workspace_id, id), ...context } as const
      const reply = yield* system.ask(CredentialsActor, workspace_id, command)
      return reply._tag === "Shown" ? reply.record : yield* new SipCredentialNotFound()
    })
  })
})
