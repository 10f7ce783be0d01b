import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { GatewayCommands } from "../../../src/domain/pbx/GatewayCommand.ts"
import { acknowledge, connectGateway } from "../../../src/actors/pbx/GatewayLink.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import type { PbxCommand } from "../../../src/domain/pbx/PbxCommand.ts"
import type { Ids } from "../../../src/domain/ports/engine/Ids.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { actors } from "../../support/PbxWorld.ts"
import { gatewayId } from "../../support/Ids.ts"
import { toSessionId } from "../../../src/domain/BrandedIds.ts"

const command = (id: string): PbxCommand => ({
  id,
  session_id: toSessionId("HD_1"),
  tenant_pbx_id: "t1",
  seq: 1,
  action: { kind: "say", text: "Hello", loop: 1 }
})

const dispatch = (id: string) =>
  Effect.flatMap(ActorSystem, ({ ask }) =>
    ask(GatewayCommands.Dispatch, gatewayId("g1"), { command: command(id) })
  ).pipe(Effect.map(({ status }) => status))

/** Lets everything happen that needs no time to pass. */
const settle = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

/** A gateway that receives commands and acknowledges none by itself. */
const connect = Effect.gen(function* () {
  const received: Array<string> = []
  const line = yield* connectGateway(gatewayId("g1"), (commands) =>
    Effect.sync(() => {
      received.push(...commands.map(({ id }) => id))
    })
  ).pipe(Effect.forkChild)
  yield* settle
  return { line, received: () => received.splice(0) }
})

const inEngine = (journal: MemoryJournal) => Effect.provide(actors(journal))

const test = (name: string, body: Effect.Effect<void, unknown, ActorSystem | Ids>) =>
  it.effect(name, () => Effect.flatMap(MemoryJournal.make, (journal) => inEngine(journal)(body)))

test(
  "sends commands to the connected gateway, again and again until it acknowledges them",
  Effect.gen(function* () {
    const { received } = yield* connect
    assert.strictEqual(yield* dispatch("a"), "queued")
    assert.strictEqual(yield* dispatch("b"), "queued")
    yield* settle
    assert.deepStrictEqual(received(), ["a", "b"])
    yield* acknowledge(gatewayId("g1"), ["a"])
    assert.strictEqual(yield* dispatch("a"), "acknowledged")
    yield* TestClock.adjust("4 seconds")
    yield* settle
    assert.deepStrictEqual(new Set(received()), new Set(["b"]))
    yield* acknowledge(gatewayId("g1"), ["b"])
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(received(), [])
  })
)

test(
  "sends commands that are dispatched together in one batch",
  Effect.gen(function* () {
    const batches: Array<number> = []
    yield* Effect.forkChild(
      connectGateway(gatewayId("g1"), (commands) => Effect.sync(() => batches.push(commands.length)))
    )
    yield* settle
    yield* Effect.forEach(Array.from({ length: 1000 }), (_, index) => dispatch(`c${index}`), {
      concurrency: "unbounded"
    })
    yield* settle
    assert.deepStrictEqual(batches, [1000])
  })
)

test(
  "delivers every command of a burst",
  Effect.gen(function* () {
    const { received } = yield* connect
    for (let n = 0; n < 2000; n++) {
      yield* dispatch(`c${n}`)
      yield* Effect.promise(() => Promise.resolve())
    }
    yield* settle
    assert.strictEqual(received().length, 2000)
  })
)

test(
  "sends commands that were dispatched while offline on connecting, and none after disconnecting",
  Effect.gen(function* () {
    assert.strictEqual(yield* dispatch("a"), "offline")
    const first = yield* connect
    assert.deepStrictEqual(first.received(), ["a"])
    yield* Fiber.interrupt(first.line)
    assert.strictEqual(yield* dispatch("b"), "offline")
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(first.received(), [])
    const second = yield* connect
    assert.deepStrictEqual(second.received(), ["a", "b"])
  })
)

test(
  "ends an older connection when a newer one takes over",
  Effect.gen(function* () {
    const first = yield* connect
    yield* dispatch("a")
    yield* settle
    const second = yield* connect
    yield* Fiber.join(first.line)
    assert.deepStrictEqual([first.received(), second.received()], [["a"], ["a"]])
    yield* dispatch("b")
    yield* settle
    assert.deepStrictEqual([first.received(), second.received()], [[], ["b"]])
  })
)

test(
  "delivers everything to a slow gateway, though its subscription is cut",
  Effect.gen(function* () {
    const received = new Set<string>()
    yield* Effect.forkChild(
      connectGateway(gatewayId("g1"), (commands) =>
        Effect.gen(function* () {
          yield* Effect.sleep("1 second")
          for (const { id } of commands) received.add(id)
          yield* acknowledge(
            gatewayId("g1"),
            commands.map(({ id }) => id)
          )
        })
      )
    )
    yield* settle
    for (let n = 0; n < 600; n++) {
      yield* dispatch(`c${n}`)
      yield* TestClock.adjust(1)
    }
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual(received.size, 600)
    assert.strictEqual(yield* dispatch("c599"), "acknowledged")
  })
)

it.effect("does not accept a connection of a crashed engine as the current one", () =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    yield* inEngine(journal)(connect)
    yield* inEngine(journal)(connect)
    journal.crash()
    yield* inEngine(journal)(
      Effect.gen(function* () {
        const { ask } = yield* ActorSystem
        assert.strictEqual(yield* dispatch("a"), "offline")
        const stale = yield* ask(GatewayCommands.Renew, gatewayId("g1"), { connection_id: "c", epoch: 1 })
        assert.strictEqual(stale, "replaced")
        const present = yield* ask(GatewayCommands.Renew, gatewayId("g1"), { connection_id: "c", epoch: 2 })
        assert.strictEqual(present, "attached")
        assert.strictEqual(yield* dispatch("a"), "queued")
      })
    )
  })
)

it.effect("repeats the attachment until the database stores it", () =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    yield* inEngine(journal)(
      Effect.gen(function* () {
        journal.goDown()
        const { received } = yield* connect
        yield* TestClock.adjust("1 minute")
        journal.comeUp()
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* dispatch("a"), "queued")
        yield* settle
        assert.deepStrictEqual(received(), ["a"])
      })
    )
  })
)
