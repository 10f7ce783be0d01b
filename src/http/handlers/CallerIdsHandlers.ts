import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { callerIdLocation } from "../../actors/callerids/CallerIdsActor.ts"
import { VerifiedCallerIds } from "../../actors/callerids/VerifiedCallerIds.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { Api } from "../api/Api.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { requestContext, requestOrigin } from "../request/RequestOrigin.ts"
import { group } from "../request/RequestServices.ts"

export const CallerIdsHandlers = group(
  Api,
  "callerIds",
  Effect.fnUntraced(function* (handlers) {
    const callerIds = yield* VerifiedCallerIds
    const limits = yield* RateLimits

    return handlers.handleAll({
      request: Effect.fnUntraced(function* ({ payload: { number } }) {
        const { workspace_id } = yield* CurrentPrincipal
        if (!isSandbox(workspace_id)) {
          // A workspace that is refused uses up none of the calls that the number may get.
          yield* callerIds.mayRequest(workspace_id, number)
          // Nobody's telephone may ring more often, whichever workspaces ask for it.
          yield* limits.count("code_calls", number)
        }
        const shown = yield* callerIds.request(workspace_id, number, yield* requestContext)
        return HttpServerResponse.jsonUnsafe(shown, { status: 202, headers: { location: callerIdLocation(shown.id) } })
      }),
      verify: Effect.fnUntraced(function* ({ params: { id }, payload: { code } }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* callerIds.verify(workspace_id, id, code, yield* requestContext)
      }),
      list: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* callerIds.list(workspace_id)
      }),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* callerIds.get(workspace_id, id)
      }),
      withdraw: Effect.fnUntraced(function* ({ params: { id } }) {
        const { workspace_id } = yield* CurrentPrincipal
        yield* callerIds.withdraw(workspace_id, id, yield* requestOrigin)
      })
    })
  })
)
