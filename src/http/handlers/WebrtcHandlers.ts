import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { tokenPlace } from "../../actors/credentials/CredentialSecrets.ts"
import { secretBody } from "../../actors/shared/SealedResponse.ts"
import { Webrtc } from "../../actors/webrtc/Webrtc.ts"
import { Api } from "../api/Api.ts"
import { group } from "../request/RequestServices.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { IdempotencyContext } from "../request/JsonWrite.ts"

export const WebrtcHandlers = group(
  Api,
  "webrtc",
  Effect.fnUntraced(function* (handlers) {
    const webrtc = yield* Webrtc
    return handlers.handleAll({
      token: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentPrincipal
        const { request } = yield* IdempotencyContext
        const { session, token } = yield* webrtc.token(workspace_id, payload ?? {}, request)
        return HttpServerResponse.text(secretBody(session, tokenPlace, token), {
          status: 200,
          contentType: "application/json"
        })
      })
    })
  })
)
