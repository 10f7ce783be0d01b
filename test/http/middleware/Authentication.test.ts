import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"
import { apiKeyId, workspaceId } from "../../support/Ids.ts"

const id = "0190f5fe-7c00-7a00-8000-0000000000ff"

layer(fakeEngine)("authentication", (it) => {
  describe("a header", () => {
    for (const header of ["Basic dXNlcjpwYXNz", "Bearer", "Bearer ", "", "Digest x"]) {
      it.effect(`of "${header}" carries no key`, () =>
        Effect.gen(function* () {
          const answer = yield* ask({ path: "/v1/calls", headers: { authorization: header } })
          assert.deepStrictEqual([answer.status, answer.code], [401, "api_key.missing"])
        })
      )
    }
    for (const token of ["x", "a.b", "a.b.c", "....", "é", "x".repeat(9000)]) {
      it.effect(`with the token ${token.slice(0, 8)} is refused`, () =>
        Effect.gen(function* () {
          const answer = yield* ask({ path: "/v1/calls", headers: { authorization: `bearer ${encodeURI(token)}` } })
          assert.deepStrictEqual([answer.status, answer.code], [401, "api_key.invalid"])
        })
      )
    }
  })

  it.effect("an expired key and a revoked key are refused with their own codes", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const short = yield* fake.mint({ lives_ms: 60_000 })
      assert.strictEqual((yield* ask({ path: "/v1/calls", key: short })).status, 200)
      yield* TestClock.adjust("2 minutes")
      const late = yield* ask({ path: "/v1/calls", key: short })
      assert.deepStrictEqual([late.status, late.code], [401, "api_key.expired"])

      const key_id = apiKeyId("0190f5fe-7c00-7a00-8000-0000000000aa")
      const key = yield* fake.mint({ key_id })
      assert.strictEqual((yield* ask({ path: "/v1/calls", key })).status, 200)
      fake.revoked.add(key_id)
      const revoked = yield* ask({ path: "/v1/calls", key })
      assert.deepStrictEqual([revoked.status, revoked.code], [401, "api_key.revoked"])
    })
  )

  it.effect("the use of a valid key is recorded", () =>
    Effect.gen(function* () {
      const { mint, revoked, used } = yield* FakeEngine
      const [good, bad] = ["0190f5fe-7c00-7a00-8000-0000000000ab", "0190f5fe-7c00-7a00-8000-0000000000ac"]
      revoked.add(bad)
      for (const key_id of [apiKeyId(good), apiKeyId(bad)])
        yield* ask({ path: "/v1/calls", key: yield* mint({ key_id, scopes: [] }) })
      assert.deepStrictEqual([used.has(good), used.has(bad)], [true, false])
    })
  )

  it.effect("an invalid key is refused before the body is read", () =>
    Effect.gen(function* () {
      const answer = yield* ask({
        path: "/v1/calls/originate",
        key: "a.b.c",
        body: "{",
        headers: { "content-type": "text/plain" }
      })
      assert.strictEqual(answer.code, "api_key.invalid")
    })
  )

  it.effect("a suspended workspace can be read but not changed", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint({ workspace_id: workspaces.suspended })
      assert.strictEqual((yield* ask({ path: "/v1/wallet/balance", key })).status, 200)
      for (const path of ["/v1/calls/originate", `/v1/calls/${id}/terminate`, "/v1/webhooks"]) {
        const answer = yield* ask({ path, key, method: "POST", body: "not even JSON" })
        assert.deepStrictEqual([answer.status, answer.code], [403, "account.suspended"])
      }
    })
  )

  it.effect("the key of a workspace that does not exist is refused", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint({ workspace_id: workspaceId("0190f5fe-7c00-7a00-8000-0000000000ee") })
      const answer = yield* ask({ path: "/v1/calls/originate", key, body: originateBody })
      assert.deepStrictEqual([answer.status, answer.code], [401, "api_key.invalid"])
    })
  )

  it.effect("the public keys need no authentication", () =>
    Effect.gen(function* () {
      const { body, status } = yield* ask({ path: "/v1/.well-known/jwks.json" })
      assert.strictEqual(status, 200)
      const { keys } = body as { keys: Array<Record<string, string>> }
      assert.deepInclude(keys[0]!, { kty: "EC", crv: "P-256", alg: "ES256" })
      assert.notProperty(keys[0], "d")
    })
  )
})

layer(fakeEngine)("an address that sends many wrong keys", (it) => {
  it.effect("has no more of them verified, but keys go on that were right before", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      const [known, unknown] = [yield* mint(), yield* mint()]
      const get = (key: string) => ask({ path: "/v1/calls", key })
      assert.strictEqual((yield* get(known)).status, 200)
      yield* TestClock.adjust("2 minutes")
      const wrong = `${unknown.slice(0, -8)}AAAAAAAA`
      const answers = yield* Effect.forEach(Array.from({ length: 310 }), () => get(wrong), { concurrency: 4 })
      const codes = answers.map(({ code }) => code)
      assert.isAtLeast(codes.filter((code) => code === "api_key.invalid").length, 300)
      assert.strictEqual(codes.at(-1), "rate_limited")
      const late = yield* get(unknown)
      assert.deepStrictEqual([late.status, late.code], [429, "rate_limited"])
      assert.isAtLeast(Number(late.headers.get("retry-after")), 1)
      assert.strictEqual((yield* get(known)).status, 200)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* get(unknown)).status, 200)
    })
  )

  it.effect("has no more of them verified if all of them come at once", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      yield* TestClock.adjust("2 minutes")
      const wrong = `${(yield* mint()).slice(0, -8)}AAAAAAAA`
      const answers = yield* Effect.forEach(Array.from({ length: 400 }), () => ask({ path: "/v1/calls", key: wrong }), {
        concurrency: "unbounded"
      })
      assert.strictEqual(answers.filter(({ code }) => code === "api_key.invalid").length, 300)
      assert.strictEqual(answers.filter(({ code }) => code === "rate_limited").length, 100)
    })
  )

  it.effect("has no more keys verified that had expired before they were known, but counts none that was known", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      yield* TestClock.adjust("2 minutes")
      const expired = yield* Effect.forEach(Array.from({ length: 310 }), () => mint({ lives_ms: 1_000 }))
      const [known = "", ...strange] = expired
      const get = (key: string) => ask({ path: "/v1/calls", key })
      assert.strictEqual((yield* get(known)).status, 200)
      yield* TestClock.adjust("2 seconds")
      for (let n = 0; n < 310; n++) assert.strictEqual((yield* get(known)).code, "api_key.expired")
      const answers = yield* Effect.forEach(strange, get)
      assert.strictEqual(answers.filter(({ code }) => code === "api_key.expired").length, 300)
      assert.strictEqual((yield* get(known)).code, "api_key.expired")
      assert.strictEqual((yield* get(yield* mint())).code, "rate_limited")
    })
  )

  it.effect("gives back what a right key had taken while it was looked at", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      yield* TestClock.adjust("2 minutes")
      const keys = yield* Effect.forEach(Array.from({ length: 400 }), () => mint())
      const answers = yield* Effect.forEach(keys, (key) => ask({ path: "/v1/calls", key }), { concurrency: 4 })
      assert.isTrue(answers.every(({ status }) => status === 200))
    })
  )
})
