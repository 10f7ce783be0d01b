import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { sweepOverdueDeliveries } from "../../../src/actors/maintenance/SweepOverdueDeliveries.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { answered, engine, happen, makeReceiver } from "../../support/WebhookEngine.ts"
import { numberId, subscriptionId, workspaceId } from "../../support/Ids.ts"

const request = { url: "https://example.com/hook", events: ["call.*"] }
const minutes = 60_000
const hours = 60 * minutes

const rows = (memory: MemoryJournal) => [...memory.tables.deliveries.values()]

describe("a subscription's deliveries", () => {
  it.effect("are sent after the event is on disk, and stored with their outcome", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_800_000_000_000)
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.succeed(answered(200)))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const { record, secret } = yield* webhooks.create(workspaceId("w1"), request)
      memory.hold()
      const happening = yield* Effect.forkChild(happen(memory), { startImmediately: true })
      yield* system.drain.pipe(Effect.timeoutOption(0), Effect.forkChild)
      yield* TestClock.adjust(5_000)
      assert.deepStrictEqual(receiver.sent, [])
      memory.release()
      const event_id = yield* Fiber.join(happening)
      yield* system.drain
      const [sent] = receiver.sent
      assert.strictEqual(receiver.sent.length, 1)
      assert.deepStrictEqual(sent!.secrets, [secret])
      assert.strictEqual(sent!.url, request.url)
      assert.deepStrictEqual(JSON.parse(sent!.body), {
        id: event_id,
        event_kind: "call.completed",
        api_version: "2026-10-01",
        workspace_id: "w1",
        livemode: true,
        occurred_at: "2027-01-15T08:00:00.000Z",
        sequence: 1,
        payload: { kind: "call.completed" }
      })
      const [delivery] = yield* webhooks.deliveries(workspaceId("w1"), record.id, {}, { limit: 10 })
      assert.deepInclude(delivery, {
        id: sent!.delivery_id,
        subscription_id: record.id,
        event_id,
        status: "succeeded",
        attempts: 1,
        next_attempt_at: null,
        last_error: null
      })
      assert.strictEqual((yield* webhooks.get(workspaceId("w1"), record.id)).last_success_at, delivery!.finished_at)
    })
  )

  it.effect("are attempted eight times over 27 h 35 min, then end as dead letters", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.succeed(answered(500, { response_excerpt: "down" })))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      yield* happen(memory)
      yield* system.drain
      for (let step = 0; step < 40; step++) yield* Effect.andThen(TestClock.adjust(hours), system.drain)
      const pauses = [5_000, 5 * minutes, 30 * minutes, 2 * hours, 5 * hours, 10 * hours, 10 * hours]
      assert.strictEqual(receiver.sent.length, 8)
      assert.strictEqual(yield* system.resident, 0)
      pauses.forEach((pause, index) => {
        const actual = receiver.sent[index + 1]!.at - receiver.sent[index]!.at
        assert.isAtLeast(actual, pause * 0.8 - 1)
        assert.isAtMost(actual, pause * 1.2 + 1)
      })
      assert.strictEqual(new Set(receiver.sent.map(({ delivery_id }) => delivery_id)).size, 1)
      const [delivery] = yield* webhooks.deliveries(
        workspaceId("w1"),
        record.id,
        { status: "dead_letter" },
        { limit: 10 }
      )
      assert.deepInclude(delivery, {
        attempts: 8,
        next_attempt_at: null,
        last_error: { code: "http_error", http_status: 500 }
      })
      assert.strictEqual(delivery!.attempt_log.length, 8)
      assert.strictEqual((yield* webhooks.get(workspaceId("w1"), record.id)).failing_since, "1970-01-01T00:00:00.000Z")
    })
  )

  it.effect("continue after a crash: waiting ones at their due time, running ones at once", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const stuck = makeReceiver((_, attempt) => (attempt === 1 ? Effect.succeed(answered(503)) : Effect.never))
      const first = yield* Scope.make()
      const { system, webhooks } = yield* Scope.provide(engine(memory, stuck.layer), first)
      yield* webhooks.create(workspaceId("w1"), request)
      yield* happen(memory)
      yield* system.drain
      const retry_at = rows(memory)[0]!.next_attempt_at!
      memory.crash()
      yield* Scope.close(first, Exit.void)

      const second = yield* Scope.make()
      yield* Scope.provide(engine(memory, stuck.layer, 2), second)
      yield* TestClock.setTime(retry_at - 1)
      assert.strictEqual(stuck.sent.length, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(stuck.sent.length, 2)
      memory.crash()
      yield* Scope.close(second, Exit.void)

      const healthy = makeReceiver(() => Effect.succeed(answered(200)))
      const third = yield* engine(memory, healthy.layer, 3)
      yield* TestClock.adjust(1_000)
      yield* third.system.drain
      assert.deepStrictEqual(
        rows(memory).map(({ attempts, status }) => [attempts, status]),
        [[2, "succeeded"]]
      )
      assert.strictEqual(healthy.sent[0]!.delivery_id, stuck.sent[0]!.delivery_id)
    })
  )

  it.effect("are attempted at most fifty at once, each once, until all have arrived", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver((request, attempt) => {
        assert.isFalse(receiver.twice())
        return Effect.delay(Effect.succeed(answered(attempt === 1 && request.delivery_id < "4" ? 503 : 200)), 100)
      })
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      yield* webhooks.create(workspaceId("w1"), request)
      for (let n = 0; n < 300; n++) {
        yield* happen(memory)
        if (n % 40 === 0) yield* TestClock.adjust(30)
      }
      for (let step = 0; step < 400; step++) yield* Effect.andThen(TestClock.adjust(5_000), system.drain)
      const made = rows(memory).map(({ attempts, id, status }) => {
        assert.deepStrictEqual([status, attempts], ["succeeded", id < "4" ? 2 : 1])
        return attempts
      })
      assert.strictEqual(
        receiver.sent.length,
        made.reduce((sum, attempts) => sum + attempts)
      )
      assert.isAtMost(receiver.most(), 50)
    })
  )

  it.effect("stop while a receiver is down, and resume when it works again", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      let up = false
      const receiver = makeReceiver(() => Effect.succeed(answered(up ? 200 : 500)))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      yield* webhooks.create(workspaceId("w1"), request)
      for (let n = 0; n < 200; n++) yield* happen(memory)
      yield* Effect.andThen(TestClock.adjust(25_000), system.drain)
      assert.isAtMost(receiver.sent.length, 50)
      yield* Effect.andThen(TestClock.adjust(10_000), system.drain)
      assert.isAtMost(receiver.sent.length, 51)
      up = true
      for (let step = 0; step < 60; step++) yield* Effect.andThen(TestClock.adjust(10_000), system.drain)
      assert.isTrue(rows(memory).every(({ status }) => status === "succeeded"))
    })
  )

  it.effect("are signed with both secrets until the previous one expires", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.succeed(answered(200)))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const { record, secret } = yield* webhooks.create(workspaceId("w1"), request)
      const rotated = yield* webhooks.rotateSecret(workspaceId("w1"), record.id, 60)
      assert.notStrictEqual(rotated.secret, secret)
      yield* Effect.andThen(happen(memory), system.drain)
      yield* TestClock.adjust(60_000)
      yield* Effect.andThen(happen(memory), system.drain)
      assert.deepStrictEqual(
        receiver.sent.map(({ secrets }) => secrets),
        [[rotated.secret, secret], [rotated.secret]]
      )
      assert.notInclude(JSON.stringify([...memory.tables.snapshots.values()]), rotated.secret.slice(6))
    })
  )

  it.effect("are sent at once by a manual retry, unless they have ended", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver((_, attempt) => Effect.succeed(answered(attempt < 3 ? 500 : 200)))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      yield* Effect.andThen(happen(memory), system.drain)
      yield* Effect.andThen(TestClock.adjust(10_000), system.drain)
      const { id } = rows(memory)[0]!
      assert.isAbove(rows(memory)[0]!.next_attempt_at!, 200_000)
      const retried = yield* webhooks.retry(workspaceId("w1"), record.id, id)
      assert.deepInclude(retried, { id, status: "retrying", attempts: 2, next_attempt_at: "1970-01-01T00:00:10.000Z" })
      yield* Effect.andThen(TestClock.adjust(1), system.drain)
      assert.deepInclude(yield* webhooks.delivery(workspaceId("w1"), record.id, id), {
        status: "succeeded",
        attempts: 3
      })
      const codeOf = <A>(effect: Effect.Effect<A, { readonly _tag: string }>) =>
        Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
      assert.strictEqual(
        yield* codeOf(webhooks.retry(workspaceId("w1"), record.id, id)),
        "webhooks.delivery_not_retryable"
      )
      for (const [workspace_id, subscription_id, delivery_id] of [
        ["w2", record.id, id],
        ["w1", subscriptionId(id), id],
        ["w1", record.id, record.id],
        ["w1", record.id, "x"]
      ] as const) {
        assert.strictEqual(
          yield* codeOf(webhooks.retry(workspaceId(workspace_id), subscription_id, delivery_id)),
          "webhooks.not_found"
        )
        assert.strictEqual(
          yield* codeOf(webhooks.delivery(workspaceId(workspace_id), subscription_id, delivery_id)),
          "webhooks.not_found"
        )
      }
    })
  )

  it.effect("are blocked while the secret cannot be opened, until it is rotated", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.succeed(answered(200)))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const { record } = yield* webhooks.create(workspaceId("w1"), request)
      const stored = memory.tables.snapshots.get(`Subscription/${record.id}`)!
      yield* TestClock.adjust(10_000)
      const state = JSON.stringify({ ...JSON.parse(stored.state), secret: "lost.key" })
      memory.tables.snapshots.set(`Subscription/${record.id}`, {
        ...stored,
        ...memory.tables.snapshots.get(`Subscription/${record.id}`)!,
        state
      })
      yield* happen(memory)
      yield* system.drain
      assert.deepStrictEqual(receiver.sent, [])
      const [row] = rows(memory)
      assert.deepInclude(row, { status: "blocked", attempts: 0, next_attempt_at: null })
      assert.include(row!.last_error, "webhooks.deliver.secret_unset")
      const { rotation, secret } = yield* webhooks.rotateSecret(workspaceId("w1"), record.id, 0)
      assert.strictEqual(rotation.requeued_deliveries, 1)
      yield* Effect.andThen(TestClock.adjust(1), system.drain)
      assert.deepStrictEqual(
        receiver.sent.map(({ secrets }) => secrets),
        [[secret]]
      )
      assert.deepStrictEqual(
        rows(memory).map(({ status }) => status),
        ["succeeded"]
      )
    })
  )

  it.effect("are attempted again if the outcome could not be stored", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() =>
        Effect.sync(() => {
          if (receiver.sent.length === 1) memory.failNext()
          return answered(200)
        })
      )
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      yield* webhooks.create(workspaceId("w1"), request)
      yield* happen(memory)
      yield* Effect.andThen(TestClock.adjust(10_000), system.drain)
      assert.strictEqual(receiver.sent.length, 2)
      assert.deepStrictEqual(
        rows(memory).map(({ status }) => status),
        ["succeeded"]
      )
    })
  )

  it.effect("are found by the sweep when their wake-up was lost with a process", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.succeed(answered(200)))
      const first = yield* Scope.make()
      const { webhooks } = yield* Scope.provide(engine(memory, receiver.layer), first)
      yield* webhooks.create(workspaceId("w1"), request)
      yield* Scope.close(first, Exit.void)
      memory.crash()
      yield* happen(memory)
      memory.tables.alarms.clear()
      const { context, system } = yield* engine(memory, receiver.layer, 2)
      yield* Effect.forkChild(
        Effect.provideContext(Effect.scoped(Effect.andThen(sweepOverdueDeliveries, Effect.never)), context)
      )
      yield* Effect.andThen(TestClock.adjust(4_000), system.drain)
      assert.strictEqual(receiver.sent.length, 0)
      yield* Effect.andThen(TestClock.adjust(27_000), system.drain)
      assert.strictEqual(receiver.sent.length, 1)
    })
  )

  it.effect("match kinds, numbers and the workspace of the subscription", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      const receiver = makeReceiver(() => Effect.succeed(answered(200)))
      const { system, webhooks } = yield* engine(memory, receiver.layer)
      const number_ids = [numberId("0199aaaa-0000-7000-8000-000000000001")]
      yield* webhooks.create(workspaceId("w1"), { ...request, events: ["call.busy"], filters: { number_ids } })
      yield* happen(memory, { kind: "call.busy" })
      yield* happen(memory, { kind: "call.completed", number_id: number_ids[0]! })
      yield* happen(memory, { kind: "call.busy", number_id: number_ids[0]!, workspace_id: workspaceId("w2") })
      yield* system.drain
      assert.strictEqual(receiver.sent.length, 0)
      yield* happen(memory, { kind: "call.busy", number_id: number_ids[0]! })
      yield* system.drain
      assert.strictEqual(receiver.sent.length, 1)
    })
  )
})
