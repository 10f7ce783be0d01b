import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { tokenPlace } from "../../actors/CredentialsActor.ts"
import { secretBody } from "../../actors/SealedAnswer.ts"
import { Webrtc } from "../../actors/Webrtc.ts"
import { Api } from "../Api.ts"
import { group } from "../Carried.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"
import { KeptUnder } from "../middleware/JsonWrite.ts"

export const WebrtcHandlers = group(Api, "webrtc", Effect.fnUntraced(function*(handlers) {
  const webrtc = yield* Webrtc
  return handlers.handleAll({
    token: Effect.fnUntraced(function*({ payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      const { request } = yield* KeptUnder
      const { session, token } = yield* webrtc.token(workspace_id, payload ?? {}, request)
      return HttpServerResponse.text(secretBody(session, tokenPlace, token), { status: 200, contentType: "application/json" })
    })
  })
}))
