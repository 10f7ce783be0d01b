import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { WebhookSender } from "../../../src/domain/ports/webhooks/WebhookSender.ts"
import { HttpWebhookSender, retryAfter_ms } from "../../../src/layers/http-client/HttpWebhookSender.ts"
import { verifySignature } from "../../../src/layers/http-client/VerifySignature.ts"
import { answering, type Behaviour, inTurn, receiver } from "../../support/Receiver.ts"
import { workspaceId } from "../../support/Ids.ts"
import type { WebhookRequest } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { untilHolds } from "../../support/Until.ts"

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`

const request = (url: string): WebhookRequest => ({
  workspace_id: workspaceId("0199aaaa-0000-7000-8000-00000000000a"),
  url,
  receiver: "healthy",
  proven: true,
  delivery_id: "0199aaaa-0000-7000-8000-000000000001",
  event_kind: "call.completed",
  body: `{"payload": {"name": "Zoë ☎", "gap":   1}}`,
  signature_format: "timestamped",
  secrets: [secret]
})

const sender = Layer.fresh(HttpWebhookSender({ policy: { allow_insecure: true, allow_private: true } }))

const send = (url: string, change: Partial<WebhookRequest> = {}) =>
  Effect.flatMap(WebhookSender, (sender) => sender.send({ ...request(url), ...change }))

const sendTo = (behaviour: Behaviour) =>
  Effect.gen(function* () {
    const { url } = yield* receiver(behaviour)
    return yield* send(url)
  }).pipe(Effect.provide(sender))

/** Sends, waits until the receiver has the request, then advances the clock. */
const sendAndWait = (behaviour: Behaviour, ms: number) =>
  Effect.gen(function* () {
    const { received, url } = yield* receiver(behaviour)
    const sending = yield* Effect.forkChild(send(url))
    yield* received(1)
    yield* TestClock.adjust(ms)
    return yield* Fiber.join(sending)
  }).pipe(Effect.provide(sender))

describe("a delivery over HTTP", () => {
  it.effect("has the documented headers and those of Standard Webhooks, with a new signature for each attempt", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_800_000_000_000)
      const { requests, url } = yield* receiver(answering(200, "thanks"))
      const first = yield* send(url)
      yield* TestClock.adjust(2_000)
      yield* send(url)
      assert.deepStrictEqual(first, {
        at: 1_800_000_000_000,
        duration_ms: 0,
        http_status: 200,
        error: null,
        response_excerpt: "thanks",
        retry_after_ms: null
      })
      const [one, two] = requests
      assert.strictEqual(one!.method, "POST")
      assert.strictEqual(one!.body, request(url).body)
      assert.strictEqual(one!.headers["x-service-event"], "call.completed")
      assert.strictEqual(one!.headers["x-service-idempotency-key"], request(url).delivery_id)
      assert.strictEqual(one!.headers["webhook-id"], request(url).delivery_id)
      assert.strictEqual(one!.headers["webhook-timestamp"], "1800000000")
      assert.strictEqual(one!.headers["content-type"], "application/json")
      const signature = String(one!.headers["x-service-signature"])
      const verified = { body: one!.body, signature, secret, now_seconds: 1_800_000_000 }
      assert.deepStrictEqual(verifySignature(verified), { ok: true, format: "timestamped" })
      assert.notStrictEqual(two!.headers["x-service-signature"], signature)
      assert.match(String(two!.headers["x-service-signature"]), /^t=1800000002,v1=/)
    }).pipe(Effect.provide(sender))
  )

  it.effect("signs only the body if the subscription chose that format", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* receiver(answering(204))
      const outcome = yield* send(url, { signature_format: "body_hex" })
      assert.strictEqual(outcome.http_status, 204)
      const signature = String(requests[0]!.headers["x-service-signature"])
      const verification = verifySignature({ body: requests[0]!.body, signature, secret, now_seconds: 0 })
      assert.deepStrictEqual(verification, { ok: true, format: "body_hex" })
    }).pipe(Effect.provide(sender))
  )

  it.effect("returns the status and the response body, for every status", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* sendTo(answering(500, "broken")), {
        http_status: 500,
        error: null,
        response_excerpt: "broken"
      })
      assert.deepInclude(yield* sendTo(answering(410)), { http_status: 410, error: null })
      assert.deepInclude(yield* sendTo(answering(429, "", { "retry-after": "17" })), {
        http_status: 429,
        retry_after_ms: 17_000
      })
    })
  )

  it.effect("waits for the final status after an informational one", () =>
    Effect.gen(function* () {
      const hints: Behaviour = (_, response) => {
        response.writeEarlyHints({ link: "</a>; rel=preload" })
        response.writeHead(202).end("later")
      }
      assert.deepInclude(yield* sendTo(hints), { http_status: 202, response_excerpt: "later", error: null })
    })
  )

  it.effect("follows no redirect", () =>
    Effect.gen(function* () {
      const elsewhere = yield* receiver(answering(200))
      const outcome = yield* sendTo(answering(302, "", { location: elsewhere.url }))
      assert.strictEqual(outcome.http_status, 302)
      assert.strictEqual(elsewhere.connections(), 0)
    })
  )

  it.effect("is not sent to an address that the deployment does not allow", () =>
    Effect.gen(function* () {
      const { connections, port, url } = yield* receiver(answering(200))
      assert.deepInclude(yield* send(`http://user@127.0.0.1:${port}/`), { error: "address_refused" })
      const strict = Layer.fresh(HttpWebhookSender({ policy: { allow_insecure: false, allow_private: true } }))
      assert.deepInclude(yield* Effect.provide(send(url), strict), { error: "address_refused" })
      assert.strictEqual(connections(), 0)
    }).pipe(Effect.provide(sender))
  )

  it.effect("returns at most 4 KiB of the response", () =>
    Effect.map(sendTo(answering(200, "x".repeat(60_000))), (outcome) =>
      assert.strictEqual(outcome.response_excerpt?.length, 4_096)
    )
  )

  it.effect("stops reading a huge response, and the next request succeeds", () =>
    Effect.gen(function* () {
      let sent = 0
      const huge: Behaviour = (_, response) => {
        response.writeHead(200)
        const chunk = Buffer.alloc(65_536, "x")
        const more = () => {
          while (sent < 10 * 1_048_576 && !response.destroyed) {
            sent += chunk.length
            if (!response.write(chunk)) return void response.once("drain", more)
          }
          response.end()
        }
        more()
      }
      const { url } = yield* receiver(inTurn(huge, answering(200, "small")))
      const outcome = yield* send(url)
      assert.deepInclude(outcome, { http_status: 200, error: null })
      assert.deepInclude(yield* send(url), { http_status: 200, response_excerpt: "small" })
      assert.isBelow(sent, 9 * 1_048_576)
    }).pipe(Effect.provide(sender))
  )

  it.effect("reports a connection that is reset before or during the response", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* sendTo((_, response) => response.destroy()), {
        http_status: null,
        error: "connection_lost"
      })
      const half: Behaviour = (_, response) => {
        response.writeHead(200, { "content-length": "100" }).write("half")
        setImmediate(() => response.destroy())
      }
      assert.deepInclude(yield* sendTo(half), { http_status: null, error: "connection_lost" })
    })
  )

  it.effect("reports a refused connection", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(receiver(answering(200)))
      assert.deepInclude(yield* send(url), { http_status: null, error: "connect_failed" })
    }).pipe(Effect.provide(sender))
  )

  it.effect("reports a response that is not HTTP", () =>
    Effect.gen(function* () {
      const server = createServer((socket) => socket.on("error", () => {}).end("SSH-2.0-OpenSSH_9.2\r\n"))
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => server.close())
      )
      const { port } = server.address() as AddressInfo
      assert.deepInclude(yield* send(`http://127.0.0.1:${port}/`), { http_status: null, error: "connection_lost" })
    }).pipe(Effect.provide(sender))
  )

  it.effect("closes the connection if the receiver has not answered after 15 seconds", () =>
    Effect.gen(function* () {
      let closed = false
      const outcome = yield* sendAndWait((_, response) => {
        response.on("close", () => {
          closed = true
        })
      }, 15_000)
      assert.deepInclude(outcome, { http_status: null, error: "timeout", duration_ms: 15_000 })
      yield* untilHolds("closed connection", () => closed, { every_ms: 0 })
    })
  )

  it.effect("allows 15 seconds in total for a response that arrives byte by byte", () =>
    Effect.gen(function* () {
      const outcome = yield* sendAndWait((_, response) => {
        response.writeHead(200, { "content-length": "1000" }).write("o")
      }, 15_000)
      assert.deepInclude(outcome, { error: "timeout" })
    })
  )

  it.effect("is not delayed by another receiver that never answers", () =>
    Effect.gen(function* () {
      const hole = yield* receiver(() => {})
      const healthy = yield* receiver(answering(200))
      const stuck = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 50 }, () => send(hole.url, { receiver: "hole" })),
          { concurrency: 50 }
        )
      )
      yield* hole.received(18)
      assert.deepInclude(yield* send(healthy.url), { http_status: 200 })
      yield* Fiber.interrupt(stuck)
    }).pipe(Effect.provide(sender))
  )

  it.effect("is not delayed by many stuck requests to the same host", () =>
    Effect.gen(function* () {
      const host = yield* receiver((request, response) =>
        request.path === "/ok" ? void response.writeHead(204).end() : undefined
      )
      const stuck = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 400 }, (_, index) =>
            send(host.url, {
              workspace_id: workspaceId(`0199aaaa-0000-7000-8000-0000000000${10 + (index % 4)}`),
              receiver: `hole ${index}`
            })
          ),
          { concurrency: "unbounded" }
        )
      )
      yield* host.received(220)
      assert.deepInclude(yield* send(host.url.replace("/hook", "/ok")), { http_status: 204 })
      yield* Fiber.interrupt(stuck)
    }).pipe(Effect.provide(sender))
  )

  it.effect("reuses connections", () =>
    Effect.gen(function* () {
      const { connections, url } = yield* receiver(answering(200, "ok"))
      for (let round = 0; round < 20; round++) yield* send(url)
      // A connection may not be free yet when the next request needs one.
      assert.isAtMost(connections(), 2)
    }).pipe(Effect.provide(sender))
  )
})

it("reads Retry-After as seconds and as a date", () => {
  const now = Date.UTC(2026, 9, 1)
  assert.strictEqual(retryAfter_ms("120", now), 120_000)
  assert.strictEqual(retryAfter_ms("Thu, 01 Oct 2026 00:01:00 GMT", now), 60_000)
  assert.strictEqual(retryAfter_ms("Wed, 30 Sep 2026 00:01:00 GMT", now), 0)
  for (const long of ["7200", "9999999999", "9".repeat(400), "Thu, 01 Oct 2099 00:00:00 GMT"])
    assert.isAtLeast(retryAfter_ms(long, now)!, 7_200_000, long)
  assert.strictEqual(retryAfter_ms("soon", now), null)
  assert.strictEqual(retryAfter_ms(undefined, now), null)
})

it.live(
  "takes a hundred sockets at most for the receivers of a workspace that hang, and sends to others meanwhile",
  () =>
    Effect.gen(function* () {
      const blackHole = yield* receiver(() => {})
      const healthy = yield* receiver(answering(204))
      const hanging = Array.from({ length: 150 }, (_, n) => send(blackHole.url, { receiver: `hole ${n}` }))
      const stuck = yield* Effect.forkChild(Effect.all(hanging, { concurrency: "unbounded" }), {
        startImmediately: true
      })
      yield* blackHole.received(90)
      const other = { workspace_id: workspaceId("0199aaaa-0000-7000-8000-00000000000b") }
      // A further connection to the black hole would have been opened before these have their answers.
      for (let sent = 0; sent < 10; sent++) assert.deepInclude(yield* send(healthy.url, other), { http_status: 204 })
      assert.isAtMost(blackHole.connections(), 100)
      yield* Fiber.interrupt(stuck)
    }).pipe(Effect.scoped, Effect.provide(sender))
)
