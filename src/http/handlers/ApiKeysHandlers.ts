import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { apiKeyToken } from "../../actors/access/ApiKeyActor.ts"
import { ApiKeys } from "../../actors/access/ApiKeys.ts"
import { secretBody } from "../../actors/shared/SealedResponse.ts"
import { CurrentTenant, forEverybody } from "../../domain/access/CurrentTenant.ts"
import { ApiKeyMissing, ApiKeyNotFound } from "../../domain/errors/ApiKeyErrors.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { listPage } from "../request/ListPage.ts"
import { requestContext } from "../request/RequestOrigin.ts"

export const ApiKeysHandlers = group(
  Api,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    const directory = yield* Directory
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const { key, record } = yield* keys.create(workspace_id, payload, yield* requestContext)
        const headers = { location: `/v1/api-keys/${record.id}` }
        return HttpServerResponse.text(secretBody(record, apiKeyToken, key), {
          status: 201,
          headers,
          contentType: "application/json"
        })
      }),
      list: Effect.fnUntraced(function* ({ query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* listPage({
          request,
          paging: query,
          query: { list: "api_keys", workspace_id },
          read: (after, limit) => keys.list(workspace_id, after, limit),
          sort: ({ created_at }) => Date.parse(created_at)
        })
      }),
      current: Effect.fnUntraced(function* () {
        const principal = yield* CurrentPrincipal
        if (principal.kind !== "api_key") return yield* new ApiKeyMissing()
        const { account_id, key_id, workspace_id } = principal
        // A test key acts in the sandbox, but is a row of its workspace.
        const record = yield* Effect.provideService(keys.get(account_id, key_id), CurrentTenant, account_id)
        const workspace = yield* forEverybody(directory.workspace(account_id))
        if (workspace === undefined) return yield* new ApiKeyNotFound()
        return { ...record, workspace_id, workspace_name: workspace.name, currency: workspace.currency }
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* keys.get(workspace_id, params.id)
      }),
      revoke: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return HttpServerResponse.jsonUnsafe(yield* keys.revoke(workspace_id, params.id, yield* requestContext))
      })
    })
  })
)
