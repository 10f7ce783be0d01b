// Attempts that end while their subscription stores earlier ones.
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Latch, Scope } from "effect"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { answered, engine, happen, makeReceiver } from "../../support/WebhookEngine.ts"
import { workspaceId } from "../../support/Ids.ts"

const request = { url: "https://example.com/hook", events: ["call.*"] }

/** Four deliveries of one subscription are answered while commits wait. The engine is in the scope. */
const answeredDuringCommit = (scope: Scope.Scope) =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const open = yield* Latch.make(true)
    const receiver = makeReceiver(() => Effect.as(open.await, answered(200)))
    const { system, webhooks } = yield* Scope.provide(engine(memory, receiver.layer), scope)
    const { record } = yield* webhooks.create(workspaceId("w1"), request)
    // Each one that the receiver accepts doubles how many are attempted at once.
    for (let n = 0; n < 3; n++) yield* Effect.andThen(happen(memory), system.drain)
    yield* open.close
    for (let n = 0; n < 4; n++) yield* happen(memory)
    yield* system.drain
    assert.strictEqual(receiver.sent.length, 7)
    memory.hold()
    yield* open.open
    for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
    return {
      memory,
      system,
      version: () => memory.tables.load("Subscription", record.id)?.version ?? 0,
      statuses: () => [...memory.tables.deliveries.values()].map(({ status }) => status)
    }
  })

const succeeded = Array.from({ length: 7 }, () => "succeeded")

it.effect("are stored by one decision: the first alone, and what ended meanwhile together", () =>
  Effect.gen(function* () {
    const { memory, statuses, system, version } = yield* answeredDuringCommit(yield* Effect.scope)
    const before = version()
    assert.strictEqual(memory.pending, 1)
    memory.release()
    yield* system.drain
    assert.deepStrictEqual([statuses(), version() - before], [succeeded, 2])
  }).pipe(Effect.scoped)
)

it.effect("are stored although the engine stops meanwhile", () =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const { memory, statuses } = yield* answeredDuringCommit(scope)
    yield* Scope.close(scope, Exit.void)
    memory.release()
    for (let turn = 0; turn < 10; turn++) yield* Effect.yieldNow
    assert.deepStrictEqual(statuses(), succeeded)
  })
)
