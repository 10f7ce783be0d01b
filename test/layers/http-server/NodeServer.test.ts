import { assert, it } from "@effect/vitest"
import { makeNodeServer } from "../../../src/layers/http-server/NodeServer.ts"

it("lets nobody take longer than ten seconds for a head and thirty for a request", () => {
  const { headersTimeout, keepAliveTimeout, requestTimeout } = makeNodeServer()
  assert.deepStrictEqual({ headersTimeout, keepAliveTimeout, requestTimeout }, {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000
  })
})
