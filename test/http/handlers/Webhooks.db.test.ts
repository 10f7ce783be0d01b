import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import type { DeliveryRecord, DeliveryWithBody, ListedDelivery } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { verifySignature } from "../../../src/layers/http-client/VerifySignature.ts"
import { DemoFile, layer as engine } from "../../support/Engine.ts"
import { answering, inTurn, receiver } from "../../support/Receiver.ts"
import { ask } from "../../support/HttpTester.ts"
import { busy, eventually, originate } from "../../support/EngineRequests.ts"

layer(engine, { excludeTestServices: true, timeout: "30 seconds" })("webhook subscriptions", (it) => {
  it.effect("sends the events of a call, and of no other, to its events_url", () =>
    Effect.gen(function* () {
      const { api_key: key } = yield* DemoFile
      const { received, requests, url } = yield* receiver(answering(204))
      const refused = yield* originate(busy, { events_url: "ftp://x/" })
      assert.deepStrictEqual([refused.status, refused.code], [422, "calls.invalid_callback_url"])
      const named = [yield* originate(busy, { events_url: url }), yield* originate(busy, { events_url: url })]
      const other = (yield* originate(busy)).body as CallRecord
      yield* received(4)
      // Its events must not come to the subscription of the next test.
      yield* eventually(
        "end of the call that names no URL",
        Effect.map(ask({ path: `/v1/calls/${other.id}`, key }), ({ body }) => (body as CallRecord).ended_at !== null)
      )
      const told = requests.map(({ body }) => JSON.parse(body) as { event_kind: string; payload: { id: string } })
      assert.deepStrictEqual(told.map(({ event_kind }) => event_kind).toSorted(), [
        "call.busy",
        "call.busy",
        "call.ringing",
        "call.ringing"
      ])
      assert.sameMembers(
        told.map(({ payload }) => payload.id),
        named.flatMap(({ body }) => [(body as CallRecord).id, (body as CallRecord).id])
      )
      const listed = (yield* ask({ path: "/v1/webhooks", key })).body as Array<{
        id: string
        source: string
        url: string
      }>
      const [subscription, ...more] = listed.filter(({ source }) => source === "call")
      assert.deepStrictEqual([subscription!.url, more.length], [url, 0])
      const replay = { path: `/v1/webhooks/${subscription!.id}/replay`, key, headers: { "idempotency-key": "again" } }
      const span = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" }
      const first = yield* ask({ ...replay, body: span })
      assert.deepStrictEqual([first.status, (first.body as { queued: number }).queued], [202, 0])
      assert.strictEqual((yield* ask({ ...replay, body: span })).text, first.text)
      assert.strictEqual(
        (yield* ask({ ...replay, body: { ...span, from: "yesterday" }, headers: {} })).code,
        "validation.bad_request"
      )
      yield* ask({ path: `/v1/webhooks/${subscription!.id}`, method: "DELETE", key })
    })
  )

  it.effect(
    "manages a subscription from its first test to its deletion",
    () =>
      Effect.gen(function* () {
        const { api_key: key, other_workspace } = yield* DemoFile
        const hook = yield* receiver(inTurn(answering(204), answering(500), answering(500), answering(200)))
        const signers = (index: number) => {
          const { body, headers } = hook.requests[index]!
          const signature = String(headers["x-service-signature"])
          const now_seconds = Number(headers["webhook-timestamp"])
          return [secret, rotated.secret].map(
            (secret) => verifySignature({ body: Buffer.from(body), signature, secret, now_seconds }).ok
          )
        }
        const created = yield* ask({ path: "/v1/webhooks", key, body: { url: hook.url, events: ["call.busy"] } })
        const { id, secret } = created.body as { id: string; secret: string }
        const path = `/v1/webhooks/${id}`

        const rotation = {
          path: `${path}/rotate-secret`,
          method: "POST",
          key,
          headers: { "idempotency-key": "rotation" }
        }
        const answer = yield* ask(rotation)
        const rotated = answer.body as {
          id: string
          secret: string
          previous_expires_at: string
          requeued_deliveries: number
        }
        assert.deepStrictEqual([answer.status, rotated.id, rotated.requeued_deliveries], [200, id, 0])
        assert.strictEqual((yield* ask(rotation)).text, answer.text)

        const tested = yield* ask({ path: `${path}/test`, key, body: {}, headers: { "idempotency-key": "test" } })
        assert.deepInclude(tested.body as object, { http_status: 204, error: null })
        assert.strictEqual(
          (yield* ask({ path: `${path}/test`, key, body: {}, headers: { "idempotency-key": "test" } })).text,
          tested.text
        )
        assert.deepStrictEqual(
          [hook.requests.length, hook.requests[0]!.headers["x-service-event"], signers(0)],
          [1, "webhook.test", [true, true]]
        )

        yield* originate(busy)
        yield* hook.received(2)
        const list = Effect.map(
          ask({ path: `${path}/deliveries`, key }),
          ({ body }) => body as ReadonlyArray<ListedDelivery>
        )
        yield* eventually(
          "retrying",
          Effect.map(list, ([first]) => first?.status === "retrying")
        )
        const [first] = yield* list
        const one = `${path}/deliveries/${first!.id}`
        const { attempt_log, body, ...rest } = (yield* ask({ path: one, key })).body as DeliveryWithBody
        assert.deepStrictEqual(
          attempt_log.map(({ response_excerpt }) => response_excerpt),
          [""]
        )
        const listed = attempt_log.map(({ response_excerpt: _, ...attempt }) => attempt)
        assert.deepStrictEqual({ ...rest, attempt_log: listed }, first)
        assert.strictEqual(body, hook.requests[1]!.body)
        yield* ask({ path: `${one}/retry`, method: "POST", key })
        yield* hook.received(3)
        yield* eventually(
          "tried twice",
          Effect.map(list, ([first]) => first?.attempts === 2)
        )
        const again = { path: `${one}/retry`, method: "POST", key, headers: { "idempotency-key": "again" } }
        const retried = yield* ask(again)
        assert.deepStrictEqual([retried.status, (retried.body as DeliveryRecord).status], [202, "retrying"])
        yield* hook.received(4)
        yield* eventually(
          "succeeded",
          Effect.map(list, ([first]) => first?.status === "succeeded")
        )
        assert.strictEqual((yield* ask(again)).text, retried.text)
        assert.deepStrictEqual(signers(3), [true, true])
        const ended = yield* ask({ ...again, headers: {} })
        assert.deepStrictEqual([ended.status, ended.code], [409, "webhooks.delivery_not_retryable"])

        const patched = yield* ask({ path, method: "PATCH", key, body: { status: "paused", description: "quiet" } })
        assert.deepInclude(patched.body as object, { status: "paused", description: "quiet", events: ["call.busy"] })
        assert.deepStrictEqual((yield* ask({ path, key })).body, patched.body)
        const bad = yield* ask({ path, method: "PATCH", key, body: { status: "disabled" } })
        assert.deepStrictEqual([bad.status, bad.code], [400, "validation.bad_request"])

        const routes = [
          ["PATCH", path],
          ["DELETE", path],
          ["POST", `${path}/rotate-secret`],
          ["POST", `${path}/test`],
          ["GET", one],
          ["POST", `${one}/retry`]
        ] as const
        const send = (method: string, path: string, key: string) =>
          ask({ path, method, key, ...(method === "PATCH" && { body: {} }) })
        for (const [method, path] of routes) {
          const foreign = yield* send(method, path, other_workspace.api_key)
          assert.deepStrictEqual([foreign.status, foreign.code], [404, "webhooks.not_found"], `${method} ${path}`)
        }
        const removed = yield* ask({ path, method: "DELETE", key })
        assert.deepStrictEqual([removed.status, removed.text], [204, ""])
        for (const [method, path] of routes) {
          const gone = yield* send(method, path, key)
          assert.deepStrictEqual([gone.status, gone.code], [404, "webhooks.not_found"], `${method} ${path}`)
        }
      }),
    15_000
  )

  it.effect(
    "shows a subscription's secret once, and again for the same Idempotency-Key",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { api_key: key, other_workspace } = yield* DemoFile
        const create = {
          path: "/v1/webhooks",
          key,
          body: { url: "http://127.0.0.1:9/hook", events: ["call.*"] },
          headers: { "idempotency-key": "hook" }
        }
        const created = yield* ask(create)
        assert.strictEqual(created.status, 201)
        const { id, secret } = created.body as { id: string; secret: string }
        assert.match(secret, /^whsec_/)
        const replayed = yield* ask(create)
        assert.strictEqual(replayed.text, created.text)
        assert.strictEqual(replayed.headers.get("location"), created.headers.get("location"))
        assert.isNull(replayed.headers.get("x-sealed"))
        assert.notProperty((yield* ask({ path: `/v1/webhooks/${id}`, key })).body, "secret")
        const [stored] = yield* sql<{ readonly text: string }>`
        SELECT string_agg(k.body || k.headers::text, '') || string_agg(s.state::text, '') AS text
        FROM idempotency_keys k, webhook_subscriptions s`
        assert.notInclude(stored!.text, secret)
        for (const path of [`/v1/webhooks/${id}`, `/v1/webhooks/${id}/deliveries`]) {
          const foreign = yield* ask({ path, key: other_workspace.api_key })
          assert.deepStrictEqual([foreign.status, foreign.code], [404, "webhooks.not_found"])
        }
        const unknown = yield* ask({
          path: "/v1/webhooks",
          key,
          body: { url: "http://127.0.0.1:9/hook", events: ["call.nothing"] }
        })
        assert.deepStrictEqual([unknown.status, unknown.code], [422, "webhooks.event_unsupported"])
      }),
    15_000
  )
})
