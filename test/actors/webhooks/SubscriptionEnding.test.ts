import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { type AdminNotification, NotifyAdmins } from "../../../src/actors/mail/NotifyAdmins.ts"
import { RateLimited } from "../../../src/domain/errors/GeneralErrors.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { answered, engine, happen, makeReceiver } from "../../support/WebhookEngine.ts"
import { workspaceId } from "../../support/Ids.ts"

const request = { url: "https://example.com/hook", events: ["call.*"] }
const minutes = 60_000
const hours = 60 * minutes

const rows = (memory: MemoryJournal) => [...memory.tables.deliveries.values()]

describe("the end of a subscription's deliveries", () => {
  it.effect("end when the receiver answers 410, and other subscriptions get webhook.disabled", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(({ url }) => Effect.succeed(answered(url.includes("gone") ? 410 : 200)))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const { record } = yield* webhooks.create(workspaceId("w1"), {
        ...request,
        url: "https://example.com/gone",
        events: ["*"]
      })
      yield* webhooks.create(workspaceId("w1"), { ...request, events: ["webhook.disabled"] })
      yield* webhooks.create(workspaceId("w2"), { ...request, events: ["*"] })
      yield* happen(memory)
      yield* system.drain
      assert.deepInclude(yield* webhooks.get(workspaceId("w1"), record.id), {
        status: "disabled",
        disabled_reason: "receiver_gone"
      })
      const told = receiver.sent.filter(({ event_kind }) => event_kind === "webhook.disabled")
      assert.strictEqual(told.length, 1)
      assert.deepInclude(JSON.parse(told[0]!.body).payload, {
        kind: "webhook.disabled",
        subscription_id: record.id,
        reason: "receiver_gone"
      })
      const before = receiver.sent.length
      yield* happen(memory)
      yield* system.drain
      assert.strictEqual(receiver.sent.length, before)
    })
  )

  it.effect("end when the subscription is deleted, however many they are", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver((_, attempt) =>
        attempt === 1 && receiver.sent.length <= 3 ? Effect.succeed(answered(500)) : Effect.never
      )
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      const { record: other } = yield* webhooks.create(workspaceId("w1"), {
        ...request,
        url: "https://example.com/other"
      })
      for (let n = 0; n < 1_200; n++) yield* happen(memory)
      yield* TestClock.adjust(1_000)
      yield* webhooks.remove(workspaceId("w1"), record.id)
      const before = receiver.sent.length
      yield* Effect.andThen(TestClock.adjust(1_000), Effect.timeoutOption(system.drain, 0))
      const mine = rows(memory).filter(({ subscription_id }) => subscription_id === record.id)
      assert.strictEqual(mine.length, 1_200)
      for (const { finished_at, last_error, next_attempt_at, status } of mine) {
        assert.deepStrictEqual([status, finished_at, next_attempt_at], ["dead_letter", 1_000, null])
        assert.deepStrictEqual(JSON.parse(last_error!), {
          code: "webhooks.deliver.subscription_deleted",
          http_status: null
        })
      }
      yield* happen(memory)
      yield* TestClock.adjust(hours)
      assert.isFalse(
        receiver.sent.slice(before).some(({ url }) => url === request.url),
        "sent after the end"
      )
      assert.isTrue(
        rows(memory).some(({ status, subscription_id }) => subscription_id === other.id && status !== "dead_letter")
      )
    })
  )

  it.effect("end even if the process dies right after the deletion", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.succeed(answered(500)))
      const first = yield* Scope.make()
      const { system, webhooks } = yield* Scope.provide(engine(memory, receiver.layer), first)
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      yield* happen(memory)
      yield* system.drain
      const before = receiver.sent.length
      yield* webhooks.remove(workspaceId("w1"), record.id)
      memory.crash()
      yield* Scope.close(first, Exit.void)
      assert.deepStrictEqual(
        rows(memory).map(({ status }) => status),
        ["retrying"]
      )

      const second = yield* engine(memory, receiver.layer, 2)
      yield* Effect.andThen(TestClock.adjust(2_000), second.system.drain)
      assert.deepStrictEqual(
        rows(memory).map(({ status }) => status),
        ["dead_letter"]
      )
      assert.strictEqual(receiver.sent.length, before)
      yield* Effect.andThen(TestClock.adjust(hours), second.system.drain)
      assert.strictEqual(yield* second.system.resident, 0)
    })
  )

  it.effect("wait while the subscription is paused", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver((_, attempt) => Effect.succeed(answered(attempt === 1 ? 500 : 200)))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      yield* happen(memory)
      yield* system.drain
      yield* webhooks.change(workspaceId("w1"), record.id, { status: "paused" })
      yield* happen(memory)
      yield* Effect.andThen(TestClock.adjust(hours), system.drain)
      assert.deepStrictEqual(
        rows(memory).map(({ status }) => status),
        ["retrying"]
      )
      yield* webhooks.change(workspaceId("w1"), record.id, { status: "active", url: "https://example.com/new" })
      yield* Effect.andThen(TestClock.adjust(1_000), system.drain)
      assert.deepStrictEqual(
        rows(memory).map(({ status }) => status),
        ["succeeded"]
      )
      assert.strictEqual(receiver.sent.at(-1)!.url, "https://example.com/new")
    })
  )

  it.effect("that end with a 410 notify the admins once, even if the notification fails at first", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const written: Array<AdminNotification> = []
      let failures = 2
      const notifyAdmins = Layer.succeed(NotifyAdmins)({
        notify: (notification) =>
          Effect.suspend(() => {
            if (failures-- > 0) return Effect.fail(new RateLimited())
            written.push(notification)
            return Effect.void
          })
      })
      const receiver = makeReceiver(() => Effect.succeed(answered(410)))
      const { system, webhooks } = yield* engine(memory, receiver.layer, 1, notifyAdmins)
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      yield* happen(memory)
      yield* system.drain
      assert.strictEqual((yield* webhooks.get(workspaceId("w1"), record.id)).status, "disabled")
      assert.deepStrictEqual(written, [])
      for (let step = 0; step < 10; step++) yield* Effect.andThen(TestClock.adjust(1_000), system.drain)
      assert.deepStrictEqual(
        written.map(({ expires_at, id, workspace_id }) => ({ expires_at, id, workspace_id })),
        [{ workspace_id: "w1", id: `${record.id}.0`, expires_at: 3 * 24 * hours }]
      )
      const { subject, text } = written[0]!.letter("Acme")
      assert.strictEqual(subject, "A webhook of Acme was disabled")
      assert.include(text, `${request.url} answered an event with 410 Gone`)
    })
  )
})
