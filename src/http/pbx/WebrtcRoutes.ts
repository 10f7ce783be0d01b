import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { makeServeWebrtcGate } from "./WebrtcGate.ts"

const path = "/v1/webrtc/sip"

/** The only path that pages of other origins may request. */
const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "authorization",
    "access-control-max-age": "86400"
  }
})

/** The route for browsers, served beside the customer API. */
export const WebrtcRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", path, yield* makeServeWebrtcGate)
    yield* router.add("OPTIONS", path, preflight)
  })
)
