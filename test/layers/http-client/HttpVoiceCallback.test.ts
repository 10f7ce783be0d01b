import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { FairSharesOptions } from "../../../src/domain/access/FairShares.ts"
import type { CallbackRequest, RawCallbackAttempt } from "../../../src/domain/calls/state/CallbackAttempt.ts"
import { default_policy } from "../../../src/domain/calls/policy/CallingPolicy.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { Ids } from "../../../src/domain/ports/engine/Ids.ts"
import { VoiceCallback } from "../../../src/domain/ports/calls/VoiceCallback.ts"
import type { TargetPolicy } from "../../../src/domain/targets/TargetUrl.ts"
import { HttpVoiceCallback } from "../../../src/layers/http-client/HttpVoiceCallback.ts"
import { verifySignature } from "../../../src/layers/http-client/VerifySignature.ts"
import { answering, type Behaviour, inTurn, receiver } from "../../support/Receiver.ts"
import { callId, gatewayId, workspaceId } from "../../support/Ids.ts"
import { noExtensions } from "../../../src/domain/credentials/Extension.ts"

const voice_secret = "whsec_dGhlIHZvaWNlIHNlY3JldA=="

const directory = Layer.succeed(Directory)({
  caughtUp: () => Effect.void,
  workspace: (id) =>
    Effect.succeed(
      id !== "w1" && id !== "neighbour"
        ? undefined
        : ({
            id,
            name: "One",
            status: "active",
            currency: "KES",
            tenant_pbx_id: "t1",
            gateway_id: gatewayId("g1"),
            voice_secret,
            calling_policy: default_policy,
            retention_days: 90,
            number_mode: "unset"
          } as const)
    ),
  workspaceOfPbx: () => Effect.succeed(undefined),
  number: () => Effect.succeed(undefined),
  numberOf: () => Effect.succeed(undefined),
  countries: () => Effect.succeed([]),
  extensions: () => Effect.succeed(noExtensions),
  trunk: () => Effect.succeed(undefined),
  rate: () => Effect.succeed(undefined)
})

const ids = Layer.succeed(Ids)({ named: (name) => name, uuid: () => "0199aaaa-0000-7000-8000-0000000000ff" })

const callbackWith = (policy: TargetPolicy, shares?: FairSharesOptions) =>
  Layer.fresh(HttpVoiceCallback({ policy, ...(shares && { shares }) })).pipe(Layer.provide([directory, ids]))
const callback = callbackWith({ allow_insecure: true, allow_private: true })
const shared = callbackWith(
  { allow_insecure: true, allow_private: true },
  { total: 3, each: 2, waiting: 2, wait_ms: 600_000 }
)
const strict = callbackWith({ allow_insecure: false, allow_private: true })

const hangup = `{"actions": [{"hangup": {}}]}`

const ask = (url: string, change: Partial<CallbackRequest> = {}) =>
  Effect.flatMap(VoiceCallback, (callback) =>
    callback.ask({
      url,
      fallback_url: null,
      workspace_id: workspaceId("w1"),
      call_id: callId("c1"),
      idempotency_key: "k1",
      body: `{"reason":"answered"}`,
      deadline_at: 10_000,
      ...change
    })
  )

const askOf = (behaviour: Behaviour) =>
  Effect.flatMap(receiver(behaviour), ({ url }) => ask(url)).pipe(Effect.provide(callback))

const failureOf = (behaviour: Behaviour) =>
  Effect.map(Effect.flip(askOf(behaviour)), ({ cause, http_status, pointer }) => ({ cause, http_status, pointer }))

const failed = (http_status: number | undefined) =>
  ({ cause: "callback_failed", http_status, pointer: undefined }) as const
const invalid = (pointer: string) => ({ cause: "voice_action_invalid", http_status: 200, pointer }) as const

describe("a voice callback over HTTP", () => {
  it.effect("sends a signed request with the call and a key, and returns the actions", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const { requests, url } = yield* receiver(answering(201, hangup))
      assert.deepStrictEqual(yield* ask(url), [{ hangup: {} }])
      const { body, headers } = requests[0]!
      assert.strictEqual(body, `{"reason":"answered"}`)
      assert.strictEqual(headers["x-service-call-id"], "c1")
      assert.strictEqual(headers["x-service-idempotency-key"], "k1")
      assert.strictEqual(headers["x-request-id"], "0199aaaa-0000-7000-8000-0000000000ff")
      const signature = String(headers["x-service-signature"])
      const verification = verifySignature({ body, signature, secret: voice_secret, now_seconds: 5 })
      assert.deepStrictEqual(verification, { ok: true, format: "timestamped" })
    }).pipe(Effect.provide(callback))
  )

  it.effect("fails on an invalid response, with a pointer to the error in the document", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* failureOf(answering(404)), failed(404))
      assert.deepStrictEqual(yield* failureOf(answering(500)), failed(500))
      assert.deepStrictEqual(yield* failureOf(answering(304)), failed(304))
      assert.deepStrictEqual(yield* failureOf(answering(200, "<Response/>")), invalid(""))
      assert.deepStrictEqual(yield* failureOf(answering(200, `{"actions":[{"sing":{}}]}`)), invalid("/actions/0/sing"))
      assert.deepStrictEqual(
        yield* failureOf(answering(200, `{"actions":[{"say":{"text":"a","pitch":1}}]}`)),
        invalid("/actions/0/say/pitch")
      )
    })
  )

  it.effect("accepts a response of 64 KiB and refuses a longer one", () =>
    Effect.gen(function* () {
      const padded = (bytes: number) => hangup + " ".repeat(bytes - hangup.length)
      assert.deepStrictEqual(yield* askOf(answering(200, padded(65_536))), [{ hangup: {} }])
      assert.deepStrictEqual(yield* failureOf(answering(200, padded(65_537))), invalid(""))
      assert.deepStrictEqual(yield* failureOf(answering(200, padded(66_560))), invalid(""))
    })
  )

  it.effect("retries once after a 5xx", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver(inTurn(answering(503), answering(200, hangup)))
      assert.deepStrictEqual(yield* ask(url), [{ hangup: {} }])
      assert.deepStrictEqual(
        requests.map(({ headers }) => headers["x-service-idempotency-key"]),
        ["k1", "k1"]
      )
      const broken = yield* receiver(answering(502))
      yield* Effect.flip(ask(broken.url))
      assert.strictEqual(broken.requests.length, 2)
      const refusing = yield* receiver(answering(400))
      yield* Effect.flip(ask(refusing.url))
      assert.strictEqual(refusing.requests.length, 1)
    }).pipe(Effect.provide(callback))
  )

  it.effect("uses the fallback URL when the callback cannot be reached or its response breaks off", () =>
    Effect.gen(function* () {
      const nobody = yield* Effect.scoped(receiver(answering(200)))
      const resetting = yield* receiver((_, response) => response.destroy())
      const fallback = yield* receiver(answering(200, hangup))
      assert.deepStrictEqual(yield* ask(nobody.url, { fallback_url: fallback.url }), [{ hangup: {} }])
      assert.deepStrictEqual(yield* ask(resetting.url, { fallback_url: fallback.url }), [{ hangup: {} }])
      assert.strictEqual(fallback.requests.length, 2)
    }).pipe(Effect.provide(callback))
  )

  it.effect("does not retry when three seconds or less are left", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver(answering(503))
      yield* TestClock.setTime(7_000)
      yield* Effect.flip(ask(url))
      assert.strictEqual(requests.length, 1)
    }).pipe(Effect.provide(callback))
  )

  it.effect("reports each request, also one that was not answered in time", () =>
    Effect.gen(function* () {
      const attempts: Array<RawCallbackAttempt> = []
      const attempted = (attempt: RawCallbackAttempt) => void attempts.push(attempt)
      const { url } = yield* receiver(inTurn(answering(503, "busy"), answering(200, hangup)))
      yield* ask(url, { attempted })
      const request = `{"reason":"answered"}`
      const sent = { url, at: 0, duration_ms: 0, request }
      assert.deepStrictEqual(attempts.splice(0), [
        { ...sent, http_status: 503, error: "The callback answered 503.", response: "busy" },
        { ...sent, http_status: 200, error: null, response: hangup }
      ])
      const nobody = yield* Effect.scoped(receiver(answering(200)))
      yield* Effect.flip(ask(nobody.url, { attempted }))
      assert.deepStrictEqual(
        attempts.splice(0).map(({ error, http_status, response }) => [http_status, error, response]),
        [
          [null, "connect_failed", null],
          [null, "connect_failed", null]
        ]
      )
      const silent = yield* receiver(() => {})
      const asking = yield* Effect.forkChild(Effect.flip(ask(silent.url, { attempted })))
      yield* silent.received(1)
      yield* TestClock.adjust(10_000)
      yield* Fiber.join(asking)
      assert.deepStrictEqual(attempts, [
        {
          ...sent,
          url: silent.url,
          duration_ms: 10_000,
          http_status: null,
          error: "No answer within the time for the callback.",
          response: null
        }
      ])
    }).pipe(Effect.provide(callback))
  )

  it.effect("ends at its deadline, which includes the fallback", () =>
    Effect.gen(function* () {
      const silent = yield* receiver(() => {})
      const asking = yield* Effect.forkChild(Effect.flip(ask(silent.url)))
      yield* silent.received(1)
      yield* TestClock.adjust(10_000)
      assert.strictEqual((yield* Fiber.join(asking)).cause, "callback_timeout")

      const broken = yield* receiver(answering(500))
      const dribbling = yield* receiver((_, response) => void response.writeHead(200).write("{"))
      const again = yield* Effect.forkChild(
        Effect.flip(ask(broken.url, { fallback_url: dribbling.url, deadline_at: 20_000 }))
      )
      yield* dribbling.received(1)
      yield* TestClock.adjust(9_999)
      assert.isUndefined(again.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(again)).cause, "callback_timeout")
    }).pipe(Effect.provide(callback))
  )

  it.effect("follows three redirects with the same request", () =>
    Effect.gen(function* () {
      const end = yield* receiver(answering(200, hangup))
      const via = (url: string, hops: number) =>
        receiver((request, response) => {
          const hop = Number(new URL(request.path, "http://x").searchParams.get("hop") ?? "1")
          answering(307, "", { location: hop < hops ? `?hop=${hop + 1}` : url })(request, response)
        })
      const three = yield* via(end.url, 3)
      assert.deepStrictEqual(yield* ask(three.url), [{ hangup: {} }])
      assert.strictEqual(end.requests[0]!.body, `{"reason":"answered"}`)
      const four = yield* via(end.url, 4)
      assert.deepInclude(yield* Effect.flip(ask(four.url)), { cause: "callback_failed", http_status: 307 })
    }).pipe(Effect.provide(callback))
  )

  it.effect("checks the first URL and the URL of each redirect", () =>
    Effect.gen(function* () {
      const end = yield* receiver(answering(200, hangup))
      for (const location of ["file:///etc/passwd", `http://user@127.0.0.1:${end.port}/`, "http://169.254.169.254/"]) {
        const { requests, url } = yield* receiver(answering(302, "", { location }))
        assert.strictEqual((yield* Effect.flip(ask(url))).cause, "callback_failed")
        assert.strictEqual(requests.length, 1)
        yield* Effect.flip(ask(location))
      }
      assert.strictEqual(end.connections(), 0)
    }).pipe(Effect.provide(callback))
  )

  it.effect("uses plain http only if the deployment allows it, or the URL is of a routing", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* receiver(answering(200, hangup))
      yield* Effect.flip(ask(url))
      assert.strictEqual(connections(), 0)
      assert.deepStrictEqual(yield* ask(url, { allow_http: true }), [{ hangup: {} }])
    }).pipe(Effect.provide(strict))
  )

  it.effect("follows no redirect to plain http, not even for a routing", () =>
    Effect.gen(function* () {
      const end = yield* receiver(answering(200, hangup))
      const { requests, url } = yield* receiver(answering(307, "", { location: end.url }))
      assert.strictEqual((yield* Effect.flip(ask(url, { allow_http: true }))).cause, "callback_failed")
      assert.strictEqual(requests.length, 1)
      assert.strictEqual(end.connections(), 0)
    }).pipe(Effect.provide(strict))
  )

  it.effect("of a workspace whose callbacks hang wait for each other, and hold up nobody else", () =>
    Effect.gen(function* () {
      const hangs = yield* receiver(() => {})
      const answers = yield* receiver(answering(200, hangup))
      const asking = yield* Effect.forEach([1, 2, 3, 4], () => Effect.forkChild(Effect.flip(ask(hangs.url))))
      yield* hangs.received(2)
      yield* Effect.yieldNow
      const { cause, detail } = yield* Effect.flip(ask(hangs.url))
      assert.deepStrictEqual(
        [cause, detail],
        ["callback_failed", "Too many questions to voice callbacks wait for their answers."]
      )
      yield* ask(answers.url, { workspace_id: workspaceId("neighbour") })
      assert.strictEqual(hangs.requests.length, 2)
      yield* TestClock.adjust(10_000)
      for (const each of asking) assert.strictEqual((yield* Fiber.join(each)).cause, "callback_timeout")
      yield* ask(answers.url, { deadline_at: 20_000 })
    }).pipe(Effect.provide(shared))
  )

  it.effect("sends no request for an unknown workspace", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* receiver(answering(200, hangup))
      yield* Effect.flip(ask(url, { workspace_id: workspaceId("w2") }))
      assert.strictEqual(connections(), 0)
    }).pipe(Effect.provide(callback))
  )
})
