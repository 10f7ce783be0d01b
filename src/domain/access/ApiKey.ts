// An API key: it is created, its workspace is warned before it expires, and it can be revoked. Nothing else changes.
import { Result, Schema } from "effect"
import { decideByPresence, refuse, type Rules } from "../Command.ts"
import { task, type Work } from "../Decision.ts"
import { ApiKeyAlreadyRevoked, ApiKeyNotFound } from "../errors/ApiKeyErrors.ts"
import { EpochMs, orNull } from "../kit/Fields.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { recordOf } from "../kit/RecordOf.ts"
import { type ApiKeyCommand, type ApiKeyCommands, ApiKeyFacts } from "./ApiKeyCommand.ts"
import { ApiKeyRecord } from "./ApiKeyRecord.ts"
import type { Origin } from "./Origin.ts"
import type { ApiKeyId } from "../BrandedIds.ts"

export interface AbsentApiKey {
  readonly id: ApiKeyId
  readonly facts: null
}

export const StoredApiKey = Schema.Struct({
  facts: ApiKeyFacts,
  /** Null while the key is valid. */
  revoked_at: orNull(EpochMs),
  /** Whether the admins of the workspace were told that the key will expire. */
  warned: Schema.Boolean
})

export interface PresentApiKey extends Schema.Schema.Type<typeof StoredApiKey> {
  readonly id: ApiKeyId
}

export type ApiKey = AbsentApiKey | PresentApiKey

export const isPresent = (key: ApiKey): key is PresentApiKey => key.facts !== null

/** How long before its expiry a key is warned of. A key that lives no longer than this was made to end: no warning. */
const warningLead_ms = 14 * 86_400_000

export type ApiKeyEvent =
  | { readonly _tag: "Created"; readonly facts: ApiKeyFacts; readonly origin: Origin }
  | { readonly _tag: "Revoked"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Warned" }

/** Writes to the admins of the workspace that the key will expire. */
export interface WarnOfExpiry {
  readonly _tag: "WarnOfExpiry"
}

export const emptyApiKey = (id: ApiKeyId): ApiKey => ({ id, facts: null })

/** The key as members see it. `last_used_at` is stored apart from the key. */
export const apiKeyRecord = (
  { facts, id, revoked_at }: Pick<PresentApiKey, "id" | "facts" | "revoked_at">,
  last_used_at: string | null
): ApiKeyRecord =>
  recordOf(ApiKeyRecord, facts, {
    id,
    livemode: facts.env === "live",
    created_at: isoInstant(facts.created_at),
    expires_at: isoInstant(facts.expires_at),
    last_used_at,
    revoked: revoked_at !== null,
    revoked_at: instantOrNull(revoked_at)
  })

type AbsentRules = Rules<AbsentApiKey, ApiKeyCommands, ApiKeyEvent>
type PresentRules = Rules<PresentApiKey, ApiKeyCommands, ApiKeyEvent>

const create: AbsentRules["Create"] = ({ id }, { facts, origin }) =>
  Result.succeed({
    events: [{ _tag: "Created", facts, origin }],
    reply: apiKeyRecord({ id, facts, revoked_at: null }, null)
  })

const revoke: PresentRules["Revoke"] = (key, { last_used_at, origin }, now) =>
  key.revoked_at !== null
    ? refuse(new ApiKeyAlreadyRevoked())
    : Result.succeed({
        events: [{ _tag: "Revoked", at: now, origin }],
        reply: apiKeyRecord({ ...key, revoked_at: now }, last_used_at)
      })

const notFound = () => refuse(new ApiKeyNotFound())

export const decideApiKey = decideByPresence<AbsentApiKey, PresentApiKey, ApiKeyCommands, ApiKeyEvent>({
  isPresent,
  absent: { Create: create, Revoke: notFound, Warned: notFound },
  present: {
    Create: (key) => Result.succeed({ events: [], reply: apiKeyRecord(key, null) }),
    Revoke: revoke,
    Warned: ({ warned }) => Result.succeed({ events: warned ? [] : [{ _tag: "Warned" }], reply: undefined })
  }
})

export const evolveApiKey = (key: ApiKey, event: ApiKeyEvent): ApiKey => {
  if (event._tag === "Created") return { id: key.id, facts: event.facts, revoked_at: null, warned: false }
  if (!isPresent(key)) return key
  return event._tag === "Revoked" ? { ...key, revoked_at: event.at } : { ...key, warned: true }
}

export const planApiKey = (key: ApiKey): ReadonlyArray<Work<ApiKeyCommand, WarnOfExpiry>> => {
  if (!isPresent(key) || key.revoked_at !== null || key.warned) return []
  const { created_at, expires_at } = key.facts
  if (expires_at - created_at <= warningLead_ms) return []
  return [task("warning", { _tag: "WarnOfExpiry" }, expires_at - warningLead_ms)]
}
