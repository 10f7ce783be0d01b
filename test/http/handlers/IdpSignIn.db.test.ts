import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { layerWith } from "../../support/Engine.ts"
import { client, openIdServer, signInAt } from "../../support/OpenIdServer.ts"
import { as, askForLink, cookieOf, founder, signedIn, signup, verify, whoAmI } from "../../support/People.ts"
import { mailTo, tokenOf } from "../../support/Mails.ts"

const base_url = "http://voice.example"
const redirect_uri = `${base_url}/v1/auth/idp/callback`

const engine = (issuer: string) =>
  layerWith({
    RATE_LIMITS: "off",
    BASE_URL: base_url,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret
  })

const start = (cookie = "", query = "") => as(cookie, { path: `/v1/auth/idp/start${query}`, redirect: "manual" })
const link = (cookie: string, headers: Record<string, string> = {}) =>
  as(cookie, { path: "/v1/auth/idp/link", method: "POST", headers, redirect: "manual" })
const pathOf = (url: string) => url.slice(base_url.length)

/** There and back again as `name`: the answer to whoever comes back. */
const through = Effect.fnUntraced(function* (name: string, cookie = "", query = "", isLink = false) {
  const gone = yield* isLink ? link(cookie) : start(cookie, query)
  const back = yield* signInAt(gone.headers.get("location")!, name, redirect_uri)
  const cookies = [cookie, cookieOf(gone, "idp_state")].filter((text) => text !== "").join("; ")
  return { gone, back, answer: yield* as(cookies, { path: pathOf(back), redirect: "manual" }) }
})

const suite = layer(Layer.unwrap(Effect.map(openIdServer(redirect_uri), engine)), {
  excludeTestServices: true,
  timeout: 30_000
})

suite("the identity provider", (it) => {
  it.effect("uses state, nonce and PKCE, and opens a session on return", () =>
    Effect.gen(function* () {
      const { answer, gone } = yield* through("ann", "", "?return_to=%2Fdocs%3Fa%3D1")
      const asked = new URL(gone.headers.get("location")!).searchParams
      assert.deepStrictEqual(
        [gone.status, asked.get("code_challenge_method"), asked.get("redirect_uri")],
        [302, "S256", redirect_uri]
      )
      for (const name of ["state", "nonce", "code_challenge"]) assert.match(asked.get(name) ?? "", /^[\w-]{43}$/)
      assert.match(gone.headers.getSetCookie()[0]!, /^idp_state=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
      assert.deepStrictEqual([answer.status, answer.headers.get("location")], [302, "/docs?a=1"])
      assert.strictEqual(cookieOf(answer, "idp_state"), "idp_state=")
      const me = (yield* whoAmI(cookieOf(answer))).body as { user: object }
      assert.deepInclude(me.user, { email: "ann@example.com" })
      const again = yield* through("ann")
      assert.deepStrictEqual((yield* whoAmI(cookieOf(again.answer))).body, me)
    })
  )

  it.effect("redirects only to this site afterwards", () =>
    Effect.gen(function* () {
      for (const bad of ["https://evil.example", "//evil.example", "/\\evil.example", "docs", "/a\tb"]) {
        const { answer } = yield* through("elsewhere", "", `?return_to=${encodeURIComponent(bad)}`)
        assert.strictEqual(answer.headers.get("location"), "/docs")
      }
    })
  )

  it.effect("is accepted once, only in the browser that started it and only for its purpose", () =>
    Effect.gen(function* () {
      const { back } = yield* through("bob")
      const other = yield* start()
      for (const cookie of ["", "idp_state=forged", cookieOf(other, "idp_state")]) {
        const { code, status } = yield* as(cookie, { path: pathOf(back) })
        assert.deepStrictEqual([status, code], [400, "auth.idp_state_mismatch"])
      }
      const gone = yield* start()
      const came = yield* signInAt(gone.headers.get("location")!, "bob", redirect_uri)
      const cookie = cookieOf(gone, "idp_state")
      assert.strictEqual((yield* as(cookie, { path: pathOf(came), redirect: "manual" })).status, 302)
      const replayed = yield* as(cookie, { path: pathOf(came) })
      assert.deepStrictEqual([replayed.status, replayed.code], [502, "auth.idp_exchange_failed"])
      const state = new URL(came).searchParams.get("state")
      const denied = yield* as(cookie, { path: `/v1/auth/idp/callback?error=access_denied&state=${state}` })
      assert.strictEqual(denied.code, "auth.idp_exchange_failed")
    })
  )

  it.effect("creates accounts only for verified addresses, and takes over none", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* through("shy")).answer.code, "auth.idp_exchange_failed")
      yield* signup("carol@example.com")
      const { code, status } = (yield* through("carol")).answer
      assert.deepStrictEqual([status, code], [409, "auth.email_taken"])
    })
  )

  it.effect("can be linked by a signed-in user, and unlinked if there is another way to sign in", () =>
    Effect.gen(function* () {
      const mine = yield* founder("dora@example.com")
      const { answer } = yield* through("dora-at-work", mine.cookie, "", true)
      assert.deepStrictEqual([answer.status, cookieOf(answer)], [302, ""])
      const came = (yield* through("dora-at-work")).answer
      assert.deepInclude((yield* whoAmI(cookieOf(came))).body, { workspace_id: mine.workspace_id })
      const other = yield* signedIn("other@example.com")
      assert.strictEqual((yield* through("dora-at-work", other, "", true)).answer.code, "auth.email_taken")
      const unlink = (cookie: string) => as(cookie, { path: "/v1/auth/idp", method: "DELETE" })
      assert.strictEqual((yield* unlink(mine.cookie)).status, 204)
      assert.strictEqual((yield* unlink(mine.cookie)).code, "not_found")
      const sql = yield* PgClient.PgClient
      const lines = yield* sql`
        SELECT action_kind, actor->>'label' AS who FROM audit_entries
        WHERE workspace_id = ${mine.workspace_id} AND action_kind LIKE 'session.idp%' ORDER BY created_at`
      assert.deepStrictEqual(
        lines,
        ["linked", "unlinked"].map((done) => ({ action_kind: `session.idp_${done}`, who: "dora@example.com" }))
      )
    })
  )

  it.effect("that was started to link one session's account does not link another", () =>
    Effect.gen(function* () {
      const [one, two] = [yield* signedIn("eve@example.com"), yield* signedIn("frank@example.com")]
      const gone = yield* link(one)
      assert.strictEqual(gone.status, 303)
      const back = yield* signInAt(gone.headers.get("location")!, "eve", redirect_uri)
      const cookie = `${two}; ${cookieOf(gone, "idp_state")}`
      assert.strictEqual((yield* as(cookie, { path: pathOf(back) })).code, "auth.idp_state_mismatch")
    })
  )

  it.effect("is not linked by a link that is followed, nor by a page of another site", () =>
    Effect.gen(function* () {
      const mine = yield* founder("hal@example.com")
      const { answer } = yield* through("hal-elsewhere", mine.cookie)
      const me = (yield* whoAmI(cookieOf(answer))).body as { user: { email: string } }
      assert.strictEqual(me.user.email, "hal-elsewhere@example.com")
      const forged = yield* link(mine.cookie, { "sec-fetch-site": "cross-site" })
      assert.deepStrictEqual([forged.status, forged.code], [401, "auth.session_invalid"])
      assert.strictEqual((yield* link("")).code, "auth.session_invalid")
    })
  )

  it.effect("cannot be unlinked if it is the only way to sign in", () =>
    Effect.gen(function* () {
      const cookie = cookieOf((yield* through("gina")).answer)
      const unlink = as(cookie, { path: "/v1/auth/idp", method: "DELETE" })
      const { code, status } = yield* unlink
      assert.deepStrictEqual([status, code], [409, "auth.cannot_unlink_only_auth"])
      yield* askForLink("gina@example.com")
      yield* verify(tokenOf(yield* mailTo("gina@example.com")))
      assert.strictEqual((yield* unlink).status, 204)
    })
  )
})

describe("a deployment", () => {
  it.live("whose identity provider cannot be reached reports that", () =>
    Effect.gen(function* () {
      const { code, status } = yield* start()
      assert.deepStrictEqual([status, code], [502, "auth.idp_exchange_failed"])
    }).pipe(Effect.provide(engine("http://127.0.0.1:1")))
  )

  it.live("without an identity provider reports that", () =>
    Effect.gen(function* () {
      const { code, status } = yield* start()
      assert.deepStrictEqual([status, code], [503, "auth.idp_not_configured"])
    }).pipe(Effect.provide(layerWith({})))
  )
})
