import { assert, it } from "@effect/vitest"
import { Effect, Exit, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Cells, makeCells } from "../../../src/actors/runtime/Cells.ts"
import { erase } from "../../../src/actors/runtime/Erased.ts"
import type { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { Add, countedIds, journalWith, Read, Start, Toy, type ToyCommand } from "./Toy.ts"
import { workspaceId } from "../../support/Ids.ts"

const toy = erase(Toy)
const twice = Add.make({
  amount: 1,
  idempotency: { workspace_id: workspaceId("w"), method: "POST", route: "/v1/toys", key: "k", fingerprint: "f" }
})

/** Cells that note who comes and goes, and what is answered. */
const watched = (journal: Layer.Layer<Journal>) =>
  Effect.gen(function* () {
    const cells: Cells = yield* makeCells
    const seen: Array<string> = []
    cells.register(toy, () => Effect.never)
    cells.placement = {
      ...cells.placement,
      entered: (_, id) => seen.push(`${id} entered`),
      left: (_, id) => seen.push(`${id} left`),
      wake: (_, id) => seen.push(`${id} woken`)
    }
    const tell = (command: ToyCommand) =>
      cells.route(toy, "one", command, (reply) =>
        seen.push(`${command._tag} ${Exit.isSuccess(reply) ? "done" : "failed"}`)
      )
    return { cells, seen, tell }
  }).pipe(Effect.provide([journal, countedIds]))

it.effect("reports each actor that is loaded into memory and each that leaves it", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { cells, seen, tell } = yield* watched(memory.layer)
    tell(Add.make({ amount: 1 }))
    yield* cells.settled
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(seen, ["one entered", "Add done", "one left"])
  })
)

it.effect("does not load an actor that another process owns", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { cells, seen, tell } = yield* watched(memory.layer)
    cells.placement = { ...cells.placement, owns: () => false }
    tell(Read.make({}))
    yield* cells.settled
    assert.deepStrictEqual([seen, cells.resident], [["one entered", "one left", "Read failed"], 0])
  })
)

it.effect("drops an actor that is evicted while it loads, after it has answered", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const slow = journalWith(memory, ({ load }) => ({ load: (type, id) => Effect.delay(load(type, id), "1 second") }))
    const { cells, seen, tell } = yield* watched(slow)
    tell(Add.make({ amount: 1 }))
    cells.evict("Toy", "one")
    yield* TestClock.adjust("1 second")
    yield* cells.settled
    assert.deepStrictEqual([seen, cells.resident], [["one entered", "Add done", "one left"], 0])
  })
)

it.effect("answers messages in flight when an actor is evicted, and does not load it again", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { cells, seen, tell } = yield* watched(memory.layer)
    tell(Start.make({ key: "a", at: null }))
    tell(twice)
    yield* cells.settled
    memory.hold()
    tell(twice)
    tell(Read.make({}))
    cells.evict("Toy", "one")
    assert.deepStrictEqual(seen.splice(0), ["one entered", "Start done", "Add done"])
    memory.release()
    yield* cells.settled
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual([seen, cells.resident], [["Add failed", "one left", "Read failed"], 0])
  })
)

it.effect("asks the placement to reload an actor whose writes failed", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { cells, seen, tell } = yield* watched(memory.layer)
    memory.failNext()
    tell(Add.make({ amount: 1 }))
    yield* cells.settled
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(seen, ["one entered", "Add failed", "one left", "one woken"])
  })
)
