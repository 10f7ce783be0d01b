import { Schema } from "effect"
import { commandsOf, type Message } from "../Command.ts"
import { ApiKeyAlreadyRevoked, ApiKeyNotFound } from "../errors/ApiKeyErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import { KeyEnvironment } from "./ApiKeyClaims.ts"
import { ApiKeyRecord } from "./ApiKeyRecord.ts"
import { Origin } from "./Origin.ts"
import { Scope } from "./Scope.ts"
import { WorkspaceId } from "../BrandedIds.ts"

/** What is fixed when a key is created. Times are epoch milliseconds. */
export const ApiKeyFacts = Schema.Struct({
  workspace_id: WorkspaceId,
  label: Schema.String,
  scopes: Schema.Array(Scope),
  env: KeyEnvironment,
  allowed_ips: Schema.Array(Schema.String),
  created_by: Schema.NullOr(Schema.String),
  created_at: Schema.Int,
  expires_at: Schema.Int,
  prefix: Schema.String
})
export type ApiKeyFacts = typeof ApiKeyFacts.Type

const idempotency = Schema.optionalKey(IdempotentRequest)

export const ApiKeyCommands = commandsOf("ApiKey", {
  /** Creates the key. A repetition changes nothing. `sealed` is the token, for the stored response alone. */
  Create: {
    payload: { facts: ApiKeyFacts, origin: Origin, sealed: Schema.String, idempotency },
    reply: ApiKeyRecord
  },
  /** Revokes the key permanently. `last_used_at` is for the reply: the actor does not know it. */
  Revoke: {
    payload: { origin: Origin, last_used_at: Schema.NullOr(Schema.String), idempotency },
    reply: ApiKeyRecord,
    errors: [ApiKeyNotFound, ApiKeyAlreadyRevoked]
  },
  /** The admins of the workspace were told that the key will expire. */
  Warned: { errors: [ApiKeyNotFound] }
})
export type ApiKeyCommands = typeof ApiKeyCommands
export type ApiKeyCommand = Message<ApiKeyCommands>
