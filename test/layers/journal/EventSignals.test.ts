import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Queue, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { EventLog } from "../../../src/domain/ports/webhooks/EventLog.ts"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import { NewEvents } from "../../../src/domain/ports/webhooks/NewEvents.ts"
import * as EventSignals from "../../../src/layers/journal/EventSignals.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { eventLog } from "../../../src/layers/memory/MemoryEventLog.ts"
import { workspaceId } from "../../support/Ids.ts"
import { storeEvent } from "../../support/StoredEvents.ts"

const [mine, other] = [workspaceId("mine"), workspaceId("other")]

/** The journal of one process, and one of another that stores in the same place. */
const processes = Effect.gen(function* () {
  const memory = yield* MemoryJournal.make
  const looks = { count: 0, broken: false }
  const log = Layer.effect(
    EventLog,
    Effect.map(EventLog, (log) => ({
      ...log,
      changed: (...query: Parameters<typeof log.changed>) =>
        Effect.suspend(() => {
          looks.count++
          return looks.broken ? Effect.fail(new ReadFailed({ cause: "down" })) : log.changed(...query)
        })
    }))
  ).pipe(Layer.provide(eventLog(memory)))
  const services = yield* Layer.build(EventSignals.layer.pipe(Layer.provide(memory.layer), Layer.provide(log)))
  return { services, elsewhere: memory.open(), looks }
})

/** A queue of at most one item, which says that the workspace may have new events. */
const follow = Effect.fnUntraced(function* (workspace_id: WorkspaceId) {
  const events = yield* NewEvents
  const queue = yield* Queue.sliding<void>(1)
  yield* events.follow(workspace_id, () => Queue.offerUnsafe(queue, undefined))
  return queue
})

const isWoken = (queue: Queue.Dequeue<void>) => Effect.map(Queue.poll(queue), Option.isSome)

it.effect("wakes the followers of a workspace for what its own process stored, once it is stored", () =>
  Effect.gen(function* () {
    const { services } = yield* processes
    yield* Effect.gen(function* () {
      const journal = yield* Journal
      const [one, two, apart] = [yield* follow(mine), yield* follow(mine), yield* follow(other)]
      yield* storeEvent(journal, mine, "call.busy")
      yield* storeEvent(journal, mine, "call.busy")
      assert.deepStrictEqual([yield* isWoken(one), yield* isWoken(two), yield* isWoken(apart)], [true, true, false])
      assert.isFalse(yield* isWoken(one), "two events wake it once")
    }).pipe(Effect.provide(services))
  })
)

it.effect("wakes them within a second for what another process stored, also after the database was away", () =>
  Effect.gen(function* () {
    const { elsewhere, looks, services } = yield* processes
    yield* Effect.gen(function* () {
      const [news, apart] = [yield* follow(mine), yield* follow(other)]
      yield* TestClock.adjust("500 millis")
      yield* Effect.all([isWoken(news), isWoken(apart)])
      yield* storeEvent(elsewhere, mine, "call.busy")
      assert.isFalse(yield* isWoken(news))
      yield* TestClock.adjust("500 millis")
      assert.deepStrictEqual([yield* isWoken(news), yield* isWoken(apart)], [true, false])
      looks.broken = true
      yield* storeEvent(elsewhere, mine, "call.busy")
      yield* TestClock.adjust("5 seconds")
      assert.isFalse(yield* isWoken(news))
      looks.broken = false
      yield* TestClock.adjust("500 millis")
      assert.isTrue(yield* isWoken(news))
    }).pipe(Effect.provide(services))
  })
)

it.effect("asks the database nothing while nobody follows", () =>
  Effect.gen(function* () {
    const { looks, services } = yield* processes
    yield* Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      const scope = yield* Scope.make()
      yield* Scope.provide(follow(mine), scope)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(looks.count, 9)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(looks.count, 9)
    }).pipe(Effect.provide(services))
  })
)
