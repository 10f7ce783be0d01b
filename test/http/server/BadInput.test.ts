import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Catalog } from "../../../src/domain/errors/Catalog.ts"
import type { Envelope } from "../../../src/domain/errors/Envelope.ts"
import { NotCommitted } from "../../../src/domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"
import { bodies, id, originate, requests } from "../../support/BadRequests.ts"

layer(fakeEngine)("bad input", (it) => {
  describe("a body", () => {
    for (const [what, body, status, code, field] of bodies) {
      it.effect(`with ${what} is answered with ${code}`, () =>
        Effect.gen(function* () {
          const key = yield* (yield* FakeEngine).mint()
          const answer = yield* ask({ path: originate, key, body })
          assert.deepStrictEqual({ status: answer.status, code: answer.code }, { status, code })
          if (field === undefined) return
          const { error } = answer.body as { error: { details: Array<{ field: string }> } }
          assert.include(
            error.details.map((detail) => detail.field),
            field
          )
        })
      )
    }
  })

  describe("a request", () => {
    for (const [what, question, status, code] of requests) {
      it.effect(`for ${what} is answered with ${code}`, () =>
        Effect.gen(function* () {
          const key = yield* (yield* FakeEngine).mint()
          const answer = yield* ask({ ...question, key })
          assert.deepStrictEqual({ status: answer.status, code: answer.code }, { status, code })
        })
      )
    }
  })

  it.effect("all faults of a body are reported at once", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const { body } = yield* ask({ path: originate, key, body: { to: 1, timeout_seconds: 0 } })
      const { error } = body as { error: { details: Array<{ field: string; code: string }> } }
      assert.sameDeepMembers(
        error.details.map(({ code, field }) => ({ code, field })),
        [
          { field: "/to", code: "invalid" },
          { field: "/from", code: "required" },
          { field: "/timeout_seconds", code: "invalid" }
        ]
      )
    })
  )

  const sources: ReadonlyArray<readonly [string, object, object]> = [
    ["neither a callback nor actions", {}, { field: "/voice_callback_url", code: "required" }],
    [
      "a callback and actions",
      { voice_callback_url: "https://app.test/voice", actions: [{ hangup: {} }] },
      { field: "/actions", code: "invalid" }
    ],
    ["no action", { actions: [] }, { field: "/actions", code: "invalid" }],
    [
      "too many actions",
      { actions: Array.from({ length: 101 }, () => ({ hangup: {} })) },
      { field: "/actions", code: "invalid" }
    ]
  ]
  for (const [what, members, fault] of sources)
    it.effect(`an originate with ${what} is refused`, () =>
      Effect.gen(function* () {
        const key = yield* (yield* FakeEngine).mint()
        const { voice_callback_url: _, ...rest } = originateBody
        const answer = yield* ask({ path: originate, key, body: { ...rest, ...members } })
        assert.strictEqual(answer.code, "validation.bad_request")
        const { error } = answer.body as { error: { details: ReadonlyArray<object> } }
        assert.deepInclude(error.details[0] ?? {}, fault)
      })
    )

  const told = (question: Parameters<typeof ask>[0]) =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const { body } = yield* ask({ ...question, key })
      return (body as { readonly error: Required<Envelope["error"]> }).error
    })

  it.effect("an unknown query parameter is refused, with the nearest one", () =>
    Effect.gen(function* () {
      const error = yield* told({ path: "/v1/calls?statuss=completed&limit=2&colour=red" })
      assert.deepStrictEqual(
        [error.code, error.details.map(({ code, field, message }) => [field, code, message])],
        [
          "validation.bad_request",
          [
            ["/statuss", "unknown_parameter", "There is no such query parameter here. Did you mean `status`?"],
            ["/colour", "unknown_parameter", "There is no such query parameter here."]
          ]
        ]
      )
      assert.include(error.resolution, "status, direction, from, to")
      assert.strictEqual(
        (yield* told({ path: `${originate}?dry_run=1`, body: originateBody })).code,
        "validation.bad_request"
      )
    })
  )

  for (const [method, path, body] of [
    ["GET", "/v1/auth/session"],
    ["PATCH", "/v1/auth/session", { workspace_id: workspaces.active }],
    ["GET", "/v1/auth/sessions"],
    ["DELETE", `/v1/auth/sessions/${id}`],
    ["POST", "/v1/auth/logout"],
    ["DELETE", "/v1/auth/idp"],
    ["POST", "/v1/auth/idp/link"],
    ["GET", "/v1/auth/idp/start"],
    ["POST", "/v1/auth/signup", { email: "a@example.com" }],
    ["POST", "/v1/auth/magic-link", { email: "a@example.com" }],
    ["POST", "/v1/auth/magic-link/verify", { token: "t" }],
    ["POST", "/v1/auth/invite/accept", { token: "t" }],
    ["POST", "/v1/workspace", { name: "Acme", currency: "KES" }]
  ] as ReadonlyArray<[string, string, object?]>) {
    it.effect(`an unknown query parameter of ${method} ${path} is refused`, () =>
      Effect.gen(function* () {
        const answer = yield* ask({
          method,
          path: `${path}?return_too=x`,
          headers: { cookie: "session=owner" },
          ...(body && { body })
        })
        const { error } = answer.body as Required<Envelope>
        assert.deepStrictEqual(
          [answer.status, error.details?.map(({ code, field }) => [code, field])],
          [400, [["unknown_parameter", "/return_too"]]]
        )
      })
    )
  }

  it.effect("malformed JSON is answered with its line and column", () =>
    Effect.gen(function* () {
      const error = yield* told({ path: originate, body: '{\n  "to": "+254711000001",\n  "from" "x"\n}' })
      assert.strictEqual(error.message, "The body is not valid JSON: line 3, column 10: expected `:`.")
    })
  )

  it.effect("a misspelt member or route is answered with the one that was probably meant", () =>
    Effect.gen(function* () {
      const { from, ...rest } = originateBody
      const member = yield* told({ path: originate, body: { ...rest, form: from } })
      assert.deepStrictEqual(
        member.details.map(({ field, message }) => [field, message]),
        [["/from", "This member is required. There is an unknown member `form`: is it meant?"]]
      )
      assert.strictEqual(
        (yield* told({ path: "/v1/calls/orignate", method: "PUT", body: "" })).code,
        "method_not_allowed"
      )
      assert.strictEqual((yield* told({ path: "/v1/wallet/ballance" })).resolution, "Did you mean /v1/wallet/balance?")
    })
  )

  it.effect("no error names anything of the inside, and each leads to its entry on the page of errors", () =>
    Effect.gen(function* () {
      const page = yield* ask({ path: "/docs/errors" })
      assert.strictEqual(page.status, 200)
      assert.include(page.headers.get("content-type"), "text/html")
      for (const code of Catalog.keys()) assert.include(page.text, `<dt id="${code}">`)
      assert.include(page.text, "See <code>details</code> for")
      assert.notInclude(page.text, "`")
      for (const body of ["null", "[]", '"x"']) {
        const error = yield* told({ path: originate, body })
        assert.strictEqual(error.doc_url, "/docs/errors#validation.bad_request")
        assert.deepStrictEqual(
          error.details.map(({ message }) => message),
          ["Expected an object."]
        )
      }
    })
  )

  it.effect("unknown members are ignored and named in a header", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const answer = yield* ask({
        path: originate,
        key,
        body: { ...originateBody, colour: "red", "é/b": 1, metadata: { any: "thing" } }
      })
      assert.strictEqual(answer.status, 201)
      assert.strictEqual(answer.headers.get("x-service-warnings"), "unknown_field:/colour, unknown_field:/%C3%A9~1b")
      const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`${n},${"x".repeat(200)}`, n]))
      const warned = (yield* ask({ path: originate, key, body: { ...originateBody, ...many } })).headers.get(
        "x-service-warnings"
      )!
      assert.lengthOf(warned.split(", "), 20)
      assert.isBelow(warned.length, 3000)
      const plain = yield* ask({ path: originate, key, body: originateBody })
      assert.isNull(plain.headers.get("x-service-warnings"))
    })
  )

  it.effect("a 405 lists the methods that the path supports", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      assert.strictEqual(
        (yield* ask({ path: "/v1/webhooks", method: "DELETE", key })).headers.get("allow"),
        "GET, POST"
      )
      assert.strictEqual((yield* ask({ path: "/v1/calls", method: "HEAD", key })).status, 405)
      assert.strictEqual((yield* ask({ path: "/v1/nothing", method: "HEAD", key })).status, 404)
      assert.strictEqual((yield* ask({ path: "/healthz", method: "POST", body: "" })).headers.get("allow"), "GET")
    })
  )

  it.effect("answers a command that reached its actor twice with the answer of the first time", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      fake.repeated = true
      const headers = { "idempotency-key": "sent-twice" }
      const placed = yield* ask({ path: originate, key, headers, body: originateBody })
      assert.strictEqual(placed.status, 201)
      assert.strictEqual(JSON.parse(placed.text).status, "ringing")
      fake.repeated = false
    })
  )

  it.effect("an internal failure has an error code and a request id", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      fake.outage = new NotCommitted({ reason: "unavailable", cause: "select secret" })
      const away = yield* ask({ path: originate, key, body: originateBody })
      assert.deepStrictEqual(
        [away.status, away.code, away.headers.get("retry-after")],
        [503, "service_unavailable", "1"]
      )
      assert.notInclude(away.text, "secret")
      fake.outage = new NotCommitted({ reason: "duplicate" })
      const twice = yield* ask({ path: originate, key, body: originateBody })
      assert.deepStrictEqual(
        [twice.status, twice.code, twice.headers.get("retry-after")],
        [409, "idempotency.in_progress", "1"]
      )
      fake.outage = undefined
      fake.readFailure = new ReadFailed({ cause: "select secret" })
      for (const [path, code] of [
        ["", "calls.list_failed"],
        [`/${id}`, "calls.get_failed"],
        [`/${id}/events`, "calls.events_failed"]
      ]) {
        const unread = yield* ask({ path: `/v1/calls${path}`, key })
        assert.deepStrictEqual([unread.status, unread.code], [500, code])
        assert.notInclude(unread.text, "secret")
      }
      fake.readFailure = undefined
      fake.gate = Effect.die(new Error("a bug"))
      const bug = yield* ask({ path: originate, key, body: originateBody })
      assert.deepStrictEqual([bug.status, bug.code], [500, "internal_error"])
      assert.notInclude(bug.text, "a bug")
      fake.gate = Effect.void
    })
  )

  it.effect("a database that is away is told by the operation's own code, and an unknown outcome as such", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      fake.readFailure = new ReadFailed({ cause: { _tag: "ConnectionError", message: "select secret" } })
      for (const [path, code] of [
        ["", "calls.list_failed"],
        [`/${id}`, "calls.get_failed"],
        [`/${id}/events`, "calls.events_failed"]
      ]) {
        const { headers, status, text, ...unread } = yield* ask({ path: `/v1/calls${path}`, key })
        assert.deepStrictEqual([status, unread.code, headers.get("retry-after")], [503, code, "1"])
        assert.notInclude(text, "secret")
      }
      fake.readFailure = undefined
      fake.outage = new NotCommitted({ reason: "unavailable", unknown: true })
      const unknown = yield* ask({ path: originate, key, body: originateBody })
      assert.deepStrictEqual([unknown.status, unknown.code], [503, "service_unavailable"])
      assert.include(unknown.text, "not known whether")
      fake.outage = undefined
    })
  )

  it.effect("a client's request id is used if it is a UUID", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const given = "c0ffee00-0000-4000-8000-000000000001"
      const kept = yield* ask({ path: "/v1/wallet/balance", key, headers: { "x-request-id": given } })
      assert.strictEqual(kept.headers.get("x-request-id"), given)
      const replaced = yield* ask({ path: "/v1/wallet/balance", key, headers: { "x-request-id": "mine" } })
      assert.notStrictEqual(replaced.headers.get("x-request-id"), "mine")
    })
  )

  it.effect("a client may pin the version of the interface, and one that is not supported is refused", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const pinned = (version: string, path = "/v1/calls") =>
        ask({ path, key, headers: { "x-service-version": version } })
      assert.strictEqual((yield* pinned("2026-10-01")).status, 200)
      for (const version of ["2025-01-01", "2099-01-01", "latest", "", "2026-10-01, 2026-10-01"]) {
        const { body, code, status } = yield* pinned(version)
        assert.deepStrictEqual([status, code], [400, "validation.bad_request"], version)
        assert.deepInclude(body, {
          error: {
            ...(body as { error: object }).error,
            resolution: "Supported: 2026-10-01. Without the header the latest one applies."
          }
        })
      }
      assert.strictEqual((yield* pinned("2025-01-01", "/healthz")).status, 200)
    })
  )

  it.effect("a call of another workspace is not found", () =>
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const mine = yield* fake.mint()
      const theirs = yield* fake.mint({ workspace_id: workspaces.other })
      const { body } = yield* ask({ path: originate, key: mine, body: originateBody })
      const { id, session_id } = body as { id: string; session_id: string }
      for (const ref of [id, session_id]) {
        for (const [method, path] of [
          ["GET", ""],
          ["GET", "/events"],
          ["POST", "/terminate"]
        ] as const) {
          assert.strictEqual((yield* ask({ path: `/v1/calls/${ref}${path}`, method, key: mine })).status, 200)
          const foreign = yield* ask({ path: `/v1/calls/${ref}${path}`, method, key: theirs })
          assert.deepStrictEqual([foreign.status, foreign.code], [404, "calls.not_found"])
        }
      }
      assert.deepStrictEqual((yield* ask({ path: "/v1/calls", key: theirs })).body, [])
      assert.strictEqual((yield* ask({ path: `/v1/calls/${id.toUpperCase()}`, key: mine })).status, 200)
    })
  )
})
