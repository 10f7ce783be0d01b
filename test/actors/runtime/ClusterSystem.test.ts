import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Sharding, TestRunner } from "effect/cluster"
import { TestClock } from "effect/testing"
import * as ClusterSystem from "../../../src/actors/runtime/ClusterSystem.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { actorSystemContract } from "../../contract/ActorSystem.ts"
import { Add, engine, journalWith, Remind, Start } from "./Toy.ts"

const clustered = (options?: ClusterSystem.ClusterOptions) =>
  Layer.provide(ClusterSystem.layer(options), Layer.fresh(TestRunner.layer))

actorSystemContract("actors as entities, everything serialized", clustered({ shortcuts: false }))
actorSystemContract("actors as entities, with shortcuts", clustered())

it.effect("postpones the alarm of a working actor repeatedly, but not that of an idle one", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    let loads = 0
    const postponed: Array<string> = []
    const journal = journalWith(memory, ({ load, postpone }) => ({
      load: (type, id) => (loads++, load(type, id)),
      postpone: (alarms, until) => {
        postponed.push(...alarms.map(({ actor_id }) => actor_id))
        return postpone(alarms, until)
      }
    }))
    const { ask } = yield* engine(journal, { placement: clustered() })
    yield* TestClock.adjust(1)
    yield* ask(Start.make({ key: "a", at: null }), "at work")
    yield* ask(Start.make({ key: "a", at: null }), "waits")
    yield* ask(Start.make({ key: "a", at: 50_000 }), "waits")
    yield* ask(Remind.make({ key: "a", at: 50_000 }), "waits")
    yield* TestClock.adjust("30 seconds")
    const count = (id: string) => postponed.filter((it) => it === id).length
    assert.deepStrictEqual([loads, count("waits")], [2, 1])
    assert.isAtLeast(count("at work"), 5)
    assert.isAtMost(count("at work"), 12)
  })
)

it.effect("asks the actors of its own process without the cluster: a place is one entity, an actor none", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const runner = yield* Layer.build(Layer.fresh(TestRunner.layer))
    const { activeEntityCount } = yield* Effect.provideContext(Sharding.Sharding, runner)
    const placement = Layer.provide(ClusterSystem.layer(), Layer.succeedContext(runner))
    const { ask } = yield* engine(memory.layer, { placement })
    yield* TestClock.adjust(1)
    for (let index = 10; index < 30; index++)
      yield* ask(Add.make({ amount: 1 }), `01981d5e-0000-7000-80aa-0000000000${index}`)
    assert.strictEqual(yield* activeEntityCount, 1)
  })
)
