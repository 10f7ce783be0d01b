// The stored state of a workspace's SIP credentials.
import { Schema } from "effect"
import { WorkspaceId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import { ProposedCredential } from "./CredentialCommand.ts"
import type { Credentials } from "./Credentials.ts"

const Instant = Schema.Int
const Count = Schema.Int
const orNull = Schema.NullOr

const StoredCredential = Schema.Struct({
  ...ProposedCredential.fields,
  status: Schema.Literals(["proposed", "active", "revoked", "abandoned"]),
  previous: orNull(Schema.Struct({ password: Schema.String, expires_at: Instant })),
  rotation: orNull(Schema.Struct({ password: Schema.String, grace_seconds: Schema.Int })),
  proposed_at: Instant,
  revision: Count,
  synced: Count,
  sequence: Count,
  created_at: Instant,
  rotated_at: orNull(Instant),
  revoked_at: orNull(Instant),
  attack_alerted_at: Schema.optionalKey(Instant)
})

const StoredCredentials = Schema.Struct({
  workspace_id: WorkspaceId,
  credentials: Schema.Array(StoredCredential),
  returned_epoch: Count,
  restored_epoch: Count
})

export const credentialsState = storedState({ schema: StoredCredentials, upgrades: [] })

export const restoreCredentials = credentialsState.restore((stored): Credentials => stored)
