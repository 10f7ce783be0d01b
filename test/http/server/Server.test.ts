import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Layer, Scope } from "effect"
import { OpenApi } from "effect/http-api"
import { connect } from "node:net"
import { DocumentedApi } from "../../../src/http/openapi/DocumentedApi.ts"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { ask, origin, originateBody } from "../../support/HttpTester.ts"

/** Sends bytes and reads until the server closes. */
const raw = (text: string) =>
  Effect.flatMap(origin, (base) =>
    Effect.callback<string>((resume) => {
      const socket = connect(Number(new URL(base).port), "127.0.0.1", () => socket.write(text))
      let answer = ""
      socket.on("data", (chunk) => {
        answer += chunk.toString()
      })
      socket.on("close", () => resume(Effect.succeed(answer)))
      socket.on("error", () => {})
    })
  )

layer(fakeEngine, { excludeTestServices: true })("the server", (it) => {
  describe("responds with the error envelope", () => {
    const malformed: ReadonlyArray<[what: string, text: string, status?: number, code?: string]> = [
      ["what is not HTTP", "hello\r\n\r\n"],
      ["an unknown version", "GET / HTTP/9.9\r\n\r\n"],
      [
        "headers of 20 KiB",
        `GET / HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(20_000)}\r\n\r\n`,
        431,
        "validation.headers_too_large"
      ],
      [
        "a request line of 20 KiB",
        `GET /${"a".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
        414,
        "validation.uri_too_long"
      ],
      ["a request line without an end", `GET /${"a".repeat(20_000)}`, 414, "validation.uri_too_long"],
      ["no host", "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n"],
      ["no Host header", "POST /v1/calls/originate HTTP/1.1\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}"],
      [
        "an unsupported Expect header",
        "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: tea\r\n\r\n",
        417,
        "validation.expectation_failed"
      ],
      [
        "two Authorization headers",
        "GET /v1/calls HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n"
      ],
      ["two Host headers", "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nHost: y\r\n\r\n"],
      [
        "two Content-Types",
        "POST /v1/calls/originate HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"
      ],
      ["CONNECT", "CONNECT x:1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", 405, "method_not_allowed"],
      [
        "an upgrade to an unknown protocol",
        "GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n\r\n",
        404,
        "not_found"
      ],
      ["an unknown method", "BREW / HTTP/1.1\r\nhost: x\r\n\r\n"],
      ["a header with a NUL", "GET / HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n"],
      ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
      [
        "both Content-Length and chunks",
        "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
      ]
    ]
    for (const [what, text, status = 400, code = "validation.bad_request"] of malformed) {
      it.effect(`to ${what}`, () =>
        Effect.gen(function* () {
          const answer = yield* raw(text)
          assert.strictEqual(Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]), status)
          const { error } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4))
          assert.strictEqual(error.code, code)
          assert.match(error.request_id, /^[0-9a-f-]{36}$/)
          assert.include(answer, `x-request-id: ${error.request_id}`)
        })
      )
    }
  })

  it.effect("knows one spelling of each route", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const statusOf = (path: string) =>
        Effect.map(
          raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\n\r\n`),
          (answer) => Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1])
        )
      for (const path of [
        "/v1/calls",
        "http://x/v1/calls",
        "/v1/calls?limit=5",
        "/v1/calls?client_reference=/b//c;d%41",
        "/healthz"
      ])
        assert.strictEqual(yield* statusOf(path), 200, path)
      for (const path of [
        "/V1/calls",
        "/v1/Calls",
        "//v1/calls",
        "/v1//calls",
        "/v1/calls/",
        "/v1/calls/?limit=5",
        "/v1/calls;x=1",
        "/v1;x/calls",
        "/v1/%63alls",
        "/v1/calls%2F",
        "/v1/./calls",
        "/v1/x/../calls",
        "/v1/calls#x",
        "/v1/calls%3Bx=1",
        "/%761/calls",
        "/HEALTHZ",
        "/healthz/",
        "/openapi.json/",
        "http://x//v1/calls"
      ])
        assert.strictEqual(yield* statusOf(path), 404, path)
    })
  )

  it.effect("needs no Host header in HTTP/1.0, and sends 100 Continue to a client that waits for it", () =>
    Effect.gen(function* () {
      assert.match(yield* raw("GET /healthz HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /)
      const key = yield* (yield* FakeEngine).mint()
      const body = JSON.stringify(originateBody)
      const answer = yield* raw(
        `POST /v1/calls/originate HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\nexpect: 100-Continue\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      )
      assert.match(answer, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
    })
  )

  it.effect("serves its health, its metrics, its contract and its documentation", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask({ path: "/healthz" })).status, 200)
      assert.strictEqual((yield* ask({ path: "/readyz" })).status, 200)
      const metrics = (yield* ask({ path: "/metrics" })).text
      assert.include(metrics, "trunkline_http_request_duration_seconds_bucket")
      assert.include(metrics, "trunkline_actors_resident 42")
      assert.match(metrics, /^process_resident_memory_bytes \d+/m)
      const { body } = yield* ask({ path: "/openapi.json" })
      assert.deepInclude((body as { info: unknown }).info, { title: "trunkline", version: "2026-10-01" })
      const docs = yield* ask({ path: "/docs" })
      assert.include(docs.headers.get("content-type"), "text/html")
      assert.notMatch(
        docs.text,
        /<(?:script|link)[^>]+(?:src|href)="https?:/,
        "the page loads something from another site"
      )
    })
  )

  for (const path of ["/openapi.json", "/asyncapi.json", "/docs/reference.js", "/docs/errors"]) {
    it.effect(`sends ${path} compressed, and not again to a client that has it`, () =>
      Effect.gen(function* () {
        const plain = yield* ask({ path, headers: { "accept-encoding": "identity" } })
        const small = yield* ask({ path, headers: { "accept-encoding": "gzip" } })
        assert.strictEqual(small.headers.get("content-encoding"), "gzip")
        assert.isBelow(Number(small.headers.get("content-length")), plain.text.length / 2)
        assert.strictEqual(small.text, plain.text)
        assert.isNull(plain.headers.get("content-encoding"))
        for (const answer of [plain, small]) {
          const etag = answer.headers.get("etag") ?? "none"
          const base = yield* origin
          const again = yield* Effect.promise(() => fetch(base + path, { headers: { "if-none-match": etag } }))
          assert.deepStrictEqual([again.status, yield* Effect.promise(() => again.text())], [304, ""])
          assert.include(again.headers.get("vary"), "accept-encoding")
        }
        assert.notStrictEqual(plain.headers.get("etag"), small.headers.get("etag"))
      })
    )
  }

  it.effect("reads a body that arrives in pieces", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const body = JSON.stringify(originateBody)
      const chunks = [...body].map((char) => `1\r\n${char}\r\n`).join("")
      const answer = yield* raw(
        `POST /v1/calls/originate HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ntransfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
      )
      assert.match(answer, /^HTTP\/1\.1 201 /)
    })
  )

  it.effect("refuses a body without Content-Length once it is too large", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`
      const answer = yield* raw(
        `POST /v1/calls/originate HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(5)}0\r\n\r\n`
      )
      assert.match(answer, /^HTTP\/1\.1 413 /)
      assert.include(answer, "validation.payload_too_large")
    })
  )
})

describe("a server that stops", () => {
  it.live(
    "reports not ready, finishes requests in flight and ends live streams",
    () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const context = yield* Layer.buildWithScope(fakeEngine, scope)
        yield* Effect.gen(function* () {
          const fake = yield* FakeEngine
          const base = yield* origin
          const key = yield* fake.mint()
          const headers = { authorization: `Bearer ${key}` }
          const stream = yield* Effect.promise(() => fetch(`${base}/v1/calls/HD_x/stream`, { headers }))
          const gate = yield* Deferred.make<void>()
          const arrived = yield* Deferred.make<void>()
          fake.gate = Effect.andThen(Deferred.succeed(arrived, undefined), Deferred.await(gate))
          const slow = fetch(`${base}/v1/calls/originate`, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify(originateBody)
          })
          yield* Deferred.await(arrived)
          const stopping = Effect.runPromise(Scope.close(scope, Exit.void))
          const streamed = yield* Effect.promise(() => stream.text())
          assert.include(streamed, 'event: closing\ndata: {"reason":"shutdown"}')

          // The request under way keeps the door open for those who must know that it will close.
          assert.strictEqual((yield* ask({ path: "/healthz" })).status, 200)
          const readiness = yield* ask({ path: "/readyz" })
          assert.deepStrictEqual([readiness.status, readiness.code], [503, "service_unavailable"])
          assert.strictEqual(readiness.headers.get("connection"), "close")
          const late = yield* ask({ path: "/v1/calls", key })
          assert.deepStrictEqual(
            [late.status, late.code, late.headers.get("retry-after")],
            [503, "service_unavailable", "1"]
          )

          yield* Deferred.succeed(gate, undefined)
          const answer = yield* Effect.promise(() => slow)
          assert.strictEqual(answer.status, 201)
          assert.property(yield* Effect.promise(() => answer.json()), "id")
          yield* Effect.promise(() => stopping)
          yield* Effect.flip(Effect.tryPromise(() => fetch(`${base}/healthz`)))
        }).pipe(Effect.provideContext(context))
      }),
    20_000
  )
})

describe("the contract", () => {
  it("names its components and describes every operation", () => {
    const document = OpenApi.fromApi(DocumentedApi)
    assert.includeMembers(Object.keys(document.components.schemas), [
      "CallRecord",
      "OriginateRequest",
      "WalletBalance",
      "Number",
      "WebhookSubscription"
    ])
    for (const name of Object.keys(document.components.schemas)) assert.notMatch(name, /Encoded$|_$|\d$/)
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(
        item as Record<string, { summary?: string; description?: string; responses: object }>
      )) {
        assert.isNotEmpty(operation.summary, `${method} ${path} has no summary`)
        assert.isNotEmpty(operation.description, `${method} ${path} has no description`)
      }
    }
  })
})
