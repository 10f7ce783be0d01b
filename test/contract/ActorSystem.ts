// What every ActorSystem must do. Deadlines of actors in memory are exact; an alarm may fire up to a second late.
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer, Logger, Queue, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { Failure } from "../../src/domain/errors/Failure.ts"
import { NotFound } from "../../src/domain/errors/GeneralErrors.ts"
import type { Ids } from "../../src/domain/ports/engine/Ids.ts"
import type { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import { Unreadable } from "../../src/domain/state/StoredState.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import {
  Add,
  Create,
  engine,
  type EngineOptions,
  Finish,
  Flash,
  journalWith,
  Read,
  Refuse,
  Remind,
  Start,
  type ToyCommand,
  ToyCommands,
  toyState
} from "../actors/runtime/Toy.ts"

const keyed = { workspace_id: "w", method: "POST", route: "/v1/toys", key: "k", fingerprint: "f" }
const alarm_ms = 1_000

export const actorSystemContract = (name: string, placement: Layer.Layer<ActorSystem, never, Journal | Ids>) => {
  const start = (memory: MemoryJournal, perform?: EngineOptions["perform"]) =>
    Effect.tap(engine(memory.layer, { placement, ...(perform && { perform }) }), () => TestClock.adjust(1))

  /** The time of an entry in a toy's log. */
  const timeOf = (entry: string | undefined) => Number(entry?.split(" ")[1])

  describe(name, () => {
    it.effect("answers in the order of arrival, after the commit", () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const { ask, system } = yield* start(memory)
        const answers: Array<string> = []
        const send = (command: ToyCommand) =>
          Effect.forkChild(
            Effect.map(ask(command), ({ count }) => answers.push(`${command._tag} ${count}`)),
            {
              startImmediately: true
            }
          )
        yield* ask(Create.make({ count: 100 }))
        memory.hold()
        yield* send(Add.make({ amount: 1 }))
        yield* send(Read.make({}))
        yield* send(Add.make({ amount: 10 }))
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(answers, [])
        memory.release()
        yield* system.drain
        assert.deepStrictEqual(answers, ["Add 101", "Read 101", "Add 111"])
        assert.strictEqual((yield* ask(Read.make({}), "two")).count, 0)
      })
    )

    it.effect("asks two actors in one turn, or the first alone, and stores what was answered", () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const { ask, system } = yield* start(memory)
        yield* ask(Add.make({ amount: 1 }))
        const before = memory.commits
        const { first, second } = yield* system.askTied(
          { command: ToyCommands.Add, id: "one", payload: { amount: 10 } },
          ({ count }) => ({ command: ToyCommands.Create, id: "two", payload: { count } })
        )
        assert.strictEqual(first.count, 11)
        if (second !== undefined) assert.strictEqual(second.count, 11)
        assert.strictEqual(memory.commits - before, 1)
        assert.strictEqual((yield* ask(Read.make({}), "two")).count, second?.count ?? 0)
      })
    )

    it.effect("returns refusals and failed commits to the caller as typed errors", () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const { ask } = yield* start(memory)
        const refusal = yield* Effect.flip(ask(Refuse.make({})))
        assert.instanceOf(refusal, NotFound)
        assert.instanceOf(refusal, Failure)
        assert.strictEqual(refusal.message, "Refused at 0.")
        memory.failNext()
        const failed = yield* Effect.flip(ask(Add.make({ amount: 1 })))
        assert.instanceOf(failed, NotCommitted)
        assert.deepInclude(failed, { reason: "unavailable" })
        yield* ask(Add.make({ amount: 1, idempotency: keyed }))
        assert.deepInclude(yield* Effect.flip(ask(Add.make({ amount: 1, idempotency: keyed }))), {
          reason: "duplicate"
        })
        assert.strictEqual((yield* ask(Read.make({}))).count, 1)
      })
    )

    it.effect(
      "sends subscribers every notice from the moment they subscribe, in order, and ends their queue with their scope",
      () =>
        Effect.gen(function* () {
          const memory = yield* MemoryJournal.make
          const { ask, follow } = yield* start(memory)
          const scope = yield* Scope.make()
          yield* ask(Add.make({ amount: 1 }))
          const notices = yield* Scope.provide(follow(), scope)
          yield* ask(Add.make({ amount: 1 }))
          yield* ask(Flash.make({}))
          yield* ask(Add.make({ amount: 1 }))
          yield* TestClock.adjust(1)
          assert.deepStrictEqual(yield* Queue.takeAll(notices), ["stored 2/0", "flashed 2/1", "stored 3/1"])
          yield* Scope.close(scope, Exit.void)
          yield* ask(Add.make({ amount: 1 }))
          assert.isTrue(Exit.isFailure(yield* Effect.exit(Queue.take(notices))))
        })
    )

    it.effect("disconnects a slow subscriber", () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const { ask, follow } = yield* start(memory)
        const notices = yield* follow()
        for (let index = 0; index < 600; index++) yield* ask(Flash.make({}))
        yield* TestClock.adjust(1)
        assert.strictEqual((yield* Queue.takeAll(notices)).length, 256)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(Queue.take(notices))))
      })
    )

    it.effect("runs the work of an actor until the plan drops it", () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const seen: Array<string> = []
        const { ask, system } = yield* start(memory, (key, self) =>
          key === "quick"
            ? Effect.orDie(Effect.asVoid(self.tell(Finish.make({ key }))))
            : Effect.onInterrupt(Effect.never, () => Effect.sync(() => seen.push(`${key} interrupted`)))
        )
        yield* ask(Start.make({ key: "quick", at: null }))
        yield* ask(Start.make({ key: "slow", at: null }))
        yield* TestClock.adjust("10 minutes")
        assert.hasAllKeys((yield* ask(Read.make({}))).tasks, ["slow"])
        assert.deepStrictEqual(seen, [])
        yield* ask(Finish.make({ key: "slow" }))
        yield* system.drain
        assert.deepStrictEqual(seen, ["slow interrupted"])
      })
    )

    it.effect("meets deadlines, passivates the actor between them, and wakes it by its alarm", () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const { ask, system } = yield* start(memory)
        yield* ask(Remind.make({ key: "near", at: 30_000 }))
        yield* ask(Remind.make({ key: "far", at: 3_600_000 }))
        yield* TestClock.adjust("30 minutes")
        assert.strictEqual(yield* system.resident, 0)
        yield* TestClock.adjust("31 minutes")
        const [near, far] = (yield* ask(Read.make({}))).log
        assert.strictEqual(near, "near 30000")
        assert.isAtLeast(timeOf(far), 3_600_000)
        assert.isAtMost(timeOf(far), 3_600_000 + alarm_ms)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual([yield* system.resident, memory.tables.alarms.size], [0, 0])
      })
    )

    it.effect("resumes the planned work of the stored state after a crash", () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const scope = yield* Scope.make()
        const before = yield* Scope.provide(start(memory), scope)
        yield* before.ask(Remind.make({ key: "a", at: 20_000 }))
        yield* before.ask(Start.make({ key: "b", at: null }), "two")
        yield* TestClock.adjust("5 seconds")
        memory.crash()
        yield* Scope.close(scope, Exit.void)
        yield* TestClock.adjust("5 seconds")
        const performed: Array<string> = []
        const after = yield* start(memory, (key) => Effect.sync(() => void performed.push(key)))
        yield* TestClock.adjust("8 seconds")
        assert.deepStrictEqual(performed, ["b"])
        assert.deepStrictEqual((yield* after.ask(Read.make({}))).log, [])
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual((yield* after.ask(Read.make({}))).log, ["a 20000"])
      })
    )

    it.effect("activates an actor again after its writes failed while the database was down", () =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        const { ask } = yield* start(memory)
        yield* ask(Remind.make({ key: "a", at: 10_000 }))
        memory.goDown()
        yield* TestClock.adjust("30 seconds")
        memory.comeUp()
        yield* TestClock.adjust("10 seconds")
        const [entry] = (yield* ask(Read.make({}))).log
        assert.isAtLeast(timeOf(entry), 30_000)
      })
    )

    const readable = { created: false, count: 7, deadlines: {}, tasks: {}, log: [], flashes: 0 }
    const unreadable = [
      ["is damaged", "{"],
      ["does not match its schema", JSON.stringify({ ...readable, count: "7" })],
      ["was written by a newer engine", JSON.stringify({ v: toyState.version + 1, ...readable })]
    ] as const
    it.effect.each(unreadable)("stops an actor whose stored state %s, and leaves its row as it is", ([, state]) =>
      Effect.gen(function* () {
        const memory = yield* MemoryJournal.make
        let loads = 0
        const journal = journalWith(memory, ({ load }) => ({ load: (type, id) => (loads++, load(type, id)) }))
        const [actor_type, actor_id] = ["Toy", "one"]
        const entry = {
          actor_type,
          actor_id,
          workspace_id: null,
          snapshot: { version: 3, state, columns: {} },
          alarm: 0
        }
        memory.tables.write(entry, 0)
        const stored = memory.tables.snapshot(actor_type, actor_id)

        const logged: Array<string> = []
        const logger = Logger.make(({ logLevel }) => void logged.push(logLevel))
        const { ask, system } = yield* engine(journal, { placement }).pipe(Effect.provide(Logger.layer([logger])))
        yield* TestClock.adjust("1 minute")
        for (const command of [Read.make({}), Add.make({ amount: 1 })]) {
          const exit = yield* Effect.exit(ask(command))
          assert.isTrue(Exit.hasDies(exit))
          assert.instanceOf(Exit.isFailure(exit) && Cause.squash(exit.cause), Unreadable)
        }
        yield* TestClock.adjust("1 minute")

        assert.strictEqual((yield* ask(Add.make({ amount: 1 }), "two")).count, 1)
        assert.deepStrictEqual([loads, memory.tables.snapshot(actor_type, actor_id)], [2, stored])
        assert.isTrue(memory.tables.alarms.has(`${actor_type}/${actor_id}`))
        assert.deepStrictEqual(
          logged.filter((level) => level === "Error" || level === "Fatal"),
          ["Error"]
        )
        assert.deepStrictEqual([yield* system.stopped, yield* system.resident], [["Toy/one"], 1])
      })
    )
  })
}
