import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Queue, Scope } from "effect"
import { TestClock } from "effect/testing"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { Add, engine, Flash, journalWith, Read, Remind, Start, Toy, type ToyDefinition } from "./Toy.ts"
import type { SubscriptionId } from "../../../src/domain/BrandedIds.ts"
import { subscriptionId } from "../../support/Ids.ts"

const day_ms = 24 * 60 * 60_000
const alarmOf = (memory: MemoryJournal, id = "one") => memory.tables.alarms.get(`Toy/${id}`)?.due_at ?? null

it.effect("resumes planned work after a crash, with its former deadline", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const before = yield* engine(memory.layer)
    yield* before.ask(Remind.make({ key: "deadline", at: 30_000 }))
    yield* before.ask(Start.make({ key: "task", at: null }), "two")
    yield* TestClock.adjust("20 seconds")
    memory.crash()
    yield* TestClock.adjust("5 seconds")
    const performed: Array<string> = []
    const after = yield* engine(memory.layer, {
      perform: (key) => Effect.sync(() => void performed.push(key))
    })
    yield* after.system.drain
    assert.deepStrictEqual(performed, ["task"])
    yield* TestClock.adjust(4_999)
    assert.deepStrictEqual((yield* after.ask(Read.make({}))).log, [])
    yield* TestClock.adjust(1)
    assert.deepStrictEqual((yield* after.ask(Read.make({}))).log, ["deadline 30000"])
  })
)

it.effect("fires a deadline at once after a crash if it passed meanwhile", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const before = yield* engine(memory.layer)
    yield* before.ask(Remind.make({ key: "a", at: 30_000 }))
    memory.crash()
    yield* TestClock.adjust("1 minute")
    const after = yield* engine(memory.layer)
    yield* after.system.drain
    assert.deepStrictEqual(memory.tables.snapshot("Toy", "one")?.version, 2)
    assert.deepStrictEqual((yield* after.ask(Read.make({}))).log, ["a 60000"])
  })
)

it.effect("keeps one alarm, never later than the state needs and never without need", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask } = yield* engine(memory.layer)
    yield* ask(Add.make({ amount: 1 }))
    assert.strictEqual(alarmOf(memory), null)
    yield* ask(Remind.make({ key: "a", at: 50_000 }))
    assert.strictEqual(alarmOf(memory), 50_000)
    yield* ask(Remind.make({ key: "b", at: 20_000 }))
    assert.strictEqual(alarmOf(memory), 20_000)
    yield* ask(Remind.make({ key: "b", at: null }))
    assert.strictEqual(alarmOf(memory), 20_000)
    yield* ask(Remind.make({ key: "a", at: null }))
    assert.strictEqual(alarmOf(memory), null)
  })
)

it.effect("unloads idle actors, sooner if nothing is planned", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, system } = yield* engine(memory.layer)
    yield* ask(Add.make({ amount: 1 }), "done")
    yield* ask(Remind.make({ key: "a", at: day_ms }), "waiting")
    assert.strictEqual(yield* system.resident, 2)
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(yield* system.resident, 1)
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* system.resident, 0)
    assert.strictEqual((yield* ask(Read.make({}), "done")).count, 1)
    assert.strictEqual(yield* system.resident, 1)
  })
)

it.effect("unloads a finished actor soon, even after long work", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, system } = yield* engine(memory.layer)
    yield* ask(Remind.make({ key: "a", at: 50_000 }))
    yield* TestClock.adjust("45 seconds")
    yield* ask(Remind.make({ key: "a", at: null }))
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(yield* system.resident, 0)
  })
)

it.effect("wakes an actor by its alarm days later, at the exact millisecond", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask, system } = yield* engine(memory.layer)
    yield* ask(Remind.make({ key: "soon", at: 600_000 }))
    yield* ask(Remind.make({ key: "late", at: 40 * day_ms + 7 }))
    yield* TestClock.adjust("5 minutes")
    assert.strictEqual(yield* system.resident, 0)
    yield* TestClock.adjust("39 days")
    assert.strictEqual(yield* system.resident, 0)
    assert.strictEqual(alarmOf(memory), 40 * day_ms + 7)
    yield* TestClock.adjust("2 days")
    assert.strictEqual(alarmOf(memory), null)
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, ["soon 600000", `late ${40 * day_ms + 7}`])
  })
)

it.effect("makes the alarm exact before it unloads an actor, so that none is woken too early", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let loads = 0
    const journal = journalWith(memory, ({ load }) => ({ load: (type, id) => (loads++, load(type, id)) }))
    const { ask, system } = yield* engine(journal)
    yield* ask(Remind.make({ key: "far", at: day_ms }))
    yield* ask(Remind.make({ key: "near", at: 300_000 }))
    yield* ask(Remind.make({ key: "near", at: null }))
    assert.strictEqual(alarmOf(memory), 300_000)
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual([yield* system.resident, alarmOf(memory), loads], [0, day_ms, 1])
    yield* TestClock.adjust("23 hours")
    assert.strictEqual(loads, 1)
  })
)

it.effect("keeps an actor loaded while it works, a deadline is near, or its definition says so", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const definition: ToyDefinition = { ...Toy, passivates: ({ flashes }) => flashes === 0 }
    const { ask, system } = yield* engine(memory.layer, { definition })
    yield* ask(Start.make({ key: "a", at: null }), "working")
    yield* ask(Remind.make({ key: "a", at: 110_000 }), "near")
    yield* ask(Flash.make({}), "flashing")
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* system.resident, 3)
    yield* TestClock.adjust("2 minutes")
    assert.strictEqual(yield* system.resident, 2)
  })
)

it.effect("sends the wake command at each alarm, and at a fan-out even if the actor is loaded", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let tellOfNews: (subscription_ids: ReadonlyArray<SubscriptionId>) => void = () => {}
    const journal = journalWith(memory, () => ({ onFanOut: (listener) => ((tellOfNews = listener), () => {}) }))
    const definition: ToyDefinition = { ...Toy, type: "Subscription", wake: Flash.make({}), wakesOnFanOut: true }
    const { ask, system } = yield* engine(journal, { definition })
    tellOfNews([subscriptionId("one")])
    tellOfNews([subscriptionId("one")])
    yield* system.drain
    assert.strictEqual((yield* ask(Read.make({}))).flashes, 2)
    yield* ask(Remind.make({ key: "a", at: 600_000 }))
    yield* TestClock.adjust("5 minutes")
    assert.strictEqual(yield* system.resident, 0)
    yield* TestClock.adjust("5 minutes")
    assert.deepInclude(yield* ask(Read.make({})), { flashes: 1, log: ["a 600000"] })
  })
)

it.effect("keeps the alarm that a fan-out set until there is nothing to do", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let tellOfNews: (subscription_ids: ReadonlyArray<SubscriptionId>) => void = () => {}
    const journal = journalWith(memory, () => ({ onFanOut: (listener) => ((tellOfNews = listener), () => {}) }))
    const definition: ToyDefinition = { ...Toy, type: "Subscription", wake: Flash.make({}), wakesOnFanOut: true }
    const { ask, system } = yield* engine(journal, { definition })
    yield* ask(Add.make({ amount: 1 }))
    memory.tables.alarms.set("Subscription/one", { actor_type: "Subscription", actor_id: "one", due_at: 0 })
    tellOfNews([subscriptionId("one")])
    yield* ask(Add.make({ amount: 1 }))
    assert.strictEqual(memory.tables.alarms.size, 1)
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual([memory.tables.alarms.size, yield* system.resident], [0, 0])
  })
)

it.effect("unloads an actor that was woken although nothing is stored of it", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const definition: ToyDefinition = { ...Toy, type: "Subscription", wake: Flash.make({}), wakesOnFanOut: true }
    memory.tables.alarms.set("Subscription/one", { actor_type: "Subscription", actor_id: "one", due_at: 0 })
    const { system } = yield* engine(memory.layer, { definition })
    yield* system.drain
    assert.strictEqual(yield* system.resident, 1)
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual([yield* system.resident, memory.commits], [0, 0])
  })
)

it.effect("corrects an alarm that fires too early while the actor is loaded", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask } = yield* engine(memory.layer, { definition: { ...Toy, passivates: () => false } })
    yield* ask(Remind.make({ key: "near", at: 300_000 }))
    yield* ask(Remind.make({ key: "far", at: day_ms }))
    yield* ask(Remind.make({ key: "near", at: null }))
    assert.strictEqual(alarmOf(memory), 300_000)
    yield* TestClock.adjust("31 minutes")
    assert.strictEqual(alarmOf(memory), day_ms)
  })
)

it.effect("keeps an actor loaded that gets messages constantly, and reads it once", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let loads = 0
    const journal = journalWith(memory, ({ load }) => ({ load: (type, id) => (loads++, load(type, id)) }))
    const { ask, system } = yield* engine(journal)
    for (let index = 0; index < 10; index++) {
      yield* ask(Read.make({}))
      yield* TestClock.adjust("1500 millis")
    }
    assert.deepStrictEqual([loads, yield* system.resident], [1, 1])
  })
)

it.effect("wakes no actor by an alarm that was removed", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let loads = 0
    const journal = journalWith(memory, ({ load }) => ({ load: (type, id) => (loads++, load(type, id)) }))
    const { ask } = yield* engine(journal)
    yield* ask(Remind.make({ key: "a", at: 300_000 }))
    yield* TestClock.adjust("2 minutes")
    yield* ask(Remind.make({ key: "a", at: null }))
    yield* TestClock.adjust("10 minutes")
    assert.strictEqual(loads, 2)
  })
)

it.effect("reloads thousands of actors after a crash", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const before = yield* engine(memory.layer)
    for (let index = 0; index < 2_500; index++) yield* before.ask(Remind.make({ key: "a", at: 30_000 }), `toy-${index}`)
    memory.crash()
    yield* TestClock.adjust("1 minute")
    const after = yield* engine(memory.layer)
    yield* after.system.drain
    assert.strictEqual(memory.tables.alarms.size, 0)
  })
)

it.effect("retries reading the alarms until the database answers", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const before = yield* engine(memory.layer)
    yield* before.ask(Remind.make({ key: "a", at: 10_000 }))
    memory.crash()
    memory.goDown()
    const after = yield* engine(memory.layer)
    yield* TestClock.adjust("15 seconds")
    memory.comeUp()
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual((yield* after.ask(Read.make({}))).log, ["a 16000"])
  })
)

it.effect("reloads an actor that could not be read when its alarm fired", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { ask } = yield* engine(memory.layer)
    yield* ask(Remind.make({ key: "a", at: 600_000 }))
    yield* TestClock.adjust("9 minutes")
    memory.goDown()
    yield* TestClock.adjust("2 minutes")
    memory.comeUp()
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual((yield* ask(Read.make({}))).log, ["a 661000"])
  })
)

it.effect("stops with its scope: takes no message, ends work and queues, answers messages in flight", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const scope = yield* Scope.make()
    const seen: Array<string> = []
    const perform = (work: string) =>
      Effect.andThen(
        Effect.sync(() => seen.push(work)),
        Effect.never
      ).pipe(Effect.onInterrupt(() => Effect.sync(() => seen.push("interrupted"))))
    const { ask, follow, system } = yield* Scope.provide(engine(memory.layer, { perform }), scope)
    yield* ask(Start.make({ key: "a", at: null }))
    yield* ask(Remind.make({ key: "deadline", at: 1_000 }))
    yield* system.drain
    const notices = yield* follow()
    memory.hold()
    const last = yield* Effect.forkChild(ask(Start.make({ key: "b", at: null })), { startImmediately: true })
    yield* Scope.close(scope, Exit.void)
    assert.deepStrictEqual(seen, ["a", "interrupted"])
    assert.deepInclude(yield* Effect.flip(ask(Read.make({}))), { reason: "unavailable" })
    assert.isTrue(Exit.isFailure(yield* Effect.exit(Queue.take(notices))))
    memory.release()
    assert.hasAllKeys((yield* Fiber.join(last)).tasks, ["a", "b"])
    yield* TestClock.adjust("1 hour")
    assert.deepStrictEqual(seen, ["a", "interrupted"])
    assert.strictEqual(memory.tables.snapshot("Toy", "one")?.version, 3)
  })
)
