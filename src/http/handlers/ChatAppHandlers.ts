import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { ChatApps, propagationNote } from "../../actors/chatapp/ChatApps.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"
import { requestOrigin } from "../request/RequestOrigin.ts"
import type { NumberId } from "../../domain/BrandedIds.ts"

const accepted = (body: unknown) => HttpServerResponse.jsonUnsafe(body, { status: 202 })

const ofNumber = (number_id: NumberId) =>
  Effect.map(CurrentPrincipal, ({ workspace_id }) => ({ workspace_id, number_id }))

export const ChatAppHandlers = group(
  Api,
  "chatapp",
  Effect.fnUntraced(function* (handlers) {
    const chatApps = yield* ChatApps
    return handlers.handleAll({
      settings: Effect.fnUntraced(function* ({ params }) {
        return { ...(yield* chatApps.settings(yield* ofNumber(params.id))), propagation_note: propagationNote }
      }),
      write: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* chatApps.write(yield* ofNumber(params.id), payload, yield* requestOrigin)
      }),
      trunk: Effect.fnUntraced(function* ({ params }) {
        return yield* chatApps.trunk(yield* ofNumber(params.id))
      }),
      provision: Effect.fnUntraced(function* ({ params }) {
        const { request } = yield* IdempotencyContext
        return accepted(yield* chatApps.provision(yield* ofNumber(params.id), request))
      }),
      retry: Effect.fnUntraced(function* ({ params }) {
        const { request } = yield* IdempotencyContext
        return accepted(yield* chatApps.retry(yield* ofNumber(params.id), yield* requestOrigin, request))
      })
    })
  })
)
