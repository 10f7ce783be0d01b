import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"
import { mailsTo, mailTo, tokenOf } from "../../support/Mails.ts"
import {
  as,
  askForLink,
  cookieOf,
  ended,
  founder,
  invite,
  joined,
  kindsOf,
  signedIn,
  verify,
  whoAmI
} from "../../support/People.ts"

const accept = (cookie: string, body?: object) =>
  as(cookie, { path: "/v1/auth/invite/accept", method: "POST", ...(body && { body }) })

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 30_000 })

suite("an invitation", (it) => {
  it.effect("is mailed, accepted by the invited address, and moves the session into the workspace", () =>
    Effect.gen(function* () {
      const mine = yield* founder("host@example.com")
      const made = yield* invite(mine.cookie, "Guest@example.com", "member", { read_only: true })
      assert.strictEqual(made.status, 201)
      assert.deepInclude(made.body, {
        email: "guest@example.com",
        role: "member",
        read_only: true,
        status: "pending",
        invited_by: "host@example.com"
      })
      const mail = yield* mailTo("guest@example.com")
      assert.strictEqual(mail.subject, "You are invited to Of host@example.com")
      const token = tokenOf(mail)
      assert.notInclude(JSON.stringify(made.body), token)

      const stranger = yield* signedIn("stranger@example.com")
      assert.deepStrictEqual((yield* accept(stranger, { token })).code, "auth.invite_email_mismatch")
      const away = yield* ask({ path: "/v1/auth/invite/accept", body: { token } })
      assert.deepStrictEqual([away.status, away.code], [401, "invite_requires_login"])
      assert.match(
        away.headers.getSetCookie()[0]!,
        /^invitation=[\w-]+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/
      )
      for (const body of [{}, { token: "x" }, { token: `${token}A` }]) {
        const unknown = yield* ask({ path: "/v1/auth/invite/accept", body })
        assert.deepStrictEqual([unknown.status, unknown.code], [401, "invite_requires_login"])
        assert.deepStrictEqual(unknown.headers.getSetCookie(), [])
      }

      const guest = yield* signedIn("guest@example.com")
      const accepted = yield* accept(`${guest}; ${cookieOf(away, "invitation")}`)
      assert.deepStrictEqual(accepted.body, { workspace_id: mine.workspace_id, role: "member" })
      assert.strictEqual(cookieOf(accepted, "invitation"), "invitation=")
      const session = cookieOf(accepted)
      assert.deepInclude((yield* whoAmI(session)).body, { workspace_id: mine.workspace_id })
      assert.strictEqual(
        (yield* as(session, { path: "/v1/calls/originate", body: originateBody })).code,
        "accounts.write_denied"
      )
      assert.strictEqual((yield* accept(session, { token })).status, 200)
      assert.deepInclude((yield* as(mine.cookie, { path: "/v1/invitations" })).body, {
        ...(made.body as object),
        status: "accepted"
      })
      assert.strictEqual((yield* invite(mine.cookie, "guest@example.com", "viewer")).code, "invitations.already_member")
    })
  )

  it.effect("is refused if it is invented, revoked or replaced", () =>
    Effect.gen(function* () {
      const mine = yield* founder("host2@example.com")
      const cookie = yield* signedIn("guest2@example.com")
      const first = (yield* invite(mine.cookie, "guest2@example.com", "viewer")).body as { id: string }
      const one = tokenOf(yield* mailTo("guest2@example.com", 2))
      const second = (yield* invite(mine.cookie, "guest2@example.com", "admin")).body as { id: string }
      const two = tokenOf(yield* mailTo("guest2@example.com", 3))
      for (const token of [one, "", "x", `${two}A`])
        assert.strictEqual((yield* accept(cookie, { token })).code, "invitations.not_found")
      assert.strictEqual((yield* accept(cookie)).code, "validation.bad_request")
      assert.strictEqual(
        (yield* as(mine.cookie, { path: `/v1/invitations/${second.id}/resend`, method: "POST" })).status,
        202
      )
      assert.strictEqual(tokenOf(yield* mailTo("guest2@example.com", 4)), two)
      assert.strictEqual(
        (yield* as(mine.cookie, { path: `/v1/invitations/${second.id}`, method: "DELETE" })).status,
        204
      )
      assert.strictEqual((yield* accept(cookie, { token: two })).code, "invitations.not_found")
      for (const id of [first.id, second.id, "0199a000-0000-7000-8000-00000000dead", "x"]) {
        assert.strictEqual(
          (yield* as(mine.cookie, { path: `/v1/invitations/${id}`, method: "DELETE" })).code,
          "invitations.not_found"
        )
      }
      const other = yield* founder("host3@example.com")
      const theirs = (yield* invite(other.cookie, "guest2@example.com", "viewer")).body as { id: string }
      assert.strictEqual(
        (yield* as(mine.cookie, { path: `/v1/invitations/${theirs.id}/resend`, method: "POST" })).code,
        "invitations.not_found"
      )
    })
  )

  it.effect("has a page with a button that accepts it for the signed-in user", () =>
    Effect.gen(function* () {
      const mine = yield* founder("host5@example.com")
      yield* invite(mine.cookie, "guest5@example.com", "admin")
      const token = tokenOf(yield* mailTo("guest5@example.com"))
      assert.include((yield* ask({ path: `/invitation?token=${token}` })).text, `value="${token}"`)
      const press = (cookie: string, body = `token=${token}`, headers: Record<string, string> = {}) =>
        as(cookie, {
          path: "/invitation",
          body,
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
        })
      const away = yield* press("")
      assert.deepStrictEqual([away.status, cookieOf(away, "invitation")], [401, `invitation=${token}`])
      assert.include((yield* press("", "token=x")).text, "does not exist or was revoked")
      const guest = yield* signedIn("guest5@example.com")
      assert.include(
        (yield* press(guest, undefined, { "sec-fetch-site": "cross-site" })).text,
        "A page of another site"
      )
      const welcome = yield* press(guest)
      assert.include(welcome.text, "as admin")
      assert.deepInclude((yield* whoAmI(cookieOf(welcome))).body, { workspace_id: mine.workspace_id })
    })
  )

  it.effect("with an Idempotency-Key is created and mailed once", () =>
    Effect.gen(function* () {
      const mine = yield* founder("host4@example.com")
      const request = {
        path: "/v1/invitations",
        body: { email: "once@example.com", role: "viewer" },
        headers: { "idempotency-key": "k" }
      }
      const first = yield* as(mine.cookie, request)
      const again = yield* as(mine.cookie, request)
      assert.deepStrictEqual(
        [first.status, again.status, again.text, again.headers.get("idempotent-replayed")],
        [201, 201, first.text, "true"]
      )
      yield* mailTo("once@example.com")
      yield* (yield* ActorSystem).drain
      assert.lengthOf(yield* mailsTo("once@example.com"), 1)
    })
  )
})

suite("a member", (it) => {
  it.effect("can be changed and removed according to the rules, which ends their sessions", () =>
    Effect.gen(function* () {
      const mine = yield* founder("chief@example.com")
      const admin = yield* joined(mine, "admin@example.com", "admin")
      const member = yield* joined(mine, "member@example.com", "member")
      const viewer = yield* joined(mine, "viewer@example.com", "viewer")
      const change = (cookie: string, user_id: string, body: object) =>
        as(cookie, { path: `/v1/members/${user_id}`, method: "PATCH", body })
      const remove = (cookie: string, user_id: string) =>
        as(cookie, { path: `/v1/members/${user_id}`, method: "DELETE" })
      const listed = (yield* as(viewer.cookie, { path: "/v1/members" })).body as ReadonlyArray<{
        email: string
        role: string
      }>
      assert.deepStrictEqual(
        listed.map(({ email, role }) => `${email.split("@")[0]} ${role}`),
        ["chief owner", "admin admin", "member member", "viewer viewer"]
      )
      const codes = [
        [yield* change(viewer.cookie, member.user_id, { role: "viewer" }), "accounts.write_denied"],
        [yield* change(member.cookie, viewer.user_id, { role: "member" }), "accounts.role_change_denied"],
        [yield* change(admin.cookie, member.user_id, { role: "owner" }), "accounts.role_change_denied"],
        [yield* change(admin.cookie, mine.user_id, { role: "viewer" }), "accounts.role_change_denied"],
        [yield* change(mine.cookie, mine.user_id, { role: "admin" }), "accounts.last_owner"],
        [yield* change(mine.cookie, admin.user_id, { read_only: true }), "validation.bad_request"],
        [yield* change(mine.cookie, "0199a000-0000-7000-8000-00000000dead", { role: "admin" }), "members.not_found"],
        [yield* change(mine.cookie, "x", { role: "admin" }), "members.not_found"],
        [yield* remove(member.cookie, viewer.user_id), "accounts.remove_denied"],
        [yield* remove(admin.cookie, mine.user_id), "accounts.remove_denied"],
        [yield* remove(mine.cookie, mine.user_id), "accounts.last_owner"],
        [yield* as(member.cookie, { path: "/v1/invitations" }), "accounts.admin_required"],
        [yield* invite(member.cookie, "x@example.com", "viewer"), "accounts.admin_required"],
        [yield* invite(admin.cookie, "x@example.com", "owner"), "accounts.role_change_denied"]
      ] as const
      for (const [{ code }, expected] of codes) assert.strictEqual(code, expected)

      assert.deepInclude((yield* change(admin.cookie, member.user_id, { role: "viewer" })).body, { role: "viewer" })
      yield* ended(member.cookie)
      const promoted = yield* change(mine.cookie, admin.user_id, { role: "owner" })
      assert.deepInclude(promoted.body, { role: "owner" })
      const down = yield* change(mine.cookie, mine.user_id, { role: "viewer" })
      assert.strictEqual(
        (yield* as(cookieOf(down), { path: "/v1/workspace", method: "PATCH", body: {} })).code,
        "accounts.write_denied"
      )
      yield* ended(mine.cookie)

      yield* askForLink("admin@example.com")
      const chief = cookieOf(yield* verify(tokenOf(yield* mailTo("admin@example.com", 3))))
      assert.strictEqual((yield* remove(chief, viewer.user_id)).status, 204)
      const left = yield* remove(cookieOf(down), mine.user_id)
      assert.strictEqual(left.status, 204)
      assert.deepInclude((yield* whoAmI(cookieOf(left))).body, { workspace_id: null, workspaces: [] })
      yield* ended(viewer.cookie)
      const again = yield* signedIn("member@example.com")
      assert.lengthOf(
        (yield* as(again, { path: "/v1/auth/sessions" })).body as ReadonlyArray<unknown>,
        1,
        "the previous session has ended"
      )
      const kinds = (yield* kindsOf(mine.workspace_id)).filter((kind) => kind.startsWith("member."))
      assert.deepStrictEqual(kinds, [
        "member.role_changed",
        "member.role_changed",
        "member.role_changed",
        "member.removed",
        "member.left"
      ])
    })
  )

  it.effect("who is one of two owners stays if both leave at the same time", () =>
    Effect.gen(function* () {
      const one = yield* founder("one@example.com")
      const two = yield* joined(one, "two@example.com", "owner")
      const leave = (cookie: string, user_id: string) =>
        as(cookie, { path: `/v1/members/${user_id}`, method: "DELETE" })
      const answers = yield* Effect.all([leave(one.cookie, one.user_id), leave(two.cookie, two.user_id)], {
        concurrency: 2
      })
      assert.deepStrictEqual(answers.map(({ code, status }) => code ?? status).toSorted(), [204, "accounts.last_owner"])
    })
  )

  it.effect("of one workspace has no access to another, and API keys cannot manage members", () =>
    Effect.gen(function* () {
      const [mine, theirs] = [yield* founder("mine@example.com"), yield* founder("theirs@example.com")]
      const path = `/v1/members/${theirs.user_id}`
      assert.strictEqual((yield* as(mine.cookie, { path, method: "DELETE" })).code, "members.not_found")
      assert.strictEqual(
        (yield* as(mine.cookie, { path, method: "PATCH", body: { role: "viewer" } })).code,
        "members.not_found"
      )
      assert.strictEqual(
        (yield* as(mine.cookie, {
          path: "/v1/auth/session",
          method: "PATCH",
          body: { workspace_id: theirs.workspace_id }
        })).code,
        "auth.workspace_forbidden"
      )
      const { api_key } = yield* DemoFile
      for (const path of ["/v1/members", "/v1/invitations"])
        assert.strictEqual((yield* ask({ path, key: api_key })).code, "api_key.scope_denied")
    })
  )
})
