import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { FakeEngine, layer as fakeEngine, secureLayer as secureEngine } from "../../support/FakeEngine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"

const as = (session: string) => ({ headers: { cookie: `session=${session}` } })
const originate = { path: "/v1/calls/originate", body: originateBody }
const subscribe = { path: "/v1/webhooks", body: { url: "https://example.com/hook", events: ["*"] } }

layer(fakeEngine)("a session", (it) => {
  it.effect("lets a member do what the role allows", () =>
    Effect.gen(function* () {
      const codes = [
        [yield* ask({ ...as("viewer"), path: "/v1/calls" }), 200, undefined],
        [yield* ask({ ...as("viewer"), ...originate }), 403, "accounts.write_denied"],
        [yield* ask({ ...as("member-read-only"), ...originate }), 403, "accounts.write_denied"],
        [yield* ask({ ...as("member"), ...originate }), 201, undefined],
        [yield* ask({ ...as("member"), ...subscribe }), 403, "accounts.admin_required"],
        [yield* ask({ ...as("admin"), ...subscribe }), 409, "webhooks.limit_reached"],
        [yield* ask({ ...as("suspended-owner"), path: "/v1/calls" }), 200, undefined],
        [yield* ask({ ...as("suspended-owner"), ...originate }), 403, "account.suspended"],
        [yield* ask({ ...as("newcomer"), path: "/v1/calls" }), 403, "auth.no_workspace"],
        [yield* ask({ ...as("unknown"), path: "/v1/calls" }), 401, "auth.session_invalid"],
        [yield* ask({ headers: { cookie: "session=" }, path: "/v1/calls" }), 401, "api_key.missing"]
      ] as const
      for (const [{ code, status }, ...expected] of codes) assert.deepStrictEqual([status, code], expected)
    })
  )

  it.effect("is not found under the cookie name used over https", () =>
    Effect.gen(function* () {
      const answer = yield* ask({ headers: { cookie: "__Host-session=viewer" }, path: "/v1/calls" })
      assert.strictEqual(answer.code, "api_key.missing")
    })
  )

  it.effect("is not used if the request's API key is refused", () =>
    Effect.gen(function* () {
      const { mint } = yield* FakeEngine
      const key = yield* mint({ scopes: ["calls.read"] })
      assert.strictEqual((yield* ask({ ...as("owner"), ...originate, key })).code, "api_key.scope_denied")
      assert.strictEqual((yield* ask({ ...as("owner"), path: "/v1/calls", key: "no-key" })).code, "api_key.invalid")
    })
  )
})

layer(fakeEngine)("an address that sends many wrong session cookies", (it) => {
  it.effect("has no more of them looked up, on any route, while sessions that are known go on", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      const paths = ["/v1/calls", "/v1/auth/session", "/v1/admin/rates"]
      const codeOf = (session: string, path = "/v1/calls") =>
        Effect.map(ask({ ...as(session), path }), ({ code }) => code)
      const codes: Array<string | undefined> = []
      for (let n = 0; n < 310; n++) codes.push(yield* codeOf(`wrong ${n}`, paths[n % paths.length]))
      // A customer endpoint looks at both kinds of credential, and so at a cookie twice.
      assert.isAtLeast(codes.filter((code) => code === "auth.session_invalid").length, 220)
      for (const path of paths) assert.strictEqual(yield* codeOf("wrong", path), "rate_limited", path)
      assert.strictEqual(yield* codeOf("viewer"), undefined)
    })
  )
})

const hsts = "strict-transport-security"
/** Pages, answers, refusals and what is not there. */
const paths = ["/docs", "/v1/calls", "/v1/auth/session", "/healthz", "/nowhere", "/v1//calls"]

layer(fakeEngine)("an engine over http", (it) => {
  it.effect("asks no browser for https", () =>
    Effect.gen(function* () {
      for (const path of paths) assert.isNull((yield* ask({ path })).headers.get(hsts), path)
    })
  )
})

layer(secureEngine)("a session over https", (it) => {
  it.effect("is kept off http by browsers for a year, whatever the first response was", () =>
    Effect.gen(function* () {
      for (const path of paths) assert.strictEqual((yield* ask({ path })).headers.get(hsts), "max-age=31536000", path)
    })
  )

  it.effect("is found under the name that binds the cookie to its host, and under no other", () =>
    Effect.gen(function* () {
      const codeOf = (cookie: string) =>
        Effect.map(ask({ headers: { cookie }, path: "/v1/calls" }), ({ code, status }) => code ?? status)
      assert.strictEqual(yield* codeOf("__Host-session=viewer"), 200)
      assert.strictEqual(yield* codeOf("session=viewer"), "api_key.missing")
      assert.strictEqual(yield* codeOf("session=owner; __Host-session=unknown"), "auth.session_invalid")
      const signedIn = yield* ask({ headers: { cookie: "session=viewer" }, path: "/v1/auth/session" })
      assert.strictEqual(signedIn.code, "auth.session_invalid")
    })
  )
})
