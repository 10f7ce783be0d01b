import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { GatewayActor } from "../../../src/actors/pbx/GatewayActor.ts"
import { acknowledge, connectGateway } from "../../../src/actors/pbx/GatewayLink.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import type { PbxCommand } from "../../../src/domain/pbx/PbxCommand.ts"
import type { Ids } from "../../../src/domain/ports/Ids.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { actors } from "../../support/PbxWorld.ts"

const command = (id: string): PbxCommand => ({
  id,
  session_id: "HD_1",
  tenant_pbx_id: "t1",
  seq: 1,
  action: { kind: "say", text: "Hello", loop: 1 }
})

const dispatch = (id: string) =>
  Effect.flatMap(ActorSystem, ({ ask }) => ask(GatewayActor, "g1", { _tag: "Dispatch", command: command(id) })).pipe(
    Effect.map(({ status }) => status)
  )

/** Lets everything happen that can without time going by. */
const settle = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })

/** A gateway that takes commands and acknowledges nothing by itself. */
const connect = Effect.gen(function* () {
  const got: Array<string> = []
  const line = yield* connectGateway("g1", (commands) =>
    Effect.sync(() => {
      got.push(...commands.map(({ id }) => id))
    })
  ).pipe(Effect.forkChild)
  yield* settle
  return { line, got: () => got.splice(0) }
})

const inEngine = (journal: MemoryJournal) => Effect.provide(actors(journal))

const test = (name: string, body: Effect.Effect<void, unknown, ActorSystem | Ids>) =>
  it.effect(name, () => Effect.flatMap(MemoryJournal.make, (journal) => inEngine(journal)(body)))

test(
  "commands reach the gateway that is connected and are told again until it acknowledges",
  Effect.gen(function* () {
    const { got } = yield* connect
    assert.strictEqual(yield* dispatch("a"), "queued")
    assert.strictEqual(yield* dispatch("b"), "queued")
    yield* settle
    assert.deepStrictEqual(got(), ["a", "b"])
    yield* acknowledge("g1", ["a"])
    assert.strictEqual(yield* dispatch("a"), "acknowledged")
    yield* TestClock.adjust("4 seconds")
    yield* settle
    assert.deepStrictEqual(new Set(got()), new Set(["b"]))
    yield* acknowledge("g1", ["b"])
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(got(), [])
  })
)

test(
  "commands of one moment come together",
  Effect.gen(function* () {
    const batches: Array<number> = []
    yield* Effect.forkChild(connectGateway("g1", (commands) => Effect.sync(() => batches.push(commands.length))))
    yield* settle
    yield* Effect.forEach(Array.from({ length: 1000 }), (_, index) => dispatch(`c${index}`), {
      concurrency: "unbounded"
    })
    yield* settle
    assert.deepStrictEqual(batches, [1000])
  })
)

test(
  "a burst does not outrun the connection",
  Effect.gen(function* () {
    const { got } = yield* connect
    for (let n = 0; n < 2000; n++) {
      yield* dispatch(`c${n}`)
      yield* Effect.promise(() => Promise.resolve())
    }
    yield* settle
    assert.strictEqual(got().length, 2000)
  })
)

test(
  "what was asked while nobody was connected is told on connecting, and nothing after disconnecting",
  Effect.gen(function* () {
    assert.strictEqual(yield* dispatch("a"), "offline")
    const first = yield* connect
    assert.deepStrictEqual(first.got(), ["a"])
    yield* Fiber.interrupt(first.line)
    assert.strictEqual(yield* dispatch("b"), "offline")
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(first.got(), [])
    const second = yield* connect
    assert.deepStrictEqual(second.got(), ["a", "b"])
  })
)

test(
  "a newer connection takes over and the older one ends",
  Effect.gen(function* () {
    const first = yield* connect
    yield* dispatch("a")
    yield* settle
    const second = yield* connect
    yield* Fiber.join(first.line)
    assert.deepStrictEqual([first.got(), second.got()], [["a"], ["a"]])
    yield* dispatch("b")
    yield* settle
    assert.deepStrictEqual([first.got(), second.got()], [[], ["b"]])
  })
)

test(
  "a gateway that takes its time loses nothing, though its subscription is cut",
  Effect.gen(function* () {
    const got = new Set<string>()
    yield* Effect.forkChild(
      connectGateway("g1", (commands) =>
        Effect.gen(function* () {
          yield* Effect.sleep("1 second")
          for (const { id } of commands) got.add(id)
          yield* acknowledge(
            "g1",
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
    assert.strictEqual(got.size, 600)
    assert.strictEqual(yield* dispatch("c599"), "acknowledged")
  })
)

it.effect("a connection of an engine that crashed does not come back as the present one", () =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    yield* inEngine(journal)(connect)
    yield* inEngine(journal)(connect)
    journal.crash()
    yield* inEngine(journal)(
      Effect.gen(function* () {
        const { ask } = yield* ActorSystem
        assert.strictEqual(yield* dispatch("a"), "offline")
        const stale = yield* ask(GatewayActor, "g1", { _tag: "Renew", connection_id: "c", epoch: 1 })
        assert.deepStrictEqual(stale, { status: "replaced", epoch: 2 })
        const present = yield* ask(GatewayActor, "g1", { _tag: "Renew", connection_id: "c", epoch: 2 })
        assert.deepStrictEqual(present, { status: "attached", epoch: 2 })
        assert.strictEqual(yield* dispatch("a"), "queued")
      })
    )
  })
)

it.effect("the hello is repeated until the database takes it", () =>
  Effect.gen(function* () {
    const journal = yield* MemoryJournal.make
    yield* inEngine(journal)(
      Effect.gen(function* () {
        journal.goDown()
        const { got } = yield* connect
        yield* TestClock.adjust("1 minute")
        journal.comeUp()
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* dispatch("a"), "queued")
        yield* settle
        assert.deepStrictEqual(got(), ["a"])
      })
    )
  })
)
