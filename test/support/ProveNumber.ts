// Proves that a workspace answers a number. In development no call is placed, and the code is known.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { testCode } from "../../src/domain/callerids/SpokenCode.ts"
import { ask } from "./HttpTester.ts"

export const proveNumber = Effect.fnUntraced(function* (key: string, number: string) {
  const requested = yield* ask({ path: "/v1/caller-ids", key, body: { number } })
  assert.strictEqual(requested.status, 202, requested.text)
  const { id } = requested.body as { readonly id: string }
  const verified = yield* ask({ path: `/v1/caller-ids/${id}/verify`, key, body: { code: testCode } })
  assert.strictEqual(verified.status, 200, verified.text)
})
