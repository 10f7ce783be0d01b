// API keys for HTTP and the seed.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { ApiKeyCommands, type ApiKeyFacts } from "../../domain/access/ApiKeyCommand.ts"
import type { ApiKeyRecord, ApiKeyRequest } from "../../domain/access/ApiKeyRecord.ts"
import { type NewApiKey, parseApiKeyRequest } from "../../domain/access/ParseApiKeyRequest.ts"
import {
  type ApiKeyAlreadyRevoked,
  ApiKeyLimitReached,
  type ApiKeyNameRequired,
  ApiKeyNotFound,
  type ApiKeyScopeInvalid
} from "../../domain/errors/ApiKeyErrors.ts"
import type { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { ApiKeyReads } from "../../domain/ports/access/ApiKeyReads.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { Keyring } from "../../domain/ports/engine/Keyring.ts"
import { Vault } from "../../domain/ports/engine/Vault.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { oneAtATime } from "../shared/OneAtATime.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { sealContext } from "../shared/SealedResponse.ts"
import { apiKeyToken } from "./ApiKeyActor.ts"
import { type ApiKeyId, toApiKeyId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

/** How many keys of a workspace may be valid at a time. */
const maxActive = 100

/** How many characters of a token stay visible in its record: the last ones, because all tokens begin alike. */
const shownLength = 8

export interface MintedKey {
  readonly record: ApiKeyRecord
  /** The token. It is shown once and never stored in clear. */
  readonly key: string
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    readonly create: (
      workspace_id: WorkspaceId,
      request: ApiKeyRequest,
      context: RequestContext
    ) => Effect.Effect<
      MintedKey,
      ApiKeyLimitReached | ApiKeyNameRequired | ApiKeyScopeInvalid | BadRequest | NotCommitted | ReadFailed
    >
    /** Creates a key without rate limits, for the workspaces of the demo data. */
    readonly createUnlimited: (
      workspace_id: WorkspaceId,
      key: NewApiKey,
      context: RequestContext
    ) => Effect.Effect<MintedKey, NotCommitted>
    readonly get: (workspace_id: WorkspaceId, id: ApiKeyId) => Effect.Effect<ApiKeyRecord, ApiKeyNotFound | ReadFailed>
    /** The keys of a workspace, the newest first. */
    readonly list: ApiKeyReads["Service"]["list"]
    /** Revokes a key. Every process refuses it within a second. */
    readonly revoke: (
      workspace_id: WorkspaceId,
      id: ApiKeyId,
      context: RequestContext
    ) => Effect.Effect<ApiKeyRecord, ApiKeyAlreadyRevoked | ApiKeyNotFound | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.suspend(() => make)
  )
}

const makeMint = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const keyring = yield* Keyring
  const vault = yield* Vault
  return Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    request: NewApiKey,
    unlimited: boolean,
    context: RequestContext
  ) {
    const id = toApiKeyId(ids.uuid())
    const created_at = yield* Clock.currentTimeMillis
    const { allowed_ips, env, expires_at, scopes } = request
    const grant = { key_id: id, workspace_id, scopes, env, allowed_ips, expires_at }
    const key = Redacted.value(yield* keyring.mint({ ...grant, ...(unlimited && { unlimited }) }))
    const facts: ApiKeyFacts = {
      ...request,
      workspace_id,
      created_by: context.origin.actor.id,
      created_at,
      prefix: key.slice(-shownLength)
    }
    const sealed = vault.seal(key, sealContext(apiKeyToken, id, workspace_id))
    const record = yield* system.ask(ApiKeyCommands.Create, id, { facts, sealed, ...context })
    return { record, key }
  })
})

const make = Effect.gen(function* () {
  const mint = yield* makeMint
  const reads = yield* ApiKeyReads
  const system = yield* ActorSystem
  const creating = yield* oneAtATime

  const find = (workspace_id: WorkspaceId, id: ApiKeyId) =>
    Effect.filterOrFail(
      reads.find(workspace_id, id),
      (record) => record !== undefined,
      () => new ApiKeyNotFound()
    )

  return ApiKeys.of({
    get: traced("ApiKeys.get")(find),
    list: reads.list,
    create: traced("ApiKeys.create")(function* (workspace_id, request, context) {
      const now = yield* Clock.currentTimeMillis
      const key = yield* Effect.fromResult(parseApiKeyRequest(request, now))
      return yield* creating(workspace_id)(
        Effect.gen(function* () {
          if ((yield* reads.countActive(workspace_id, now)) >= maxActive) return yield* new ApiKeyLimitReached()
          return yield* mint(workspace_id, key, false, context)
        })
      )
    }),
    createUnlimited: traced("ApiKeys.createUnlimited")((workspace_id, key, context) =>
      mint(workspace_id, key, true, context)
    ),
    revoke: traced("ApiKeys.revoke")(function* (workspace_id, id, context) {
      const { last_used_at } = yield* find(workspace_id, id)
      return yield* system.ask(ApiKeyCommands.Revoke, id, { last_used_at, ...context })
    })
  })
})
