// How the console is served, and who may sign in by one click.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SignIn } from "../../../src/actors/access/SignIn.ts"
import { toUserId } from "../../../src/domain/BrandedIds.ts"
import { type ConsoleFile, ConsolePages } from "../../../src/http/pages/ConsolePages.ts"
import { DemoSignIn } from "../../../src/http/pages/DemoSignIn.ts"
import { layerOver } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import { Redacted } from "effect"

const bytes = (text: string) => new TextEncoder().encode(text)

const file = (text: string, content_type: string, compressed = true): ConsoleFile => ({
  etag: `"${text}"`,
  content_type,
  plain: bytes(text),
  gzip: compressed ? bytes("no gzip") : undefined,
  brotli: undefined
})

const files = {
  index: file("<p>page</p>", "text/html; charset=utf-8", false),
  assets: new Map([["main-abc.js", file("code", "text/javascript; charset=utf-8", false)]])
}

const people = { owner: toUserId("owner-1"), operator: toUserId("operator-1") }

const opened: Array<string> = []
const signIn = Layer.mock(SignIn)({
  open: (user_id) =>
    Effect.sync(() => {
      opened.push(user_id)
      const view = {
        user: { id: user_id, email: "x@example.com" },
        operator: false,
        workspace_id: null,
        workspaces: []
      }
      return { token: Redacted.make(`token-of-${user_id}`), view }
    })
})

const development = Layer.merge(
  ConsolePages(files),
  DemoSignIn({ identity_provider: true, people }).pipe(Layer.provide(signIn))
)
const production = Layer.merge(
  ConsolePages(undefined),
  DemoSignIn({ identity_provider: false, people: undefined }).pipe(Layer.provide(signIn))
)

/** As a browser asks for a page. */
const open = (path: string, headers: Record<string, string> = {}) =>
  ask({ path, headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8", ...headers } })

const enter = (as: string, headers: Record<string, string> = {}) =>
  ask({ path: "/sign-in/demo", method: "POST", body: { as }, headers })

layer(layerOver(Layer.empty, development), { excludeTestServices: true })("the console", (it) => {
  it.effect(
    "is the same page at each of its addresses, which no other site can frame and which runs only its own scripts",
    () =>
      Effect.gen(function* () {
        for (const path of ["/", "/calls", "/calls/17", "/place", "/sign-up"]) {
          const page = yield* open(path)
          assert.deepStrictEqual([page.status, page.text], [200, "<p>page</p>"], path)
          const policy = page.headers.get("content-security-policy") ?? ""
          for (const part of [
            "frame-ancestors 'none'",
            "script-src 'self';",
            "style-src 'self';",
            "trusted-types 'none'"
          ]) {
            assert.include(policy, part)
          }
          assert.notMatch(policy, /unsafe/)
          assert.strictEqual(page.headers.get("cache-control"), "no-cache")
        }
      })
  )

  it.effect("is not sent again while it is the same", () =>
    Effect.gen(function* () {
      const first = yield* open("/")
      const again = yield* open("/", { "if-none-match": first.headers.get("etag") ?? "" })
      assert.deepStrictEqual([again.status, again.text], [304, ""])
    })
  )

  it.effect("is at / for a program that names no type, and not for one that takes JSON only", () =>
    Effect.gen(function* () {
      for (const accept of ["*/*", "text/*", "application/json, */*;q=0.1"])
        assert.strictEqual((yield* ask({ path: "/", headers: { accept } })).text, "<p>page</p>", accept)
      assert.strictEqual((yield* ask({ path: "/", headers: { accept: "application/json" } })).code, "not_found")
    })
  )

  it.effect("is no answer to a program that leaves out the version of a path", () =>
    Effect.gen(function* () {
      const answer = yield* ask({ path: "/calls" })
      assert.deepStrictEqual([answer.status, answer.code], [404, "not_found"])
      assert.include(answer.text, "Did you mean /v1/calls?")
    })
  )

  it.effect("has files that are kept for a year under their names, and none besides", () =>
    Effect.gen(function* () {
      const code = yield* ask({ path: "/assets/main-abc.js" })
      assert.deepStrictEqual([code.status, code.text], [200, "code"])
      assert.strictEqual(code.headers.get("cache-control"), "public, max-age=31536000, immutable")
      assert.strictEqual(code.headers.get("content-type"), "text/javascript; charset=utf-8")
      for (const path of ["/assets/other.js", "/assets/..%2Findex.html", "/assets/main-abc.js.gz", "/nothing"]) {
        const missing = yield* ask({ path })
        assert.strictEqual(missing.status, 404, path)
      }
    })
  )

  it.effect("is where texts send people: /console, and /sign-in without a link", () =>
    Effect.gen(function* () {
      for (const path of ["/console", "/sign-in"]) {
        const answer = yield* ask({ path, redirect: "manual" })
        assert.deepStrictEqual([answer.status, answer.headers.get("location")], [302, "/"], path)
      }
    })
  )

  it.effect("signs in as a person of the demo by one click from this machine", () =>
    Effect.gen(function* () {
      const offered = yield* ask({ path: "/sign-in/options" })
      assert.deepStrictEqual(offered.body, { identity_provider: true, demo: ["owner", "operator"] })
      const entered = yield* enter("operator")
      assert.strictEqual(entered.status, 204)
      assert.match(entered.headers.get("set-cookie") ?? "", /^session=token-of-operator-1;.*HttpOnly.*SameSite=Lax/)
    })
  )

  it.effect("does so for no other site, for no name that leads to this machine, and for no other person", () =>
    Effect.gen(function* () {
      opened.length = 0
      assert.strictEqual((yield* enter("owner", { "sec-fetch-site": "cross-site" })).status, 401)
      assert.strictEqual((yield* enter("owner", { origin: "https://evil.example" })).status, 401)
      assert.strictEqual((yield* enter("root")).status, 400)
      assert.deepStrictEqual(opened, [])
    })
  )
})

layer(layerOver(Layer.empty, production), { excludeTestServices: true })("a console that was not built", (it) => {
  it.effect("says how to build it", () =>
    Effect.gen(function* () {
      const page = yield* open("/")
      assert.strictEqual(page.status, 200)
      assert.include(page.text, "npm run build")
    })
  )

  it.effect("offers no entrance in production", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* ask({ path: "/sign-in/options" })).body, { identity_provider: false, demo: [] })
      assert.strictEqual((yield* enter("owner")).status, 404)
    })
  )
})
