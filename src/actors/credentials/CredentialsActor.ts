import { auditRow, systemOrigin } from "../../domain/access/Origin.ts"
import { CredentialsCommands } from "../../domain/credentials/CredentialCommand.ts"
import {
  type Credential,
  type Credentials,
  type CredentialsEvent,
  evolveCredentials,
  initialCredentials
} from "../../domain/credentials/Credentials.ts"
import { decideCredentials } from "../../domain/credentials/DecideCredentials.ts"
import { type CredentialsWork, planCredentials } from "../../domain/credentials/PlanCredentials.ts"
import { credentialsState, restoreCredentials } from "../../domain/credentials/StoredCredentials.ts"
import type { AuditRow, EventRow } from "../../domain/journal/Rows.ts"
import { publishedEvent } from "../../domain/journal/PublishedEvent.ts"
import type { Change } from "../../domain/Decision.ts"
import { actor, type Recorded } from "../runtime/Definition.ts"
import { resealable } from "../runtime/Resealable.ts"
import { sealedIn } from "../shared/SealedResponse.ts"
import { passwordPlace } from "./CredentialSecrets.ts"
import type { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"

const kinds = {
  Created: "sip_credential.created",
  Rotated: "sip_credential.rotated",
  Revoked: "sip_credential.revoked",
  AttackAlerted: "security.registration_attack"
} as const

/** The events that members see: webhook events and audit entries. */
type PublicEvent = Extract<CredentialsEvent, { readonly _tag: keyof typeof kinds }>

const kindOf = ({ _tag }: PublicEvent) => kinds[_tag]

const isPublic = (event: CredentialsEvent): event is PublicEvent => event._tag in kinds

const publicEvents = ({ after, events }: Change<Credentials, CredentialsEvent>) =>
  events.flatMap((event) => {
    if (!isPublic(event)) return []
    const credential = after.credentials.find(({ id }) => id === event.id)
    return credential === undefined ? [] : [{ event, credential }]
  })

/** What an alert says of the attack, beside the credential. */
const attackOf = (event: PublicEvent) =>
  event._tag === "AttackAlerted"
    ? { attempts: event.attempts, since: isoInstant(event.since), addresses: event.addresses }
    : {}

const eventRow = (
  workspace_id: WorkspaceId,
  uuid: string,
  event: PublicEvent,
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
    ...attackOf(event),
    at: isoInstant(event.at)
  }
  return publishedEvent(uuid, { workspace_id, subject_id: id, sequence, at: event.at, number_id, payload })
}

const auditOf = (
  workspace_id: WorkspaceId,
  event: PublicEvent,
  { extension, id, label, number_id, previous }: Credential
): AuditRow => {
  const about = { workspace_id, target: { type: "sip_credential", id }, at: event.at } as const
  if (event._tag === "AttackAlerted") {
    const after = { alert: kindOf(event), number_id, extension, ...attackOf(event) }
    return auditRow(systemOrigin, { ...about, action_kind: "security.alerted", after })
  }
  return auditRow(event.origin, {
    ...about,
    action_kind: kinds[event._tag],
    after: {
      number_id,
      extension,
      label,
      ...(event._tag === "Rotated" && {
        previous_until: previous === null ? null : isoInstant(previous.expires_at)
      })
    }
  })
}

const record = (change: Change<Credentials, CredentialsEvent>): Recorded => {
  const { workspace_id } = change.after
  const changes = publicEvents(change)
  return {
    workspace_id,
    state: credentialsState.write(change.after),
    columns: {},
    events: changes.map(({ credential, event }) => eventRow(workspace_id, change.uuid(), event, credential)),
    audit: changes.map(({ credential, event }) => auditOf(workspace_id, event, credential))
  }
}

/** Where the credentials of a number are listed. */
export const credentialsPath = (number_id: NumberId): string => `/v1/numbers/${number_id}/sip-credentials`

/** The SIP credentials of a workspace. The actor id is the workspace's id. */
export const CredentialsActor = resealable(
  actor<Credentials, CredentialsCommands, CredentialsEvent, CredentialsWork>({
    type: "SipCredentials",
    commands: CredentialsCommands,
    initial: initialCredentials,
    restore: restoreCredentials,
    decide: decideCredentials,
    evolve: evolveCredentials,
    plan: planCredentials,
    record,
    // A stored response contains the password or token that the request made, sealed until it is sent.
    answers: {
      Confirm: ({ password, record }) => {
        const headers = sealedIn(passwordPlace, password)
        const body = JSON.stringify(record)
        return record.rotated_at === null
          ? { status: 201, body, headers: { ...headers, location: credentialsPath(record.number_id) } }
          : { status: 200, body, headers }
      },
      Revoke: ({ record }) => ({ status: 200, body: JSON.stringify(record), headers: {} })
    }
  })
)
