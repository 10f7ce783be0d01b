// The SIP credentials of a workspace as an actor: what is decided of them, and that the PBX comes to hold it.
import { Effect, Layer, Schema } from "effect"
import { auditRow } from "../../domain/access/Origin.ts"
import { CredentialsCommand, CredentialsReply } from "../../domain/credentials/CredentialCommand.ts"
import {
  type Credential,
  type Credentials,
  type CredentialsEvent,
  evolve,
  initial
} from "../../domain/credentials/Credentials.ts"
import { decideCredentials } from "../../domain/credentials/DecideCredentials.ts"
import { type CredentialsWork, planCredentials } from "../../domain/credentials/PlanCredentials.ts"
import { registrarCommand } from "../../domain/credentials/RegistrarCommands.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import type { AuditRow, EventRow } from "../../domain/journal/Rows.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { dispatchTenantCommand, TenantCommandFailed } from "../pbx/DispatchCommand.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { publishedEvent } from "../../domain/webhooks/PublishedEvent.ts"
import { resealable } from "../runtime/Resealable.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Change } from "../../domain/Decision.ts"
import type { Answer, Definition, Perform, Recorded, Self } from "../runtime/Definition.ts"
import { boundTo, sealedIn, type SecretPlace } from "../shared/SealedResponse.ts"

export const passwordPlace: SecretPlace = "sip_credentials/password"

export const tokenPlace: SecretPlace = "webrtc/token"

/** The PBX is told of so many at once when it has come back. */
const restoredTogether = 32

type Told = Extract<CredentialsEvent, { readonly _tag: "Created" | "Rotated" | "Revoked" }>

const kindOf = ({ _tag }: Told) =>
  (
    { Created: "sip_credential.created", Rotated: "sip_credential.rotated", Revoked: "sip_credential.revoked" } as const
  )[_tag]

const told = ({ after, events }: Change<Credentials, CredentialsEvent>) =>
  events.flatMap((event) => {
    if (event._tag !== "Created" && event._tag !== "Rotated" && event._tag !== "Revoked") return []
    const credential = after.credentials.find(({ id }) => id === event.id)
    return credential === undefined ? [] : [{ event, credential }]
  })

const eventRow = (
  workspace_id: string,
  uuid: string,
  event: Told,
  { extension, id, number_id, sequence, username }: Credential
): EventRow => {
  const kind = kindOf(event)
  const payload = {
    kind,
    workspace_id,
    credential_id: id,
    number_id,
    extension,
    username,
    at: new Date(event.at).toISOString()
  }
  return publishedEvent(uuid, { workspace_id, subject_id: id, sequence, at: event.at, number_id, payload })
}

const auditOf = (
  workspace_id: string,
  event: Told,
  { extension, id, label, number_id, previous }: Credential
): AuditRow =>
  auditRow(event.origin, {
    workspace_id,
    action_kind: kindOf(event),
    target: { type: "sip_credential", id },
    after: {
      number_id,
      extension,
      label,
      ...(event._tag === "Rotated" && {
        previous_until: previous === null ? null : new Date(previous.expires_at).toISOString()
      })
    },
    at: event.at
  })

const record = (change: Change<Credentials, CredentialsEvent>): Recorded => {
  const { workspace_id } = change.after
  const changes = told(change)
  return {
    workspace_id,
    state: JSON.stringify(change.after),
    columns: {},
    events: changes.map(({ credential, event }) => eventRow(workspace_id, change.uuid(), event, credential)),
    audit: changes.map(({ credential, event }) => auditOf(workspace_id, event, credential))
  }
}

/** Where a credential is listed. */
export const credentialsPath = (number_id: string): string => `/v1/numbers/${number_id}/sip-credentials`

/** The answer that is kept shows the password that the request made, sealed until it is sent. */
const answer = (command: CredentialsCommand, reply: CredentialsReply): Answer => {
  if (reply._tag === "TokenKept") {
    return { status: 200, body: JSON.stringify(reply.session), headers: sealedIn(tokenPlace, reply.token) }
  }
  if (reply._tag !== "Shown") return { status: 200, body: "{}", headers: {} }
  const { password, record } = reply
  const body = JSON.stringify(record)
  if (command._tag === "Revoke") return { status: 200, body, headers: {} }
  const headers = sealedIn(passwordPlace, password)
  return record.rotated_at === null
    ? { status: 201, body, headers: { ...headers, location: credentialsPath(record.number_id) } }
    : { status: 200, body, headers }
}

export const CredentialsActor: Definition<
  Credentials,
  CredentialsCommand,
  CredentialsEvent,
  CredentialsReply,
  CredentialsWork
> = resealable({
  type: "SipCredentials",
  initial,
  restore: ({ state }) => JSON.parse(state) as Credentials,
  decide: decideCredentials,
  evolve,
  plan: planCredentials,
  record,
  answer,
  wire: { command: CredentialsCommand, reply: CredentialsReply, notice: Schema.Never }
})

type Actor = Self<Credentials, CredentialsCommand, CredentialsReply>

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const directory = yield* Directory
    const system = yield* ActorSystem
    const vault = yield* Vault

    const current = (self: Actor, id: string) => self.state().credentials.find((credential) => credential.id === id)

    /** The PBX comes to hold what is current; a refusal is for those to see to who run it. */
    const provision = (self: Actor, { gateway_id, tenant_pbx_id }: Workspace, id: string, occasion: string) =>
      Effect.suspend(() => {
        const credential = current(self, id)
        const open = (sealed: string) => vault.open(sealed, boundTo(passwordPlace, id, self.id))
        const command = credential && registrarCommand(credential, tenant_pbx_id, open, occasion)
        return command === undefined ? Effect.void : dispatchTenantCommand(system, gateway_id, command)
      }).pipe(
        Effect.catch((error) => {
          if (!(error instanceof TenantCommandFailed)) return Effect.fail(error)
          const { detail } = error
          return detail === "superseded"
            ? Effect.void
            : Effect.logWarning(`The PBX does not take SIP credential ${id}: ${detail}`)
        })
      )

    const workspaceOf = (self: Actor) => Effect.map(directory.workspace(self.id), (workspace) => workspace!)

    const sync = (self: Actor, id: string, revision: number) =>
      Effect.gen(function* () {
        yield* provision(self, yield* workspaceOf(self), id, "sync")
        yield* self.tell({ _tag: "Synced", id, revision })
      })

    /** What is being proposed or synced is told to the PBX by whoever does that. */
    const settled = ({ revision, rotation, status, synced }: Credential) =>
      status === "active" && rotation === null && synced === revision

    const restore = (self: Actor, epoch: number) =>
      Effect.gen(function* () {
        const workspace = yield* workspaceOf(self)
        const ids = self.state().credentials.map(({ id }) => id)
        yield* Effect.forEach(
          ids,
          (id) =>
            Effect.suspend(() => {
              const credential = current(self, id)
              return credential !== undefined && settled(credential)
                ? provision(self, workspace, id, `e${epoch}`)
                : Effect.void
            }),
          { concurrency: restoredTogether, discard: true }
        )
        yield* self.tell({ _tag: "Restored", epoch })
      })

    const perform: Perform<Credentials, CredentialsCommand, CredentialsReply, CredentialsWork> = (work, self) =>
      Effect.asVoid(
        retryWithBackoff(work._tag === "Sync" ? sync(self, work.id, work.revision) : restore(self, work.epoch))
      )

    yield* system.register(CredentialsActor, perform)
  })
)
