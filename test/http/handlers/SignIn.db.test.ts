import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { mailsTo, mailTo, tokenOf } from "../../support/Mails.ts"
import { as, askForLink, cookieOf, ended, signedIn, signup, verify, whoAmI } from "../../support/People.ts"

layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 30_000 })("signing in", (it) => {
  it.effect("works by a link in a mail, which opens a session once", () =>
    Effect.gen(function* () {
      const made = yield* signup("  Ann@Example.com ")
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, { email: "ann@example.com" })
      const mail = yield* mailTo("ann@example.com")
      assert.strictEqual(mail.subject, "Sign in to trunkline")
      assert.include(mail.text, "multipart/alternative")
      const answer = yield* verify(tokenOf(mail))
      assert.strictEqual(answer.status, 200)
      assert.deepInclude(answer.body, { operator: false, workspace_id: null, workspaces: [] })
      assert.match(
        answer.headers.getSetCookie()[0]!,
        /^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/
      )
      const me = yield* whoAmI(cookieOf(answer))
      assert.deepStrictEqual(me.body, answer.body)
      const again = yield* verify(tokenOf(mail))
      assert.deepStrictEqual([again.status, again.code], [401, "auth.token_used"])
      assert.deepStrictEqual((yield* signup("ANN@example.com")).code, "auth.email_taken")
    })
  )

  it.effect("is not done by a page of another site, with a link of somebody else", () =>
    Effect.gen(function* () {
      yield* signup("mallory@example.com")
      const token = tokenOf(yield* mailTo("mallory@example.com"))
      const foreign: ReadonlyArray<Record<string, string>> = [
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { origin: "https://evil.example" }
      ]
      for (const headers of foreign) {
        const verified = yield* ask({ path: "/v1/auth/magic-link/verify", body: { token }, headers })
        assert.deepStrictEqual([verified.status, verified.code], [401, "auth.session_invalid"])
        const form = { ...headers, "content-type": "application/x-www-form-urlencoded" }
        const posted = yield* ask({ path: "/sign-in", method: "POST", body: `token=${token}`, headers: form })
        assert.deepStrictEqual([posted.status, posted.headers.getSetCookie()], [401, []])
      }
      const own = { "sec-fetch-site": "same-origin", "content-type": "application/x-www-form-urlencoded" }
      const posted = yield* ask({ path: "/sign-in", method: "POST", body: `token=${token}`, headers: own })
      assert.strictEqual(posted.status, 200)
    })
  )

  it.effect("succeeds for one of a hundred concurrent uses of a link", () =>
    Effect.gen(function* () {
      yield* signup("crowd@example.com")
      const token = tokenOf(yield* mailTo("crowd@example.com"))
      const answers = yield* Effect.all(
        Array.from({ length: 100 }, () => verify(token)),
        { concurrency: 100 }
      )
      const codes = answers.map(({ code, status }) => code ?? status)
      assert.deepStrictEqual(codes.filter((code) => code === 200).length, 1)
      assert.deepStrictEqual(codes.filter((code) => code === "auth.token_used").length, 99)
      const sql = yield* PgClient.PgClient
      const rows =
        yield* sql`SELECT count(*)::int AS n FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = 'crowd@example.com'`
      assert.deepStrictEqual(rows, [{ n: 1 }])
    })
  )

  it.effect("responds alike to unknown and known addresses, and mails unknown ones no link", () =>
    Effect.gen(function* () {
      yield* signup("known@example.com")
      yield* mailTo("known@example.com")
      const known = yield* askForLink("known@example.com")
      const unknown = yield* askForLink("unknown@example.com")
      assert.deepStrictEqual([known.status, unknown.status, known.text], [202, 202, unknown.text])
      assert.notStrictEqual(tokenOf(yield* mailTo("known@example.com", 2)), "")
      assert.strictEqual(tokenOf(yield* mailTo("unknown@example.com")), "")
      const sql = yield* PgClient.PgClient
      const links = yield* sql`SELECT user_id IS NULL AS nobody FROM magic_links ORDER BY created_at DESC LIMIT 2`
      assert.deepStrictEqual(links, [{ nobody: true }, { nobody: false }])
    })
  )

  it.effect("responds to both after the same time, which is longer than the work takes", () =>
    Effect.gen(function* () {
      for (const email of ["known@example.com", "never@example.com", "never@example.com"]) {
        const [elapsed] = yield* Effect.timed(askForLink(email))
        assert.isAtLeast(Duration.toMillis(elapsed), 49, email)
      }
    })
  )

  it.effect("refuses links that are altered, invented or expired", () =>
    Effect.gen(function* () {
      yield* signup("late@example.com")
      const token = tokenOf(yield* mailTo("late@example.com"))
      const altered = (token[0] === "A" ? "B" : "A") + token.slice(1)
      for (const bad of [altered, "", "x", `${token}A`, "é", token.slice(0, -1)]) {
        const { code, status } = yield* verify(bad)
        assert.deepStrictEqual([status, code], [401, "auth.token_invalid"], bad)
      }
      const sql = yield* PgClient.PgClient
      yield* sql`UPDATE magic_links SET expires_at = now() - interval '1 second' WHERE user_id = (SELECT id FROM users WHERE email = 'late@example.com')`
      const { code, status } = yield* verify(token)
      assert.deepStrictEqual([status, code], [401, "auth.token_expired"])
    })
  )

  it.effect("refuses invalid addresses and invalid JSON", () =>
    Effect.gen(function* () {
      for (const email of [
        "",
        "x",
        "a@b",
        "a b@example.com",
        "a@example.com\nBcc: b@example.com",
        "a@@example.com",
        `${"a".repeat(65)}@example.com`
      ]) {
        const { body, code, status } = yield* askForLink(email)
        assert.deepStrictEqual([status, code], [400, "validation.bad_request"], email)
        assert.strictEqual(
          (body as { error: { details: ReadonlyArray<{ field: string }> } }).error.details[0]?.field,
          "/email"
        )
      }
      const form = yield* ask({
        path: "/v1/auth/magic-link",
        body: "email=a%40example.com",
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
      assert.strictEqual(form.code, "validation.unsupported_media_type")
      assert.strictEqual((yield* ask({ path: "/v1/auth/signup", body: "{" })).code, "validation.bad_request")
      assert.strictEqual((yield* ask({ path: "/v1/auth/signup", body: "" })).code, "validation.bad_request")
      const warned = yield* ask({ path: "/v1/auth/magic-link", body: { email: "w@example.com", admin: true } })
      assert.strictEqual(warned.headers.get("x-service-warnings"), "unknown_field:/admin")
    })
  )

  it.effect("uses up a mail's link only when the button of its page is pressed", () =>
    Effect.gen(function* () {
      yield* signup("page@example.com")
      const token = tokenOf(yield* mailTo("page@example.com"))
      const page = yield* ask({ path: `/sign-in?token=${token}` })
      assert.include(page.text, `value="${token}"`)
      assert.include(page.headers.get("content-security-policy") ?? "", "default-src 'none'")
      assert.include(
        (yield* ask({ path: "/sign-in?token=%22%3E%3Cscript%3E" })).text,
        'value="&quot;&gt;&lt;script&gt;"'
      )
      const press = ask({
        path: "/sign-in",
        body: `token=${token}`,
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
      const answer = yield* press
      assert.include(answer.text, "As page@example.com")
      assert.deepInclude((yield* whoAmI(cookieOf(answer))).body, { workspace_id: null })
      const again = yield* press
      assert.deepStrictEqual([again.status, again.headers.getSetCookie()], [401, []])
      assert.include(again.text, "The magic link was already used.")
    })
  )
})

layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 30_000 })("a session", (it) => {
  it.effect("ends everywhere when its user signs out, in this process or another", () =>
    Effect.gen(function* () {
      const here = yield* signedIn("two@example.com")
      yield* askForLink("two@example.com")
      const there = cookieOf(yield* verify(tokenOf(yield* mailTo("two@example.com", 2))))
      const rows = (yield* as(here, { path: "/v1/auth/sessions" })).body as ReadonlyArray<{
        id: string
        current: boolean
      }>
      assert.deepStrictEqual(
        rows.map(({ current }) => current),
        [false, true]
      )
      const others = yield* signedIn("three@example.com")
      assert.strictEqual(
        (yield* as(others, { path: `/v1/auth/sessions/${rows[0]!.id}`, method: "DELETE" })).code,
        "not_found"
      )
      assert.strictEqual((yield* as(here, { path: `/v1/auth/sessions/${rows[0]!.id}`, method: "DELETE" })).status, 204)
      yield* ended(there)
      const out = yield* as(here, { path: "/v1/auth/logout", method: "POST" })
      assert.deepStrictEqual(
        [out.status, out.headers.getSetCookie()],
        [204, ["session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"]]
      )
      yield* ended(here)
    })
  )

  it.effect("needs its cookie; an API key does not replace it", () =>
    Effect.gen(function* () {
      const { api_key } = yield* DemoFile
      for (const path of ["/v1/auth/session", "/v1/auth/sessions"]) {
        assert.strictEqual((yield* ask({ path })).code, "auth.session_invalid")
        assert.strictEqual((yield* ask({ path, key: api_key })).code, "auth.session_invalid")
      }
    })
  )

  it.effect("of a new user gives access to no workspace", () =>
    Effect.gen(function* () {
      const cookie = yield* signedIn("new@example.com")
      const { workspace_id } = yield* DemoFile
      assert.strictEqual((yield* as(cookie, { path: "/v1/calls" })).code, "auth.no_workspace")
      const enter = yield* as(cookie, { path: "/v1/auth/session", method: "PATCH", body: { workspace_id } })
      assert.deepStrictEqual([enter.status, enter.code], [403, "auth.workspace_forbidden"])
    })
  )

  it.effect("cannot be used by a page of another site", () =>
    Effect.gen(function* () {
      const { owner_session, workspace_id } = yield* DemoFile
      const change = (headers: Record<string, string>) =>
        as(`session=${owner_session}`, { path: "/v1/workspace/calling-policy", method: "PATCH", body: {}, headers })
      assert.strictEqual((yield* change({ "sec-fetch-site": "cross-site" })).code, "auth.session_invalid")
      assert.strictEqual((yield* change({ origin: "https://evil.example" })).code, "auth.session_invalid")
      assert.strictEqual((yield* change({ "sec-fetch-site": "same-origin" })).status, 200)
      assert.strictEqual((yield* change({})).status, 200)
      const enter = {
        path: "/v1/auth/session",
        method: "PATCH",
        body: { workspace_id },
        headers: { "sec-fetch-site": "same-site" }
      }
      assert.strictEqual((yield* as(`session=${owner_session}`, enter)).code, "auth.session_invalid")
    })
  )

  it.effect("ends after twelve hours without use, and after thirty days", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const [idle, old] = [yield* signedIn("idle@example.com"), yield* signedIn("old@example.com")]
      const of = (email: string) => sql`user_id = (SELECT id FROM users WHERE email = ${email})`
      // A new token is not in memory yet: what is stored holds.
      yield* sql`UPDATE sessions SET token_hash = encode(sha256('idle'), 'hex'), last_seen_at = now() - interval '12 hours' WHERE ${of("idle@example.com")}`
      yield* sql`UPDATE sessions SET token_hash = encode(sha256('old'), 'hex'), expires_at = now() WHERE ${of("old@example.com")}`
      for (const cookie of ["session=idle", "session=old", idle, old]) yield* ended(cookie)
    })
  )

  it.effect("can be opened by the seeded owner and the seeded operator", () =>
    Effect.gen(function* () {
      const { operator_session, owner_session, workspace_id } = yield* DemoFile
      const owner = yield* whoAmI(`session=${owner_session}`)
      assert.deepInclude(owner.body, { operator: false, workspace_id })
      assert.deepInclude((owner.body as { workspaces: ReadonlyArray<object> }).workspaces[0], {
        id: workspace_id,
        role: "owner"
      })
      assert.deepInclude((yield* whoAmI(`session=${operator_session}`)).body, { operator: true, workspace_id: null })
    })
  )
})

layer(layerWith({ BASE_URL: "https://voice.example", OPERATOR_EMAILS: "Boss@example.com" }), {
  excludeTestServices: true,
  timeout: 30_000
})("behind https", (it) => {
  it.effect("the cookie is bound to the host, links use it, and the settings name the operators", () =>
    Effect.gen(function* () {
      yield* signup("boss@example.com")
      const mail = yield* mailTo("boss@example.com")
      assert.include(mail.text, "https://voice.example/sign-in?token=")
      const answer = yield* verify(tokenOf(mail))
      assert.match(
        answer.headers.getSetCookie()[0]!,
        /^__Host-session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
      assert.deepInclude((yield* whoAmI(cookieOf(answer, "__Host-session"))).body, { operator: true })
    })
  )

  it.effect("the number of invitations per workspace and hour is limited", () =>
    Effect.gen(function* () {
      const { owner_session } = yield* DemoFile
      const answer = yield* as(`__Host-session=${owner_session}`, {
        path: "/v1/invitations",
        body: { email: "guest@example.com", role: "viewer" }
      })
      assert.deepStrictEqual(
        [answer.status, answer.headers.get("ratelimit-limit"), answer.headers.get("ratelimit-remaining")],
        [201, "100", "99"]
      )
    })
  )

  it.effect("an address gets at most five mails in 15 minutes, whether known or not", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 5; n++) assert.strictEqual((yield* askForLink("often@example.com")).status, 202)
      const refused = yield* askForLink("OFTEN@example.com ")
      assert.deepStrictEqual([refused.status, refused.code], [429, "rate_limited"])
      assert.isAbove(Number(refused.headers.get("retry-after")), 60)
      yield* mailTo("often@example.com", 5)
      assert.lengthOf(yield* mailsTo("often@example.com"), 5)
      for (let n = 0; n < 13; n++) assert.strictEqual((yield* askForLink(`a${n}@example.com`)).status, 202)
      assert.strictEqual((yield* askForLink("last@example.com")).code, "rate_limited")
    })
  )
})

layer(layerWith({ TRUSTED_PROXIES: "127.0.0.1" }), { excludeTestServices: true, timeout: 30_000 })(
  "behind a proxy",
  (it) => {
    it.effect("a client is rate-limited and audited by its own address", () =>
      Effect.gen(function* () {
        const from = (address: string, n: number) =>
          ask({
            path: "/v1/auth/magic-link",
            body: { email: `p${n}@example.com` },
            headers: { "x-forwarded-for": `192.0.2.1, ${address}` }
          })
        for (let n = 0; n < 20; n++) assert.strictEqual((yield* from("198.51.100.1", n)).status, 202)
        assert.strictEqual((yield* from("198.51.100.1", 20)).code, "rate_limited")
        assert.strictEqual((yield* from("198.51.100.2", 21)).status, 202)
        for (let n = 0; n < 20; n++) assert.strictEqual((yield* from(`2001:db8::${n}`, 30 + n)).status, 202)
        assert.strictEqual((yield* from("2001:db8::ffff:1", 50)).code, "rate_limited")
        assert.strictEqual((yield* from("2001:db8:0:1::1", 51)).status, 202)
        // Whatever process is asked next knows of it.
        const sql = yield* SqlClient.SqlClient
        const counted =
          yield* sql`SELECT quota, admitted FROM shared_counts WHERE quota = 'sign_in_address' ORDER BY admitted`
        assert.deepStrictEqual(
          counted.map((row) => row["admitted"]),
          [false, false, true, true]
        )
        yield* ask({
          path: "/v1/auth/signup",
          body: { email: "far@example.com" },
          headers: { "x-forwarded-for": "198.51.100.3" }
        })
        const body = { token: tokenOf(yield* mailTo("far@example.com")) }
        const cookie = cookieOf(
          yield* ask({ path: "/v1/auth/magic-link/verify", body, headers: { "x-forwarded-for": "198.51.100.3" } })
        )
        const [session] = (yield* as(cookie, { path: "/v1/auth/sessions" })).body as ReadonlyArray<{ ip: string }>
        assert.strictEqual(session?.ip, "198.51.100.3")
      })
    )
  }
)
