// The door to API keys for HTTP and the seed.
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import type { ApiKeyFacts } from "../../domain/access/ApiKey.ts"
import type { ApiKeyRecord, ApiKeyRequest } from "../../domain/access/ApiKeyRecord.ts"
import { type NewApiKey, parseApiKeyRequest } from "../../domain/access/ParseApiKeyRequest.ts"
import { ApiKeyNotFound } from "../../domain/errors/ApiKeyErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { ApiKeyReads } from "../../domain/ports/ApiKeyReads.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { Keyring } from "../../domain/ports/Keyring.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Vault } from "../../domain/ports/Vault.ts"
import { ApiKeyActor, apiKeyToken } from "./ApiKeyActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { RequestContext } from "../shared/RequestContext.ts"
import { boundTo } from "../shared/SealedResponse.ts"

/** How much of a token is shown ever after. */
const prefix_length = 12

export interface MintedKey {
  readonly record: ApiKeyRecord
  /** Shown this once. */
  readonly key: string
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    readonly create: (
      workspace_id: string,
      request: ApiKeyRequest,
      context: RequestContext
    ) => Effect.Effect<MintedKey, Failure | NotCommitted>
    /** A key without limits of rate: for the workspaces that the engine is tried with. */
    readonly createUnlimited: (
      workspace_id: string,
      key: NewApiKey,
      context: RequestContext
    ) => Effect.Effect<MintedKey, Failure | NotCommitted>
    readonly get: (workspace_id: string, id: string) => Effect.Effect<ApiKeyRecord, ApiKeyNotFound | ReadFailed>
    readonly list: ApiKeyReads["Service"]["list"]
    /** From then on, everywhere within a second, no request with the key is served. */
    readonly revoke: (
      workspace_id: string,
      id: string,
      context: RequestContext
    ) => Effect.Effect<ApiKeyRecord, Failure | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const ids = yield* Ids
      const keyring = yield* Keyring
      const reads = yield* ApiKeyReads
      const vault = yield* Vault

      const mint = Effect.fnUntraced(function* (
        workspace_id: string,
        wish: NewApiKey,
        unlimited: boolean,
        { idempotency, origin }: RequestContext
      ) {
        const id = ids.uuid()
        const created_at = yield* Clock.currentTimeMillis
        const { allowed_ips, env, expires_at, scopes } = wish
        const token = yield* keyring.mint({
          key_id: id,
          workspace_id,
          scopes,
          env,
          allowed_ips,
          expires_at,
          ...(unlimited && { unlimited })
        })
        const key = Redacted.value(token)
        const facts: ApiKeyFacts = {
          ...wish,
          workspace_id,
          created_by: origin.actor.id,
          created_at,
          prefix: key.slice(0, prefix_length)
        }
        const sealed = vault.seal(key, boundTo(apiKeyToken, id, workspace_id))
        const { record } = yield* system.ask(ApiKeyActor, id, {
          _tag: "Create",
          facts,
          origin,
          sealed,
          ...(idempotency && { idempotency })
        })
        return { record, key }
      })

      const get = (workspace_id: string, id: string) =>
        Effect.filterOrFail(
          reads.find(workspace_id, id),
          (record) => record !== undefined,
          () => new ApiKeyNotFound()
        )

      return ApiKeys.of({
        get,
        list: reads.list,
        create: (workspace_id, request, context) =>
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            return yield* mint(workspace_id, yield* Effect.fromResult(parseApiKeyRequest(request, now)), false, context)
          }),
        createUnlimited: (workspace_id, wish, context) => mint(workspace_id, wish, true, context),
        revoke: (workspace_id, id, { idempotency, origin }) =>
          Effect.gen(function* () {
            const { last_used_at } = yield* get(workspace_id, id)
            const reply = yield* system.ask(ApiKeyActor, id, {
              _tag: "Revoke",
              origin,
              last_used_at,
              ...(idempotency && { idempotency })
            })
            return reply.record
          })
      })
    })
  )
}
