import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { systemContext } from "../../../src/actors/shared/RequestContext.ts"
import { NotifyAdmins } from "../../../src/actors/mail/NotifyAdmins.ts"
import { secretBody, openResponse } from "../../../src/actors/shared/SealedResponse.ts"
import { webhookSecret } from "../../../src/actors/webhooks/WebhookResponses.ts"
import type { Webhooks } from "../../../src/actors/webhooks/Webhooks.ts"
import type { Failure } from "../../../src/domain/errors/Failure.ts"
import type { SubscriptionPatch, SubscriptionRequest } from "../../../src/domain/webhooks/SubscriptionRecord.ts"
import { SubscriptionReads } from "../../../src/domain/ports/webhooks/SubscriptionReads.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { makeVault } from "../../../src/layers/keyring/AesVault.ts"
import { subscriptionReads } from "../../../src/layers/memory/MemoryWebhookReads.ts"
import { answered, engine, happen, makeReceiver, master } from "../../support/WebhookEngine.ts"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { numberId, subscriptionId, workspaceId } from "../../support/Ids.ts"

const request: SubscriptionRequest = { url: "https://example.com/hook", events: ["call.*"] }

const start = Effect.gen(function* () {
  const memory = yield* MemoryJournal.make
  const receiver = makeReceiver(() => Effect.succeed(answered(200)))
  return { memory, ...(yield* engine(memory, receiver.layer)) }
})

const refusal = (webhooks: Webhooks["Service"], change: Partial<SubscriptionRequest>) =>
  Effect.map(Effect.flip(webhooks.create(workspaceId("w1"), { ...request, ...change })), (error) => {
    const { _tag, details, reason } = error as Failure
    return [_tag, reason, details?.[0]?.field]
  })

describe("webhooks", () => {
  it.effect("are created with a secret that is shown once and stored sealed", () =>
    Effect.gen(function* () {
      const { memory, webhooks } = yield* start
      const { record, secret } = yield* webhooks.create(workspaceId("w1"), {
        ...request,
        description: "CRM",
        events: ["call.busy", "call.busy"]
      })
      assert.deepInclude(record, {
        url: request.url,
        description: "CRM",
        events: ["call.busy"],
        status: "active",
        secret_set: true
      })
      assert.match(secret, /^whsec_/)
      assert.notInclude(JSON.stringify([...memory.tables.snapshots.values()]), secret.slice(6))
      assert.deepStrictEqual(yield* webhooks.get(workspaceId("w1"), record.id), record)
      assert.deepStrictEqual(yield* webhooks.list(workspaceId("w1")), [record])
    })
  )

  it.effect("store the response for an Idempotency-Key and open it for a repeated request", () =>
    Effect.gen(function* () {
      const { memory, webhooks } = yield* start
      const key = { workspace_id: workspaceId("w1"), method: "POST", route: "/v1/webhooks", key: "k", fingerprint: "f" }
      const { record, secret } = yield* webhooks.create(workspaceId("w1"), request, {
        ...systemContext,
        idempotency: key
      })
      const [kept] = memory.tables.idempotency.values()
      assert.notInclude(JSON.stringify(kept), secret.slice(6))
      assert.strictEqual(
        openResponse(makeVault([master]), workspaceId("w1"), kept!).body,
        secretBody(record, webhookSecret, secret)
      )
      const again = yield* Effect.flip(
        webhooks.create(workspaceId("w1"), request, { ...systemContext, idempotency: key })
      )
      assert.deepInclude(again, { _tag: "NotCommitted", reason: "duplicate" })
      assert.strictEqual((yield* webhooks.list(workspaceId("w1"))).length, 1)
    })
  )

  it.effect("refuse URLs that are not allowed and events that do not exist", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* start
      const bad = "validation.bad_request"
      assert.deepStrictEqual(yield* refusal(webhooks, { url: "http://example.com/" }), [
        bad,
        "scheme_not_allowed",
        "/url"
      ])
      assert.deepStrictEqual(yield* refusal(webhooks, { url: "https://10.0.0.1/" }), [bad, "private_address", "/url"])
      assert.deepStrictEqual(yield* refusal(webhooks, { url: "https://a:b@example.com/" }), [bad, "user_info", "/url"])
      assert.deepStrictEqual(yield* refusal(webhooks, { url: "hook" }), [bad, "malformed", "/url"])
      assert.deepStrictEqual(yield* refusal(webhooks, { events: ["call.*", "transcript.*"] }), [
        "webhooks.event_unsupported",
        undefined,
        "/events/1"
      ])
      assert.deepStrictEqual(yield* refusal(webhooks, { events: [] }), [
        "webhooks.event_unsupported",
        undefined,
        "/events"
      ])
      assert.deepStrictEqual(yield* webhooks.list(workspaceId("w1")), [])
    })
  )

  it.effect("change the named members, under the same rules", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* start
      const { record } = yield* webhooks.create(workspaceId("w1"), { ...request, description: "CRM" })
      const number_ids = [numberId("0199aaaa-0000-7000-8000-000000000001")]
      const changed = yield* webhooks.change(workspaceId("w1"), record.id, {
        events: ["wallet.*"],
        filters: { number_ids }
      })
      assert.deepInclude(changed, { description: "CRM", events: ["wallet.*"], filters: { number_ids } })
      assert.deepStrictEqual(yield* webhooks.get(workspaceId("w1"), record.id), changed)
      const codeOf = (workspace_id: WorkspaceId, patch: SubscriptionPatch) =>
        Effect.map(Effect.flip(webhooks.change(workspace_id, record.id, patch)), ({ _tag }) => _tag)
      assert.strictEqual(yield* codeOf(workspaceId("w1"), { url: "https://10.0.0.1/" }), "validation.bad_request")
      assert.strictEqual(yield* codeOf(workspaceId("w1"), { events: ["call.nothing"] }), "webhooks.event_unsupported")
      assert.strictEqual(yield* codeOf(workspaceId("w2"), { description: "mine" }), "webhooks.not_found")
      assert.deepStrictEqual(yield* webhooks.get(workspaceId("w1"), record.id), changed)
    })
  )

  it.effect("are not found after their deletion, and no longer count", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* start
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      const codeOf = <A>(effect: Effect.Effect<A, { readonly _tag: string }>) =>
        Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
      assert.strictEqual(yield* codeOf(webhooks.remove(workspaceId("w2"), record.id)), "webhooks.not_found")
      yield* webhooks.remove(workspaceId("w1"), record.id)
      for (const effect of [
        webhooks.get(workspaceId("w1"), record.id),
        webhooks.remove(workspaceId("w1"), record.id),
        webhooks.change(workspaceId("w1"), record.id, {}),
        webhooks.rotateSecret(workspaceId("w1"), record.id, 0),
        webhooks.test(workspaceId("w1"), record.id, "webhook.test"),
        webhooks.deliveries(workspaceId("w1"), record.id, {}, { limit: 1 })
      ])
        assert.strictEqual(yield* codeOf<unknown>(effect), "webhooks.not_found")
      assert.deepStrictEqual(yield* webhooks.list(workspaceId("w1")), [])
    })
  )

  it.effect("are tested with one signed event that is not stored", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.delay(Effect.succeed(answered(418)), 30))
      const { webhooks } = yield* engine(memory, receiver.layer)
      const { record, secret } = yield* webhooks.create(workspaceId("w1"), request)
      const testing = yield* Effect.forkChild(webhooks.test(workspaceId("w1"), record.id, "call.busy"))
      yield* TestClock.adjust(30)
      const result = yield* Fiber.join(testing)
      const [sent] = receiver.sent
      assert.deepStrictEqual(result, { delivery_id: sent!.delivery_id, http_status: 418, duration_ms: 30, error: null })
      assert.deepInclude(sent, { event_kind: "call.busy", secrets: [secret], url: request.url })
      assert.deepInclude(JSON.parse(sent!.body), {
        event_kind: "call.busy",
        payload: { kind: "call.busy", test: true }
      })
      yield* TestClock.adjust(100_000)
      assert.strictEqual(receiver.sent.length, 1)
      assert.deepStrictEqual(yield* webhooks.deliveries(workspaceId("w1"), record.id, {}, { limit: 10 }), [])
      assert.strictEqual((yield* webhooks.get(workspaceId("w1"), record.id)).failing_since, null)
    })
  )

  it.effect("are limited to twenty in a workspace, even by concurrent requests", () =>
    Effect.gen(function* () {
      const { webhooks } = yield* start
      const results = yield* Effect.all(
        Array.from({ length: 25 }, () => Effect.result(webhooks.create(workspaceId("w1"), request))),
        { concurrency: "unbounded" }
      )
      const refused = results.filter((result) => result._tag === "Failure")
      assert.deepStrictEqual(
        refused.map(({ failure }) => failure._tag),
        Array(5).fill("webhooks.limit_reached")
      )
      yield* webhooks.create(workspaceId("w2"), request)
    })
  )

  it.effect("are created while a read for another workspace does not return", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const reads = Layer.effect(
        SubscriptionReads,
        Effect.map(SubscriptionReads, (reads) => ({
          ...reads,
          list: (workspace_id) => (workspace_id === workspaceId("w1") ? Effect.never : reads.list(workspace_id))
        }))
      ).pipe(Layer.provide(subscriptionReads(memory)))
      const receiver = makeReceiver(() => Effect.succeed(answered(200)))
      const { webhooks } = yield* engine(memory, receiver.layer, 1, NotifyAdmins.none, reads)
      yield* Effect.forkChild(webhooks.create(workspaceId("w1"), request), { startImmediately: true })
      const { record } = yield* webhooks.create(workspaceId("w2"), request)
      assert.deepStrictEqual(yield* webhooks.list(workspaceId("w2")), [record])
    })
  )

  it.effect("are not found by other workspaces", () =>
    Effect.gen(function* () {
      const { memory, system, webhooks } = yield* start
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      yield* happen(memory)
      yield* system.drain
      const codeOf = <A>(effect: Effect.Effect<A, Failure>) => Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
      assert.strictEqual(yield* codeOf(webhooks.get(workspaceId("w2"), record.id)), "webhooks.not_found")
      assert.strictEqual(
        yield* codeOf(webhooks.get(workspaceId("w1"), subscriptionId("not-a-uuid"))),
        "webhooks.not_found"
      )
      assert.strictEqual(
        yield* codeOf(webhooks.deliveries(workspaceId("w2"), record.id, {}, { limit: 10 })),
        "webhooks.not_found"
      )
      assert.deepStrictEqual(yield* webhooks.list(workspaceId("w2")), [])
      assert.strictEqual((yield* webhooks.deliveries(workspaceId("w1"), record.id, {}, { limit: 10 })).length, 1)
    })
  )

  it.effect("list deliveries by filter, page by page", () =>
    Effect.gen(function* () {
      const { memory, system, webhooks } = yield* start
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      for (let n = 0; n < 5; n++) yield* happen(memory, { kind: n === 2 ? "call.busy" : "call.completed" })
      yield* system.drain
      const page = (after?: { readonly at: number; readonly id: string }) =>
        webhooks.deliveries(
          workspaceId("w1"),
          record.id,
          { event_kind: "call.completed" },
          { limit: 3, ...(after && { after }) }
        )
      const first = yield* page()
      const last = first.at(-1)!
      const second = yield* page({ at: Date.parse(last.created_at), id: last.id })
      assert.deepStrictEqual([first.length, second.length], [3, 1])
      assert.strictEqual(new Set([...first, ...second].map(({ id }) => id)).size, 4)
      assert.deepStrictEqual(
        yield* webhooks.deliveries(workspaceId("w1"), record.id, { status: "dead_letter" }, { limit: 3 }),
        []
      )
    })
  )
})
