import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { SipCredentialNotFound, SipTokenUnavailable } from "../../domain/errors/SipCredentialErrors.ts"
import { WebrtcSessionWithToken, WebrtcTokenRequest } from "../../domain/webrtc/WebrtcSession.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { withOptionalBody } from "./OptionalBody.ts"

const token = HttpApiEndpoint.post("token", "/v1/webrtc/token", {
  headers: idempotencyHeader,
  payload: [WebrtcTokenRequest, Schema.Null],
  success: WebrtcSessionWithToken,
  error: responses(BadRequest, SipCredentialNotFound, SipTokenUnavailable)
})
  .annotate(EndpointPolicy, { scope: "webrtc.token", role: "member", whenReadFails: ServiceUnavailable })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Let a browser call",
      description:
        "Returns a token for one client and everything that the client needs to connect. Request it from your server, so that the browser never has an API key.",
      transform: withOptionalBody
    })
  )
  .middleware(JsonWrite)

export class WebrtcApi extends HttpApiGroup.make("webrtc")
  .add(token)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "WebRTC", description: "Calls to and from browsers." })) {}
