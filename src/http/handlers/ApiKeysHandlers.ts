import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { apiKeyToken } from "../../actors/access/ApiKeyActor.ts"
import { ApiKeys } from "../../actors/access/ApiKeys.ts"
import { secretBody } from "../../actors/shared/SealedResponse.ts"
import { Api } from "../api/Api.ts"
import { group } from "../server/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { page } from "../request/Pagination.ts"
import { IdempotencyContext } from "../middleware/JsonWrite.ts"
import { requestOrigin } from "../request/RequestOrigin.ts"

const wanted = Effect.gen(function* () {
  const { workspace_id } = yield* CurrentPrincipal
  const { request: idempotency } = yield* IdempotencyContext
  return { workspace_id, origin: yield* requestOrigin, idempotency }
})

export const ApiKeysHandlers = group(
  Api,
  "apiKeys",
  Effect.fnUntraced(function* (handlers) {
    const keys = yield* ApiKeys
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { key, record } = yield* keys.create(payload, yield* wanted)
        const headers = { location: `/v1/api-keys/${record.id}` }
        return HttpServerResponse.text(secretBody(record, apiKeyToken, key), {
          status: 201,
          headers,
          contentType: "application/json"
        })
      }),
      list: Effect.fnUntraced(function* ({ query, request }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* page({
          request,
          paging: query,
          query: { list: "api_keys", workspace_id },
          read: (after, limit) => keys.list(workspace_id, after, limit),
          sort: ({ created_at }) => Date.parse(created_at)
        })
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* keys.get(workspace_id, params.id)
      }),
      revoke: Effect.fnUntraced(function* ({ params }) {
        return HttpServerResponse.jsonUnsafe(yield* keys.revoke(params.id, yield* wanted))
      })
    })
  })
)
