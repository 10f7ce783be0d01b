// A key after it was made: nothing of it changes but that it is revoked, once and for ever. Before it expires its workspace is told.
import { Result, Schema } from "effect"
import { type Decided, task, type Work } from "../Decision.ts"
import { ApiKeyAlreadyRevoked, ApiKeyNotFound } from "../errors/ApiKeyErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import type { AuditRow, Column, Stored } from "../journal/Rows.ts"
import { tagged } from "../Tagged.ts"
import { KeyEnvironment } from "./ApiKeyClaims.ts"
import { ApiKeyRecord } from "./ApiKeyRecord.ts"
import { auditRow, Origin } from "./Origin.ts"
import { Scope } from "./Scope.ts"

export const ApiKeyFacts = Schema.Struct({
  workspace_id: Schema.String,
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

export interface ApiKey {
  readonly id: string
  /** Null until the key is made. */
  readonly facts: ApiKeyFacts | null
  readonly revoked_at: number | null
  /** Whether its workspace was told that it will expire. */
  readonly warned: boolean
}

/** So long before a key expires its workspace is told; a key that lives no longer was made to end. */
const warning_ms = 14 * 86_400_000

const idempotency = Schema.optionalKey(IdempotentRequest)

export const ApiKeyCommand = Schema.Union([
  /** `sealed` is the key itself, for the kept answer alone. */
  tagged("Create", { facts: ApiKeyFacts, origin: Origin, sealed: Schema.String, idempotency }),
  tagged("Revoke", { origin: Origin, last_used_at: Schema.NullOr(Schema.String), idempotency }),
  /** Its workspace was told that it will expire. */
  tagged("Warned", {})
])
export type ApiKeyCommand = typeof ApiKeyCommand.Type

export const ApiKeyReply = tagged("Shown", { record: ApiKeyRecord })
export type ApiKeyReply = typeof ApiKeyReply.Type

export type ApiKeyEvent =
  | { readonly _tag: "Created"; readonly facts: ApiKeyFacts; readonly origin: Origin }
  | { readonly _tag: "Revoked"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Warned" }

/** Tells its workspace that the key will expire. */
export interface WarnOfExpiry {
  readonly _tag: "WarnOfExpiry"
}

export const emptyApiKey = (id: string): ApiKey => ({ id, facts: null, revoked_at: null, warned: false })

const instant = (at: number): string => new Date(at).toISOString()

/** The key as members see it; `last_used_at` is kept apart from it. */
export const apiKeyRecord = (
  id: string,
  facts: ApiKeyFacts,
  revoked_at: number | null,
  last_used_at: string | null
): ApiKeyRecord => ({
  id,
  label: facts.label,
  scopes: facts.scopes,
  env: facts.env,
  allowed_ips: facts.allowed_ips,
  created_by: facts.created_by,
  created_at: instant(facts.created_at),
  expires_at: instant(facts.expires_at),
  last_used_at,
  revoked: revoked_at !== null,
  revoked_at: revoked_at === null ? null : instant(revoked_at),
  prefix: facts.prefix
})

export const decideApiKey = (key: ApiKey, command: ApiKeyCommand, now: number): Decided<ApiKeyEvent, ApiKeyReply> => {
  const { facts, id, revoked_at } = key
  if (command._tag === "Create") {
    const made = facts ?? command.facts
    const events: ReadonlyArray<ApiKeyEvent> =
      facts === null ? [{ _tag: "Created", facts: made, origin: command.origin }] : []
    return Result.succeed({ events, reply: { _tag: "Shown", record: apiKeyRecord(id, made, revoked_at, null) } })
  }
  if (facts === null) return Result.fail(new ApiKeyNotFound())
  if (command._tag === "Warned") {
    const reply: ApiKeyReply = { _tag: "Shown", record: apiKeyRecord(id, facts, revoked_at, null) }
    return Result.succeed({ events: key.warned ? [] : [{ _tag: "Warned" }], reply })
  }
  if (revoked_at !== null) return Result.fail(new ApiKeyAlreadyRevoked())
  return Result.succeed({
    events: [{ _tag: "Revoked", at: now, origin: command.origin }],
    reply: { _tag: "Shown", record: apiKeyRecord(id, facts, now, command.last_used_at) }
  })
}

export const evolveApiKey = (key: ApiKey, event: ApiKeyEvent): ApiKey => {
  switch (event._tag) {
    case "Created":
      return { ...key, facts: event.facts }
    case "Revoked":
      return { ...key, revoked_at: event.at }
    case "Warned":
      return { ...key, warned: true }
  }
}

export const planApiKey = ({ facts, revoked_at, warned }: ApiKey): ReadonlyArray<Work<ApiKeyCommand, WarnOfExpiry>> => {
  if (facts === null || revoked_at !== null || warned || facts.expires_at - facts.created_at <= warning_ms) return []
  return [task("warning", { _tag: "WarnOfExpiry" }, facts.expires_at - warning_ms)]
}

const auditOf = (key: ApiKey, facts: ApiKeyFacts, event: ApiKeyEvent): ReadonlyArray<AuditRow> => {
  if (event._tag === "Warned") return []
  const { label, scopes, workspace_id } = facts
  const target = { type: "api_key", id: key.id }
  return [
    event._tag === "Created"
      ? auditRow(event.origin, {
          workspace_id,
          target,
          action_kind: "api_key.created",
          after: { label, scopes },
          at: facts.created_at
        })
      : auditRow(event.origin, {
          workspace_id,
          target,
          action_kind: "api_key.revoked",
          before: { label },
          at: event.at
        })
  ]
}

interface ApiKeyRecorded {
  readonly workspace_id: string
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly audit: ReadonlyArray<AuditRow>
}

export const recordApiKey = (key: ApiKey, events: ReadonlyArray<ApiKeyEvent>): ApiKeyRecorded => {
  const facts = key.facts!
  return {
    workspace_id: facts.workspace_id,
    state: JSON.stringify({ facts, revoked_at: key.revoked_at, warned: key.warned }),
    columns: {
      label: facts.label,
      scopes: facts.scopes,
      env: facts.env,
      prefix: facts.prefix,
      created_at: facts.created_at,
      expires_at: facts.expires_at,
      revoked_at: key.revoked_at
    },
    audit: events.flatMap((event) => auditOf(key, facts, event))
  }
}

export const restoreApiKey = ({ state }: Stored, id: string): ApiKey => ({
  ...emptyApiKey(id),
  ...(JSON.parse(state) as Partial<ApiKey>)
})
