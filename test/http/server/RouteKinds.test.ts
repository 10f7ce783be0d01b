// What each endpoint is for an engine that has too much to do.
import { assert, it } from "@effect/vitest"
import { HttpApi } from "effect/http-api"
import { Api } from "../../../src/http/api/Api.ts"
import { makeRouteKinds } from "../../../src/http/server/RouteKinds.ts"

const kindOf = makeRouteKinds()
const id = "0190f5fe-7c00-7a00-8000-000000000001"

it.each([
  ["GET", "/v1/calls", "reads"],
  ["GET", "/v1/calls?status=ringing&limit=5", "reads"],
  ["GET", "/v1/calls/stats", "reads"],
  ["POST", "/v1/calls/originate", "calls"],
  ["POST", `/v1/conferences/${id}/participants`, "calls"],
  ["GET", `/v1/calls/${id}`, undefined],
  ["GET", "/v1/wallet/balance", undefined]
])("%s %s may be refused as %s", (method, url, shed) => {
  const kind = kindOf(method, url)
  assert.isDefined(kind)
  assert.strictEqual(kind.shed, shed)
})

it.each([
  ["POST", `/v1/calls/${id}/terminate`],
  ["POST", `/v1/conferences/${id}/end`],
  ["DELETE", `/v1/conferences/${id}/participants/${id}`],
  ["POST", "/v1/webhooks/pbx/events"],
  ["GET", "/v1/pbx/feed"],
  ["GET", "/v1/webrtc/sip"],
  ["POST", "/v1/ingest/chatapp"],
  ["POST", "/v1/ingest/mobile-money/secret"],
  ["GET", "/healthz"],
  ["GET", "/readyz"],
  ["GET", "/metrics"],
  ["GET", "/nowhere"]
])("%s %s is never refused", (method, url) => assert.isUndefined(kindOf(method, url)))

it("refuses nobody a change before the engine is full, but these", () => {
  const shed: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      const kind = kindOf(method, path.replaceAll(/:\w+/g, id))
      if (kind?.shed !== undefined && method !== "GET") shed.push(`${method} ${path} ${kind.shed}`)
    }
  })
  assert.deepStrictEqual(shed.sort(), [
    "POST /v1/calls/originate calls",
    "POST /v1/conferences/:id/participants calls",
    "POST /v1/voice-actions/simulate reads"
  ])
})
