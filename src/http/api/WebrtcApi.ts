import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { SipCredentialNotFound, SipTokenUnavailable } from "../../domain/errors/SipCredentialErrors.ts"
import { WebrtcSessionWithToken, WebrtcTokenRequest } from "../../domain/webrtc/WebrtcSession.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const endpoint = customerEndpoints({
  write: { scope: "webrtc.token", role: "member", whenReadFails: ServiceUnavailable }
})

export class WebrtcApi extends HttpApiGroup.make("webrtc")
  .add(
    endpoint.post("token", "/v1/webrtc/token", {
      summary: "Let a browser call",
      description:
        "Returns a token for one client and everything that the client needs to connect. Request it from your server, so that the browser never has an API key.",
      payload: [WebrtcTokenRequest, Schema.Null],
      success: WebrtcSessionWithToken,
      errors: [BadRequest, SipCredentialNotFound, SipTokenUnavailable]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "WebRTC", description: "Calls to and from browsers." })) {}
