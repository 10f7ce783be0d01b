import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result, Schema } from "effect"
import { TestRunner } from "effect/cluster"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as ClusterSystem from "../../../src/actors/runtime/ClusterSystem.ts"
import { actor } from "../../../src/actors/runtime/Definition.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { replacedIn, reseal, resealable } from "../../../src/actors/runtime/Resealable.ts"
import { commandsOf, decideBy } from "../../../src/domain/Command.ts"
import { storedState } from "../../../src/domain/state/StoredState.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"

interface Safe {
  readonly sealed: ReadonlyArray<string>
}

const SafeCommands = commandsOf("Safe", {
  Put: { payload: { sealed: Schema.Array(Schema.String) } },
  Show: { reply: Schema.Array(Schema.String) }
})

const safeState = storedState({ schema: Schema.Struct({ sealed: Schema.Array(Schema.String) }), upgrades: [] })

const events: Array<number> = []
const SafeActor = resealable(
  actor<Safe, typeof SafeCommands, Safe, never>({
    type: "Safe",
    commands: SafeCommands,
    initial: () => ({ sealed: [] }),
    restore: safeState.restore((safe) => safe),
    decide: decideBy(() => ({
      Put: (_, { sealed }) => Result.succeed({ events: [{ sealed }], reply: undefined }),
      Show: ({ sealed }) => Result.succeed({ events: [], reply: sealed })
    })),
    evolve: (_, event) => event,
    plan: () => [],
    record: (change) => {
      events.push(change.events.length)
      return { workspace_id: null, state: safeState.write(change.after), columns: {} }
    }
  })
)

const ports = Layer.mergeAll(MemoryJournal.layer, SystemIds.layer)
const cluster = Layer.provide(ClusterSystem.layer({ shortcuts: false }), Layer.fresh(TestRunner.layer))

describe("texts put in place of others", () => {
  const replaced = { old: "new", older: "newer" }
  it.each([
    ["old", "new"],
    ["none", "none"],
    ["toString", "toString"],
    [null, null],
    [7, 7],
    [
      ["old", "x", "older"],
      ["new", "x", "newer"]
    ],
    [
      { a: { b: ["old"] }, c: null, old: 1 },
      { a: { b: ["new"] }, c: null, old: 1 }
    ]
  ])("in %j: %j", (value, expected) => assert.deepStrictEqual<unknown>(replacedIn(value, replaced), expected))

  it("leave values without sealed texts, and values that are not plain, unchanged", () => {
    const value = { a: ["x"], map: new Map([["old", "old"]]) }
    assert.strictEqual(replacedIn(value, replaced), value)
    const changed = replacedIn({ ...value, b: "old" }, replaced)
    assert.strictEqual(changed.map, value.map)
    assert.strictEqual(changed.a, value.a)
  })
})

describe("resealing an actor with declared commands", () => {
  const placements = [
    ["in one process", LocalSystem.layer],
    ["across processes", cluster]
  ] as const
  it.live.each(placements)("%s: replaces the sealed texts and stores no event", ([, placement]) =>
    Effect.gen(function* () {
      const system = yield* ActorSystem
      yield* system.register(SafeActor, () => Effect.void)
      yield* system.ask(SafeCommands.Put, "one", { sealed: ["old", "other"] })
      events.length = 0
      yield* reseal(system, SafeActor, "one", { old: "new", unknown: "x" })
      yield* reseal(system, SafeActor, "one", { unknown: "x" })
      assert.deepStrictEqual(yield* system.ask(SafeCommands.Show, "one", {}), ["new", "other"])
      assert.deepStrictEqual(events, [0])
    }).pipe(Effect.provide(Layer.provide(placement, ports)), Effect.scoped)
  )
})
