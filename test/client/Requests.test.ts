// What the client sends and makes of answers, against a `fetch` that plays the server.
import { assert, describe, it } from "@effect/vitest"
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  EngineError,
  InsufficientFundsError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type RequestLog,
  TimeoutError,
  Trunkline,
  TrunklineError
} from "../../src/client/Client.ts"
import { failure, json, originate, refused, server } from "../support/ClientServer.ts"

describe("a request of the client", () => {
  it("has the key, the parts of the path, the query and the body", async () => {
    const { fetch, seen } = server(json({}))
    const client = new Trunkline({
      apiKey: " key \n",
      baseUrl: "https://voice.example.com/",
      fetch,
      headers: { "x-a": "1" }
    })
    await client.calls.originate(originate as never, { idempotencyKey: "k-1", headers: { "x-b": "2" } })
    await client.calls.get("HD_a/b", { transcript: "1" })
    await client.webhooks.delivery("one", "two")
    await client.webhooks.rotateSecret("one")
    assert.deepStrictEqual(
      seen.map(({ method, url }) => `${method} ${url}`),
      [
        "POST https://voice.example.com/v1/calls/originate",
        "GET https://voice.example.com/v1/calls/HD_a%2Fb?transcript=1",
        "GET https://voice.example.com/v1/webhooks/one/deliveries/two",
        "POST https://voice.example.com/v1/webhooks/one/rotate-secret"
      ]
    )
    assert.deepInclude(seen[0]!.headers, {
      authorization: "Bearer key",
      "idempotency-key": "k-1",
      "content-type": "application/json",
      "x-a": "1",
      "x-b": "2"
    })
    assert.deepStrictEqual(seen[0]!.body, originate)
    assert.isUndefined(seen[1]!.headers["idempotency-key"])
    assert.match(String(await failure((async () => client.calls.get(""))())), /an id is missing/)
  })

  it("returns the data, and the response for those who ask", async () => {
    const { fetch } = server(
      json({ balance_minor: 5 }, 200, {
        "x-request-id": "r-9",
        "idempotent-replayed": "true",
        "x-service-warnings": "unknown member /a"
      })
    )
    const balance = new Trunkline({ apiKey: "k", fetch }).wallet.balance()
    assert.deepStrictEqual(await balance, { balance_minor: 5 } as never)
    const { replayed, requestId, response, warnings } = await balance.withResponse()
    assert.deepStrictEqual([replayed, requestId, response.status, warnings], [true, "r-9", 200, ["unknown member /a"]])
    assert.strictEqual((await balance.asResponse()).status, 200)
  })

  it("is sent once, however often its result is asked for", async () => {
    const { fetch, seen } = server(json({}, 201))
    const result = new Trunkline({ apiKey: "k", fetch }).calls.originate(originate as never)
    await Promise.all([result, result.withResponse(), result.finally(() => {})])
    assert.strictEqual(seen.length, 1)
  })

  it("takes the cookie of a page, or of a program", async () => {
    const { fetch, seen } = server(json({}))
    await new Trunkline({ session: true, mode: "test", fetch }).wallet.balance()
    await new Trunkline({ session: "abc", fetch }).wallet.balance()
    assert.deepStrictEqual(
      [seen[0]!.credentials, seen[0]!.headers["x-service-mode"], seen[0]!.headers["cookie"]],
      ["include", "test", undefined]
    )
    assert.deepStrictEqual([seen[1]!.credentials, seen[1]!.headers["cookie"]], [undefined, "session=abc"])
    assert.isUndefined(seen[1]!.headers["authorization"])
  })

  it("answers nothing where there is nothing", async () => {
    const { fetch } = server(new Response(null, { status: 204 }))
    assert.isUndefined(await new Trunkline({ apiKey: "k", fetch }).webhooks.delete("one"))
  })

  it("can be any request", async () => {
    const { fetch, seen } = server(json({ new: true }))
    const client = new Trunkline({ apiKey: "k", baseUrl: "http://engine.test", fetch })
    assert.deepStrictEqual(
      await client.request<object>("post", "/v1/new", { body: { a: 1 }, query: { b: [1, 2], c: undefined } }),
      { new: true }
    )
    assert.deepInclude(seen[0], { url: "http://engine.test/v1/new?b=1%2C2", method: "POST", body: { a: 1 } })
  })
})

describe("an error of the client", () => {
  it("is of the class of its status, and has what the engine said", async () => {
    for (const [status, Family] of [
      [400, InvalidRequestError],
      [401, AuthenticationError],
      [402, InsufficientFundsError],
      [403, PermissionError],
      [404, NotFoundError],
      [409, ConflictError],
      [410, NotFoundError],
      [422, InvalidRequestError],
      [429, RateLimitError],
      [500, EngineError],
      [503, EngineError]
    ] as ReadonlyArray<readonly [number, typeof ApiError]>) {
      const { fetch } = server(refused(status, "calls.invalid_destination", { "retry-after": "3" }))
      const client = new Trunkline({ apiKey: "k", baseUrl: "http://engine.test", fetch, retries: 0 })
      const error = await failure(client.calls.originate(originate as never, { idempotencyKey: "k-2" }))
      assert.instanceOf(error, Family, String(status))
      assert.instanceOf(error, ApiError)
      assert.isTrue(TrunklineError.is(error))
      assert.deepInclude(error, {
        status,
        code: "calls.invalid_destination",
        message: "No.",
        requestId: "r-1",
        details: [{ field: "/to", code: "required", message: "Missing." }],
        suggestedE164: "+254700000001",
        docUrl: "http://engine.test/docs/errors#calls.invalid_destination",
        retryAfter: 3,
        attempts: 1,
        idempotencyKey: "k-2",
        retryable: status >= 429
      })
    }
  })

  it("is made of answers that are not the engine's, too", async () => {
    const { fetch } = server(new Response("<html>Bad gateway</html>", { status: 502 }))
    const error = await failure(new Trunkline({ apiKey: "k", fetch, retries: 0 }).wallet.balance())
    assert.deepInclude(error, { status: 502, code: "http_502", message: "The server answered 502.", details: [] })
  })
})

describe("a request that fails", () => {
  const quick = { "retry-after": "0" }

  it("is repeated with the same Idempotency-Key, and each attempt is logged", async () => {
    const logs: Array<RequestLog> = []
    const { fetch, seen } = server(
      refused(503, "service_unavailable", quick),
      refused(429, "rate_limited", quick),
      json({ id: "c" }, 201)
    )
    const client = new Trunkline({ apiKey: "k", fetch, onRequest: (log) => logs.push(log) })
    assert.deepInclude(await client.calls.originate(originate as never), { id: "c" })
    const keys = new Set(seen.map(({ headers }) => headers["idempotency-key"]))
    assert.strictEqual(keys.size, 1)
    assert.match([...keys][0] ?? "", /^[0-9a-f-]{36}$/)
    assert.deepStrictEqual(
      logs.map(({ attempt, status }) => [attempt, status]),
      [
        [1, 503],
        [2, 429],
        [3, 201]
      ]
    )
    assert.notInclude(JSON.stringify(logs), "Bearer")
  })

  it("is given up after the retries, and not repeated where nothing can change", async () => {
    const busy = server(refused(503, "service_unavailable", quick))
    assert.deepInclude(await failure(new Trunkline({ apiKey: "k", fetch: busy.fetch }).wallet.balance()), {
      attempts: 3
    })
    assert.strictEqual(busy.seen.length, 3)
    const wrong = server(refused(422, "calls.invalid_destination"))
    await failure(new Trunkline({ apiKey: "k", fetch: wrong.fetch }).calls.originate(originate as never))
    assert.strictEqual(wrong.seen.length, 1)
    const later = server(refused(429, "rate_limited", { "retry-after": "3600" }))
    assert.deepInclude(await failure(new Trunkline({ apiKey: "k", fetch: later.fetch }).wallet.balance()), {
      retryAfter: 3600
    })
    assert.strictEqual(later.seen.length, 1)
  })

  it("is not repeated if it cannot be told from a second one", async () => {
    const lost = server(new TypeError("fetch failed"))
    const error = await failure(new Trunkline({ apiKey: "k", fetch: lost.fetch }).workspace.close())
    assert.instanceOf(error, ConnectionError)
    assert.strictEqual(lost.seen.length, 1)
  })

  it("that was never answered names the key to repeat it with", async () => {
    const { fetch } = server(new TypeError("fetch failed"))
    const error = await failure(new Trunkline({ apiKey: "k", fetch, retries: 0 }).calls.originate(originate as never))
    assert.instanceOf(error, ConnectionError)
    assert.notInstanceOf(error, TimeoutError)
    assert.match(String((error as ConnectionError).idempotencyKey), /^[0-9a-f-]{36}$/)
    assert.instanceOf((error as Error).cause, TypeError)
  })

  it("has a time for each attempt, and one for all of them", async () => {
    const silent = server("silence", json({ balance_minor: 1 }))
    const client = new Trunkline({ apiKey: "k", fetch: silent.fetch, timeout: 20 })
    assert.deepInclude(await client.wallet.balance(), { balance_minor: 1 })
    assert.strictEqual(silent.seen.length, 2)
    const never = server("silence")
    const error = await failure(
      new Trunkline({ apiKey: "k", fetch: never.fetch, timeout: 5_000, deadline: 30, retries: 9 }).wallet.balance()
    )
    assert.instanceOf(error, TimeoutError)
    assert.strictEqual(never.seen.length, 1)
  })

  it("ends with the reason of its signal", async () => {
    const reason = new Error("The user left")
    for (const replies of [["silence"], [refused(503, "service_unavailable", { "retry-after": "30" })]] as const) {
      const { fetch } = server(...replies)
      const stop = new AbortController()
      const balance = new Trunkline({ apiKey: "k", fetch }).wallet.balance({ signal: stop.signal })
      setTimeout(() => stop.abort(reason), 10)
      assert.strictEqual(await failure(balance), reason)
    }
  })
})
