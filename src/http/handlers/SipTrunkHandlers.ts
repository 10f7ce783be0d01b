import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { SipTrunks } from "../../actors/trunks/SipTrunks.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { operatorOrigin, requestContext, requestOrigin } from "../request/RequestOrigin.ts"

export const SipTrunkHandlers = group(
  Api,
  "sipTrunk",
  Effect.fnUntraced(function* (handlers) {
    const trunks = yield* SipTrunks
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const record = yield* trunks.create(workspace_id, payload, yield* requestContext)
        return HttpServerResponse.jsonUnsafe(record, { status: 201, headers: { location: "/v1/sip-trunk" } })
      }),
      get: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* trunks.get(workspace_id)
      }),
      put: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        return yield* trunks.change(workspace_id, payload, yield* requestOrigin)
      }),
      delete: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentPrincipal
        yield* trunks.remove(workspace_id, yield* requestOrigin)
      })
    })
  })
)

export const AdminTrunksHandlers = group(
  Api,
  "admin_trunks",
  Effect.fnUntraced(function* (handlers) {
    const trunks = yield* SipTrunks
    return handlers.handleAll({
      approve: Effect.fnUntraced(function* ({ params }) {
        return yield* trunks.approve(params.id, yield* operatorOrigin)
      }),
      reject: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* trunks.reject(params.id, payload?.reason, yield* operatorOrigin)
      })
    })
  })
)
