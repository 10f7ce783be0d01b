import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { TestClock } from "effect/testing"
import type { Scope } from "../../src/domain/access/Scope.ts"
import { Api } from "../../src/http/Api.ts"
import { Rules } from "../../src/http/Rules.ts"
import { FakeEngine, layer as fakeEngine, workspaces } from "../support/FakeEngine.ts"
import { ask, originateBody } from "../support/HttpTester.ts"

const id = "0190f5fe-7c00-7a00-8000-0000000000ff"

interface Guarded {
  readonly method: string
  readonly path: string
  readonly scope: Scope
}

/** Every endpoint of the contract that a key opens. */
const guarded: Array<Guarded> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const { scope } = Context.get(endpoint.annotations, Rules)
    if (scope !== undefined) guarded.push({ method: endpoint.method, path: endpoint.path.replace(":id", id), scope })
  }
})

const expected: Record<string, Scope> = {
  "POST /v1/calls/originate": "calls.write",
  "GET /v1/calls": "calls.read",
  "GET /v1/calls/stats": "calls.read",
  "GET /v1/calls/:id": "calls.read",
  "GET /v1/calls/:id/events": "calls.read",
  "GET /v1/calls/:id/charge": "calls.read",
  "GET /v1/calls/:id/timeline": "calls.read",
  "GET /v1/calls/:id/stream": "calls.read",
  "GET /v1/calls/destination-check": "calls.read",
  "POST /v1/calls/:id/terminate": "calls.write",
  "POST /v1/calls/:id/update": "calls.write",
  "GET /v1/voice-actions/schema": "calls.read",
  "POST /v1/voice-actions/validate": "calls.read",
  "GET /v1/wallet/balance": "wallet.read",
  "PATCH /v1/wallet": "wallet.write",
  "GET /v1/wallet/statements": "wallet.read",
  "GET /v1/wallet/holds": "wallet.read",
  "GET /v1/numbers": "numbers.read",
  "GET /v1/numbers/:id": "numbers.read",
  "POST /v1/numbers/:id/sip-credentials": "sip_credentials.write",
  "GET /v1/numbers/:id/sip-credentials": "sip_credentials.read",
  "POST /v1/numbers/:id/sip-credentials/:credential_id/rotate": "sip_credentials.write",
  "POST /v1/numbers/:id/sip-credentials/:credential_id/revoke": "sip_credentials.write",
  "DELETE /v1/numbers/:id/sip-credentials/:credential_id": "sip_credentials.write",
  "GET /v1/numbers/available": "numbers.read",
  "POST /v1/numbers/:id/claim": "numbers.write",
  "POST /v1/numbers/:id/release": "numbers.write",
  "GET /v1/numbers/:id/routing": "numbers.read",
  "PATCH /v1/numbers/:id/routing": "numbers.write",
  "PUT /v1/numbers/:id/routing": "numbers.write",
  "POST /v1/numbers/byo": "numbers.write",
  "DELETE /v1/numbers/byo/:id": "numbers.write",
  "GET /v1/recordings": "recordings.read",
  "GET /v1/calls/:id/recording": "recordings.read",
  "GET /v1/calls/:id/recording/download": "recordings.read",
  "DELETE /v1/calls/:id/recording": "recordings.write",
  "POST /v1/webhooks": "webhooks.write",
  "GET /v1/webhooks": "webhooks.read",
  "GET /v1/webhooks/:id": "webhooks.read",
  "PATCH /v1/webhooks/:id": "webhooks.write",
  "DELETE /v1/webhooks/:id": "webhooks.write",
  "POST /v1/webhooks/:id/rotate-secret": "webhooks.write",
  "POST /v1/webhooks/:id/replay": "webhooks.write",
  "POST /v1/numbers/:id/routing/rotate-secret": "numbers.write",
  "POST /v1/webhooks/:id/test": "webhooks.write",
  "GET /v1/webhooks/:id/deliveries": "webhooks.read",
  "GET /v1/webhooks/:id/deliveries/:delivery_id": "webhooks.read",
  "POST /v1/webhooks/:id/deliveries/:delivery_id/retry": "webhooks.write",
  "GET /v1/numbers/:id/chatapp/call-settings": "chatapp.read",
  "PUT /v1/numbers/:id/chatapp/call-settings": "chatapp.write",
  "GET /v1/numbers/:id/chatapp/trunk": "chatapp.read",
  "POST /v1/numbers/:id/chatapp/trunk": "chatapp.write",
  "POST /v1/numbers/:id/chatapp/trunk/retry": "chatapp.write",
  "GET /v1/audit": "audit.read",
  "GET /v1/audit/verify": "audit.read",
  "GET /v1/workspace/calling-policy": "calls.read"
}

layer(fakeEngine)("authentication", (it) => {
  it("every endpoint has the scope that the documentation promises", () => {
    const declared = Object.fromEntries(guarded.map(({ method, path, scope }) => [`${method} ${path.replace(id, ":id")}`, scope]))
    assert.deepStrictEqual(declared, expected)
  })

  describe("every endpoint", () => {
    for (const { method, path, scope } of guarded) {
      it.effect(`${method} ${path.replace(id, ":id")} asks for a key with ${scope}`, () =>
        Effect.gen(function*() {
          const fake = yield* FakeEngine
          const bare = yield* ask({ method, path })
          assert.deepStrictEqual([bare.status, bare.code], [401, "api_key.missing"])
          const forged = yield* ask({ method, path, key: "a.b.c" })
          assert.deepStrictEqual([forged.status, forged.code], [401, "api_key.invalid"])
          const others = yield* fake.mint({ scopes: [scope.endsWith(".read") ? "calls.write" : "calls.read"] })
          const denied = yield* ask({ method, path, key: others, ...(method === "POST" && { body: "{" }) })
          assert.deepStrictEqual([denied.status, denied.code], [403, "api_key.scope_denied"])
        }))
    }
  })

  describe("a header", () => {
    for (const header of ["Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "", "Digest x"]) {
      it.effect(`of "${header}" carries no key`, () =>
        Effect.gen(function*() {
          const answer = yield* ask({ path: "/v1/calls", headers: { authorization: header } })
          assert.deepStrictEqual([answer.status, answer.code], [401, "api_key.missing"])
        }))
    }
    for (const token of ["x", "a.b", "a.b.c", "....", "é", "x".repeat(9000)]) {
      it.effect(`with the token ${token.slice(0, 8)} is refused`, () =>
        Effect.gen(function*() {
          const answer = yield* ask({ path: "/v1/calls", headers: { authorization: `bearer ${encodeURI(token)}` } })
          assert.deepStrictEqual([answer.status, answer.code], [401, "api_key.invalid"])
        }))
    }
  })

  it.effect("an expired key is told so, and a revoked one from its revocation on", () =>
    Effect.gen(function*() {
      const fake = yield* FakeEngine
      const short = yield* fake.mint({ lives_ms: 60_000 })
      assert.strictEqual((yield* ask({ path: "/v1/calls", key: short })).status, 200)
      yield* TestClock.adjust("2 minutes")
      const late = yield* ask({ path: "/v1/calls", key: short })
      assert.deepStrictEqual([late.status, late.code], [401, "api_key.expired"])

      const key_id = "0190f5fe-7c00-7a00-8000-0000000000aa"
      const key = yield* fake.mint({ key_id })
      assert.strictEqual((yield* ask({ path: "/v1/calls", key })).status, 200)
      fake.revoked.add(key_id)
      const revoked = yield* ask({ path: "/v1/calls", key })
      assert.deepStrictEqual([revoked.status, revoked.code], [401, "api_key.revoked"])
    }))

  it.effect("the use of a key is noted, where the key is good", () =>
    Effect.gen(function*() {
      const { mint, revoked, used } = yield* FakeEngine
      const [good, bad] = ["0190f5fe-7c00-7a00-8000-0000000000ab", "0190f5fe-7c00-7a00-8000-0000000000ac"]
      revoked.add(bad)
      for (const key_id of [good, bad]) yield* ask({ path: "/v1/calls", key: yield* mint({ key_id, scopes: [] }) })
      assert.deepStrictEqual([used.has(good), used.has(bad)], [true, false])
    }))

  it.effect("a bad key is refused before a bad body is looked at", () =>
    Effect.gen(function*() {
      const answer = yield* ask({ path: "/v1/calls/originate", key: "a.b.c", body: "{", headers: { "content-type": "text/plain" } })
      assert.strictEqual(answer.code, "api_key.invalid")
    }))

  it.effect("a suspended workspace can be read and not changed", () =>
    Effect.gen(function*() {
      const fake = yield* FakeEngine
      const key = yield* fake.mint({ workspace_id: workspaces.suspended })
      assert.strictEqual((yield* ask({ path: "/v1/wallet/balance", key })).status, 200)
      for (const path of ["/v1/calls/originate", `/v1/calls/${id}/terminate`, "/v1/webhooks"]) {
        const answer = yield* ask({ path, key, method: "POST", body: "not even JSON" })
        assert.deepStrictEqual([answer.status, answer.code], [403, "account.suspended"])
      }
    }))

  it.effect("the key of a workspace that is not there opens nothing", () =>
    Effect.gen(function*() {
      const fake = yield* FakeEngine
      const key = yield* fake.mint({ workspace_id: "0190f5fe-7c00-7a00-8000-0000000000ee" })
      const answer = yield* ask({ path: "/v1/calls/originate", key, body: originateBody })
      assert.deepStrictEqual([answer.status, answer.code], [401, "api_key.invalid"])
    }))

  it.effect("the public keys are open to all", () =>
    Effect.gen(function*() {
      const { body, status } = yield* ask({ path: "/v1/.well-known/jwks.json" })
      assert.strictEqual(status, 200)
      const { keys } = body as { keys: Array<Record<string, string>> }
      assert.deepInclude(keys[0]!, { kty: "EC", crv: "P-256", alg: "ES256" })
      assert.notProperty(keys[0], "d")
    }))
})
