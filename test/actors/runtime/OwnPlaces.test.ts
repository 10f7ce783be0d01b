import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeCells } from "../../../src/actors/runtime/Cells.ts"
import { erase } from "../../../src/actors/runtime/Erased.ts"
import { OwnPlaces } from "../../../src/actors/runtime/OwnPlaces.ts"
import { placeOf } from "../../../src/domain/ActorPlace.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { Add, countedIds, Start, Toy, type ToyCommand } from "./Toy.ts"

const toy = erase(Toy)
const [one, two, elsewhere] = ["01", "02", "03"].map((byte) => `01981d5e-0000-7000-80${byte}-000000000001`) as [
  string,
  string,
  string
]
const sameAsOne = "01981d5e-0000-7000-8001-000000000002"

/** Cells whose process has the places of `one` and `two`, until a test takes one away. */
const placed = (attempt: Effect.Effect<void, string> = Effect.void) =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const cells = yield* makeCells.pipe(Effect.provide([memory.layer, countedIds]))
    const own = new Set([one, two].map(placeOf))
    const watched: Array<number> = []
    const places = new OwnPlaces(
      cells,
      (place) => own.has(place),
      (place) =>
        Effect.andThen(
          Effect.sync(() => watched.push(place)),
          attempt
        )
    )
    cells.register(toy, () => Effect.never)
    const { entered, left, owns } = places
    cells.placement = { ...cells.placement, owns: (_, id) => owns(id), entered, left }
    const answers: Array<string> = []
    const tell = (id: string, command: ToyCommand) =>
      cells.route(toy, id, command, (reply) => answers.push(Exit.isSuccess(reply) ? "done" : "failed"))
    const work = (id: string) => tell(id, Start.make({ key: "a", at: null }))
    return { answers, cells, memory, own, places, tell, watched, work }
  })

it.effect("a process runs the actors of its own places alone, and watches each of these places once", () =>
  Effect.gen(function* () {
    const { answers, cells, places, watched, work } = yield* placed()
    for (const id of [one, sameAsOne, two]) work(id)
    yield* cells.settled
    assert.deepStrictEqual(answers, ["done", "done", "done"])
    assert.deepStrictEqual(watched, [placeOf(one), placeOf(two)])
    assert.isFalse(places.owns(elsewhere))
    work(elsewhere)
    yield* cells.settled
    assert.deepStrictEqual([answers.at(-1), cells.resident], ["failed", 3])
  })
)

it.effect("leaves a place when the last commits of its actors are stored, and not the other places", () =>
  Effect.gen(function* () {
    const { answers, cells, memory, places, tell, work } = yield* placed()
    for (const id of [one, two]) work(id)
    yield* cells.settled
    memory.hold()
    tell(one, Add.make({ amount: 1 }))
    const leaving = yield* Effect.forkChild(places.leave(placeOf(one)), { startImmediately: true })
    yield* TestClock.adjust("1 second")
    assert.isUndefined(leaving.pollUnsafe())
    memory.release()
    yield* Fiber.join(leaving)
    assert.deepStrictEqual([answers, cells.resident], [["done", "done", "done"], 1])
    assert.isTrue(cells.has("Toy", two))
  })
)

it.effect("leaves a place after five seconds, even if a commit is still on its way", () =>
  Effect.gen(function* () {
    const { cells, memory, places, tell } = yield* placed()
    memory.hold()
    tell(one, Add.make({ amount: 1 }))
    yield* Effect.yieldNow
    const leaving = yield* Effect.forkChild(places.leave(placeOf(one)), { startImmediately: true })
    yield* TestClock.adjust("4900 millis")
    assert.isUndefined(leaving.pollUnsafe())
    yield* TestClock.adjust("100 millis")
    yield* Fiber.join(leaving)
    memory.release()
    yield* cells.settled
  })
)

it.effect("takes the actors of a place out of memory that was lost without notice", () =>
  Effect.gen(function* () {
    const { cells, own, places, work } = yield* placed()
    yield* Effect.forkScoped(places.evictLost)
    for (const id of [one, two]) work(id)
    yield* cells.settled
    own.delete(placeOf(one))
    yield* TestClock.adjust("1 second")
    yield* cells.settled
    assert.deepStrictEqual([cells.has("Toy", one), cells.has("Toy", two)], [false, true])
  })
)

it.effect("watches a place again after an attempt that failed, and after the place was away", () =>
  Effect.gen(function* () {
    const failing = yield* placed(Effect.fail("no process has the place"))
    for (const id of [one, sameAsOne]) {
      failing.work(id)
      yield* failing.cells.settled
    }
    assert.deepStrictEqual(failing.watched, [placeOf(one), placeOf(one)])
    const { cells, places, watched, work } = yield* placed()
    work(one)
    yield* cells.settled
    yield* places.leave(placeOf(one))
    work(one)
    yield* cells.settled
    assert.deepStrictEqual(watched, [placeOf(one), placeOf(one)])
  })
)
