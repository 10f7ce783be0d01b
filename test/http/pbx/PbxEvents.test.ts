import { createHmac } from "node:crypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest, HttpRouter } from "effect/http"
import { TestClock } from "effect/testing"
import { TenantEvents } from "../../../src/actors/ingest/TenantEvents.ts"
import { InboundCalls } from "../../../src/actors/ingest/InboundCalls.ts"
import { PbxIngest } from "../../../src/actors/ingest/PbxIngest.ts"
import type { RateLimited } from "../../../src/domain/errors/GeneralErrors.ts"
import type { PbxEvent } from "../../../src/domain/pbx/PbxEvent.ts"
import { receivePbxEvents } from "../../../src/http/pbx/PbxEvents.ts"
import { SharedCounts } from "../../../src/domain/ports/engine/SharedCounts.ts"
import { RequestTimeout } from "../../../src/http/request/RequestDeadline.ts"
import { RateLimits } from "../../../src/http/request/RateLimits.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as SharedSecret from "../../../src/layers/pbx/SharedSecret.ts"
import { actors, directory, liveCalls, notingCalls, pbxEvent } from "../../support/PbxWorld.ts"
import { until } from "../../support/Until.ts"

const secret = "s3cret"
/** Gateway g2, which carries tenant t2, has a secret of its own. */
const gateways = new Map([["g2", Redacted.make("s3cret-of-g2")]])

interface Sent {
  readonly body: string
  readonly headers?: Record<string, string>
}

type Post = (sent: Sent | object) => Effect.Effect<{ readonly status: number; readonly body: Record<string, unknown> }>

const signature = (body: string, t: number, key = secret): string =>
  `t=${t},v1=${createHmac("sha256", key).update(`${body}.${t}`).digest("hex")}`

const test = (
  name: string,
  body: (post: Post, journal: MemoryJournal) => Effect.Effect<void, RateLimited, RateLimits>,
  signature_required = false
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const calls = notingCalls([])
      const route = HttpRouter.use((router) =>
        Effect.flatMap(receivePbxEvents(), (events) => router.add("POST", "/events", events))
      )
      const server = HttpRouter.serve(route, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provide([
          Layer.succeed(RequestTimeout)({ timeout_ms: 15_000 }),
          SharedSecret.layer({ secret: Redacted.make(secret), gateways, signature_required }),
          PbxIngest.layer.pipe(
            Layer.provide([actors(journal, calls), directory, liveCalls, TenantEvents.none, InboundCalls.none])
          )
        ]),
        Layer.provideMerge(RateLimits.on.pipe(Layer.provide(SharedCounts.none))),
        Layer.provideMerge(NodeHttpServer.layerTest)
      )
      yield* Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        const post: Post = (given) => {
          const sent = "body" in given ? (given as Sent) : { body: JSON.stringify(given) }
          return HttpClientRequest.post("/events").pipe(
            HttpClientRequest.setHeaders(sent.headers ?? { authorization: `Bearer ${secret}` }),
            HttpClientRequest.bodyText(sent.body, "application/json"),
            client.execute,
            Effect.flatMap((response) =>
              Effect.map(response.json, (json) => ({ status: response.status, body: json as Record<string, unknown> }))
            ),
            Effect.orDie
          )
        }
        yield* body(post, journal)
      }).pipe(Effect.provide(server))
    })
  )

const codeOf = ({ body, status }: { readonly status: number; readonly body: Record<string, unknown> }) => {
  const error = body["error"] as { code: string; details?: ReadonlyArray<{ field: string }> }
  return [status, error.code, ...(error.details ?? []).map(({ field }) => field)]
}

describe("events over HTTP", () => {
  test("one or many are counted", (post) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* post(pbxEvent(1)), {
        status: 202,
        body: { accepted: 1, duplicate: 0, ignored_late: 0 }
      })
      assert.deepStrictEqual(
        yield* post({ events: [pbxEvent(1), pbxEvent(2, { seq: 2 }), pbxEvent(3, { seq: 101 })] }),
        {
          status: 202,
          body: { accepted: 1, duplicate: 1, ignored_late: 1 }
        }
      )
    }))

  test("only the event of an unknown workspace is refused, and it is named", (post) =>
    Effect.gen(function* () {
      const stray = pbxEvent(2, { tenant_pbx_id: "nobody" })
      assert.deepStrictEqual(codeOf(yield* post(stray)), [404, "pbx.unknown_workspace"])
      const { body, status } = yield* post({ events: [pbxEvent(1), stray] })
      assert.strictEqual(status, 202)
      assert.strictEqual(body["accepted"], 1)
      assert.deepInclude((body["refused"] as ReadonlyArray<object>)[0], {
        event_id: stray.event_id,
        code: "pbx.unknown_workspace"
      })
    }))

  test("an event that cannot be stored is requested again", (post, journal) =>
    Effect.gen(function* () {
      journal.failNext()
      assert.deepStrictEqual(codeOf(yield* post(pbxEvent(1))), [503, "pbx.ingest_failed"])
      assert.strictEqual((yield* post(pbxEvent(1))).status, 202)
    }))

  test("an event that is not stored in time is requested again", (post, journal) =>
    Effect.gen(function* () {
      journal.hold()
      const late = yield* Effect.forkChild(post(pbxEvent(1)))
      const waits = Effect.map(TestClock.adjust("15 seconds"), () => late.pollUnsafe() === undefined)
      yield* until("answer", waits, (is_waiting) => !is_waiting)
      assert.deepStrictEqual(codeOf(yield* Fiber.join(late)), [503, "pbx.ingest_failed"])
      journal.release()
    }))

  test("all faults of an invalid body are reported at once", (post) =>
    Effect.gen(function* () {
      const { seq: _, ...withoutSeq } = pbxEvent(1)
      const bad = (fields: Partial<Record<keyof PbxEvent, unknown>>) => ({ ...pbxEvent(1), ...fields })
      const failed = "pbx.payload_decode_failed"
      const rows: ReadonlyArray<[object, ReadonlyArray<unknown>]> = [
        [{ body: "" }, [400, failed, ""]],
        [{ body: "{" }, [400, failed, ""]],
        [{ body: "[]" }, [400, failed, ""]],
        [withoutSeq, [400, failed, "/seq"]],
        [bad({ event_id: "7" }), [400, failed, "/event_id"]],
        [bad({ occurred_at: "0000-01-01T00:00:00Z" }), [400, failed, "/occurred_at"]],
        [bad({ type: "leg.danced" }), [400, failed, "/type"]],
        [bad({ session_id: "HD" }), [400, failed, "/session_id"]],
        [bad({ occurred_at: "2026-13-45T25:00:00Z" }), [400, failed, "/occurred_at"]],
        [bad({ occurred_at: "today" }), [400, failed, "/occurred_at"]],
        [bad({ data: { digit: "1\0" } }), [400, failed, "/data/digit"]],
        [bad({ data: { attestation: "D" } }), [400, failed, "/data/attestation"]],
        [bad({ data: { attestation: { level: "A" } } }), [400, failed, "/data/attestation"]],
        [{ events: [] }, [400, failed, "/events"]],
        [{ events: Array.from({ length: 101 }, (_, n) => pbxEvent(n)) }, [400, failed, "/events"]],
        [{ events: {} }, [400, failed, "/events"]],
        [{ events: [pbxEvent(1), bad({ seq: 0 }), null] }, [400, failed, "/events/1/seq", "/events/2"]]
      ]
      for (const [sent, expected] of rows)
        assert.deepStrictEqual(codeOf(yield* post(sent)), expected, JSON.stringify(sent))
    }))

  test("a body over 256 KiB is not read", (post) =>
    Effect.gen(function* () {
      const large = JSON.stringify({ ...pbxEvent(1), padding: "x".repeat(256 * 1024) })
      assert.deepStrictEqual(codeOf(yield* post({ body: large })), [413, "pbx.body_read_failed"])
    }))
})

describe("authentication of a gateway", () => {
  test("limits the rate of a gateway, without counting strangers", (post) =>
    Effect.gen(function* () {
      const { count } = yield* RateLimits
      for (let n = 0; n < 1999; n++) yield* count("pbx_ingest", "")
      const body = JSON.stringify(pbxEvent(1))
      yield* post({ body, headers: { authorization: "Bearer stranger" } })
      assert.strictEqual((yield* post({ body })).status, 202)
      assert.deepStrictEqual(codeOf(yield* post({ body })), [429, "rate_limited"])
    }))

  test("accepts the ingest secret", (post) =>
    Effect.gen(function* () {
      const body = JSON.stringify(pbxEvent(1))
      assert.deepStrictEqual(codeOf(yield* post({ body, headers: {} })), [401, "api_key.missing"])
      for (const authorization of [`Bearer ${secret}x`, secret, `Basic ${secret}`, "Bearer"]) {
        assert.deepStrictEqual(codeOf(yield* post({ body, headers: { authorization } })), [401, "api_key.invalid"])
      }
      assert.strictEqual((yield* post({ body, headers: { authorization: `bearer ${secret}` } })).status, 202)
    }))

  test("accepts a gateway with its own secret only by that secret and only for its tenants", (post) =>
    Effect.gen(function* () {
      const [first, second] = [pbxEvent(1), pbxEvent(2, { tenant_pbx_id: "t2" })]
      const by = (key: string, event: object, extra: Record<string, string> = {}) =>
        Effect.map(
          post({ body: JSON.stringify(event), headers: { authorization: `Bearer ${key}`, ...extra } }),
          (answer) => (answer.status === 202 ? 202 : codeOf(answer)[1])
        )
      const unknown = "pbx.unknown_workspace"
      assert.deepStrictEqual([yield* by(secret, first), yield* by(secret, second)], [202, unknown])
      assert.deepStrictEqual([yield* by("s3cret-of-g2", first), yield* by("s3cret-of-g2", second)], [unknown, 202])
      const signed = (key: string) => ({ "x-pbx-signature": signature(JSON.stringify(second), 0, key) })
      assert.strictEqual(yield* by("s3cret-of-g2", second, signed("s3cret-of-g2")), 202)
      assert.strictEqual(yield* by("s3cret-of-g2", second, signed(secret)), "api_key.invalid")
    }))

  const signed = (name: string, required: boolean) =>
    test(
      name,
      (post) =>
        Effect.gen(function* () {
          yield* TestClock.adjust("1000 seconds")
          const body = JSON.stringify(pbxEvent(1))
          const send = (value: string | undefined) =>
            post({
              body,
              headers: { authorization: `Bearer ${secret}`, ...(value !== undefined && { "x-pbx-signature": value }) }
            })
          for (const t of [700, 1000, 1300]) assert.strictEqual((yield* send(signature(body, t))).status, 202)
          const bad = [
            signature(body, 699),
            signature(body, 1301),
            signature(`${body} `, 1000),
            signature(body, 1000, "other"),
            signature(body, 1000).toUpperCase(),
            signature(body, 1000).slice(0, -1),
            "t=,v1=",
            "nonsense"
          ]
          for (const value of bad) assert.deepStrictEqual(codeOf(yield* send(value)), [401, "api_key.invalid"], value)
          assert.strictEqual((yield* send(undefined)).status, required ? 401 : 202)
        }),
      required
    )

  signed("a signature is of this body and of these 300 s, where there is one", false)
  signed("and there must be one where signatures are required", true)
})
