import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Origin } from "../../../src/domain/access/Origin.ts"
import type { Failure } from "../../../src/domain/errors/Failure.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { answered, engine, happen, makeReceiver } from "../../support/WebhookEngine.ts"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { workspaceId } from "../../support/Ids.ts"

const origin: Origin = {
  actor: { type: "api_key", id: "k1", label: null },
  ip: "203.0.113.7",
  user_agent: "test",
  request_id: "r1"
}
const request = { url: "https://example.com/hook", events: ["call.*"] }
const span = { from: "1970-01-01T00:00:00Z", to: "1970-01-02T00:00:00Z" }

/** A successful delivery, a dead letter and one that is in flight. */
const threeEnds = Effect.gen(function* () {
  const memory = yield* MemoryJournal.make
  let status = 200
  const receiver = makeReceiver(() => Effect.succeed(answered(status)))
  const { system, webhooks } = yield* engine(memory, receiver.layer)
  const { record } = yield* webhooks.create(workspaceId("w1"), request, { origin })
  const good = yield* happen(memory, { kind: "call.busy" })
  yield* system.drain
  status = 410
  const bad = yield* happen(memory)
  yield* system.drain
  yield* webhooks.change(workspaceId("w1"), record.id, { status: "active" }, { origin })
  status = 500
  const waiting = yield* happen(memory)
  yield* system.drain
  status = 200
  const told = () => receiver.sent.map(({ body }) => (JSON.parse(body) as { id: string }).id)
  assert.deepStrictEqual(told(), [good, bad, waiting])
  return { memory, system, webhooks, id: record.id, receiver, told, good, bad, waiting }
})

describe("a replay", () => {
  it.effect("sends dead letters again, each as a new delivery of the same event", () =>
    Effect.gen(function* () {
      const { bad, id, memory, receiver, system, told, webhooks } = yield* threeEnds
      const answer = yield* webhooks.replay(workspaceId("w1"), id, span, { origin })
      assert.deepInclude(answer, { queued: 1, next_from: null })
      yield* system.drain
      assert.deepStrictEqual(told().slice(3), [bad])
      assert.notStrictEqual(receiver.sent[3]!.delivery_id, receiver.sent[1]!.delivery_id)
      const shown = yield* webhooks.deliveries(workspaceId("w1"), id, {}, { limit: 10 })
      assert.deepStrictEqual(
        shown
          .filter(({ event_id }) => event_id === bad)
          .map(({ status }) => status)
          .toSorted(),
        ["dead_letter", "succeeded"]
      )
      const line = memory.tables.audit.at(-1)!
      assert.deepInclude(line, { action_kind: "webhook.replayed", target_id: id, ip: "203.0.113.7", request_id: "r1" })
      assert.deepStrictEqual(JSON.parse(line.after!), answer)
    })
  )

  it.effect("with `all` repeats successful deliveries too, and skips running ones", () =>
    Effect.gen(function* () {
      const { bad, good, id, system, told, webhooks } = yield* threeEnds
      assert.deepInclude(yield* webhooks.replay(workspaceId("w1"), id, { ...span, only: "all" }), { queued: 2 })
      yield* system.drain
      assert.deepStrictEqual(told().slice(3).toSorted(), [good, bad].toSorted())
    })
  )

  it.effect("is limited to the requested kinds and period", () =>
    Effect.gen(function* () {
      const { good, id, system, told, webhooks } = yield* threeEnds
      const replay = (change: object) => webhooks.replay(workspaceId("w1"), id, { ...span, only: "all", ...change })
      assert.deepInclude(yield* replay({ event_kinds: ["call.failed"] }), { queued: 0 })
      assert.deepInclude(yield* replay({ from: "1970-01-01T00:00:01Z" }), { queued: 0 })
      assert.deepInclude(yield* replay({ event_kinds: ["call.busy"] }), { queued: 1 })
      yield* system.drain
      assert.deepStrictEqual(told().slice(3), [good])
    })
  )

  it.effect("refuses an invalid period and subscriptions of other workspaces", () =>
    Effect.gen(function* () {
      const { id, webhooks } = yield* threeEnds
      const refused = (workspace_id: WorkspaceId, request: { from: string; to: string }) =>
        Effect.map(Effect.flip(webhooks.replay(workspace_id, id, request)), (error) => {
          const { _tag, details } = error as Failure
          return [_tag, details?.[0]?.field, details?.[0]?.code]
        })
      assert.deepStrictEqual(yield* refused(workspaceId("w1"), { from: span.to, to: span.from }), [
        "validation.bad_request",
        "/to",
        "not_after_from"
      ])
      assert.deepStrictEqual(yield* refused(workspaceId("w1"), { ...span, to: "1970-03-01T00:00:00Z" }), [
        "validation.bad_request",
        "/to",
        "too_long"
      ])
      assert.deepStrictEqual(yield* refused(workspaceId("w2"), span), ["webhooks.not_found", undefined, undefined])
    })
  )

  it.effect("stores its response for a repeated request", () =>
    Effect.gen(function* () {
      const { id, memory, webhooks } = yield* threeEnds
      const idempotency = {
        workspace_id: workspaceId("w1"),
        method: "POST",
        route: "/v1/webhooks/:id/replay",
        key: "k",
        fingerprint: "f"
      }
      const answer = yield* webhooks.replay(workspaceId("w1"), id, span, { origin, idempotency })
      const [kept] = memory.tables.idempotency.values()
      assert.deepStrictEqual([kept!.status, JSON.parse(kept!.body)], [202, answer])
      assert.deepInclude(yield* Effect.flip(webhooks.replay(workspaceId("w1"), id, span, { origin, idempotency })), {
        reason: "duplicate"
      })
      assert.strictEqual(memory.tables.deliveries.size, 4)
    })
  )
})

describe("a delivery that is being attempted", () => {
  it.effect("is shown, and can be filtered, as in_flight", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.delay(Effect.succeed(answered(200)), 1_000))
      const { webhooks } = yield* engine(memory, receiver.layer)
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      yield* happen(memory)
      yield* TestClock.adjust(500)
      const [shown] = yield* webhooks.deliveries(workspaceId("w1"), record.id, {}, { limit: 10 })
      assert.strictEqual(shown!.status, "in_flight")
      assert.strictEqual((yield* webhooks.delivery(workspaceId("w1"), record.id, shown!.id)).status, "in_flight")
      const count = (status: string) =>
        Effect.map(webhooks.deliveries(workspaceId("w1"), record.id, { status }, { limit: 10 }), ({ length }) => length)
      assert.deepStrictEqual([yield* count("in_flight"), yield* count("pending")], [1, 0])
      yield* TestClock.adjust(500)
      assert.deepStrictEqual([yield* count("in_flight"), yield* count("succeeded")], [0, 1])
    })
  )
})

it.effect("every change of a subscription has an audit row without the secret", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { webhooks } = yield* engine(memory, makeReceiver(() => Effect.succeed(answered(200))).layer)
    const { record, secret } = yield* webhooks.create(workspaceId("w1"), request, { origin })
    yield* webhooks.change(workspaceId("w1"), record.id, {}, { origin })
    yield* webhooks.change(workspaceId("w1"), record.id, { description: "CRM" }, { origin })
    yield* webhooks.rotateSecret(workspaceId("w1"), record.id, 60, { origin })
    yield* webhooks.remove(workspaceId("w1"), record.id, { origin })
    const lines = memory.tables.audit
    const shape = lines.map(({ action_kind, after, before }) => [action_kind, before !== null, after !== null])
    assert.deepStrictEqual(shape, [
      ["webhook.created", false, true],
      ["webhook.updated", true, true],
      ["webhook.secret_rotated", false, true],
      ["webhook.deleted", true, false]
    ])
    assert.deepStrictEqual(JSON.parse(lines[0]!.after!), record)
    assert.strictEqual(JSON.parse(lines[1]!.after!).description, "CRM")
    assert.isTrue(lines.every(({ actor, workspace_id }) => workspace_id === "w1" && JSON.parse(actor).id === "k1"))
    assert.notInclude(JSON.stringify(lines), secret.slice(6))
  })
)
