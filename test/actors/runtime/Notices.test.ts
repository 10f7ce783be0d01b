import { assert, it } from "@effect/vitest"
import { Effect, Exit, Logger, Queue, Scope } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { Add, Break, engine, Flash } from "./Toy.ts"
import { workspaceId } from "../../support/Ids.ts"

it.effect("sends notices to subscribers in order, and only of stored changes", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, follow, system } = yield* engine(memory.layer)
    const notices = yield* follow()
    const others = yield* follow("two")
    memory.hold()
    yield* Effect.forkChild(ask(Add.make({ amount: 1 })), { startImmediately: true })
    yield* Effect.forkChild(ask(Flash.make({})), { startImmediately: true })
    yield* Effect.forkChild(ask(Add.make({ amount: 1 })), { startImmediately: true })
    yield* Effect.yieldNow
    assert.strictEqual(yield* Queue.size(notices), 0)
    memory.release()
    yield* system.drain
    yield* ask(Flash.make({}))
    assert.deepStrictEqual(yield* Queue.takeAll(notices), ["stored 1/0", "flashed 1/1", "stored 2/1", "flashed 2/2"])
    assert.strictEqual(yield* Queue.size(others), 0)
  })
)

it.effect("sends no notice of a decision without events, even if its reply is stored", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, follow } = yield* engine(memory.layer)
    const notices = yield* follow()
    const idempotency = {
      workspace_id: workspaceId("w"),
      method: "POST",
      route: "/v1/toys",
      key: "k",
      fingerprint: "f"
    }
    yield* ask(Add.make({ amount: 0, idempotency }))
    assert.deepStrictEqual([memory.commits, yield* Queue.size(notices)], [1, 0])
  })
)

it.effect("sends no notice of a change that was not stored", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, follow, system } = yield* engine(memory.layer)
    const notices = yield* follow()
    memory.failNext()
    yield* Effect.forkChild(Effect.exit(ask(Add.make({ amount: 1 }))), { startImmediately: true })
    yield* Effect.forkChild(Effect.exit(ask(Flash.make({}))), { startImmediately: true })
    yield* system.drain
    assert.strictEqual(yield* Queue.size(notices), 0)
  })
)

it.effect("disconnects only the slow subscriber, after 256 notices", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, follow } = yield* engine(memory.layer)
    const slow = yield* follow()
    for (let index = 0; index < 256; index++) yield* ask(Flash.make({}))
    const quick = yield* follow()
    yield* ask(Flash.make({}))
    assert.strictEqual((yield* Queue.takeAll(slow)).length, 256)
    assert.isTrue(Exit.isFailure(yield* Effect.exit(Queue.take(slow))))
    assert.deepStrictEqual(yield* Queue.takeAll(quick), ["flashed 0/257"])
  })
)

it.effect("ends the queue of a subscriber that leaves", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, follow } = yield* engine(memory.layer)
    const scope = yield* Scope.make()
    const notices = yield* Scope.provide(follow(), scope)
    yield* Scope.close(scope, Exit.void)
    yield* ask(Add.make({ amount: 1 }))
    assert.isTrue(Exit.isFailure(yield* Effect.exit(Queue.take(notices))))
  })
)

it.effect("replies even if making notices fails, and ends the queues that missed one", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, follow } = yield* engine(memory.layer)
    const notices = yield* follow()
    yield* ask(Break.make({ where: "notices" }))
    assert.isTrue(Exit.isFailure(yield* Effect.exit(Queue.take(notices))))
    assert.strictEqual((yield* ask(Add.make({ amount: 1 }))).count, 1)
  }).pipe(Effect.provide(Logger.layer([])))
)
