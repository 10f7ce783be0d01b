import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { UnknownError, SqlError } from "effect/sql/SqlError"
import { readThroughCache } from "../../../../src/layers/postgres/cache/ReadThroughCache.ts"

const away = new SqlError({ reason: new UnknownError({ cause: "away" }) })

const make = (capacity?: number) => {
  const source = { value: "old", loads: 0, trusted: true, fails: false }
  const memory = readThroughCache(
    () => source.trusted,
    (key) =>
      Effect.suspend(() => {
        source.loads++
        return source.fails ? Effect.fail(away) : Effect.succeed(`${key} ${source.value}`)
      }),
    capacity
  )
  return { source, memory }
}

it.effect("answers from memory until it is told to forget an entry", () =>
  Effect.gen(function* () {
    const { memory, source } = make()
    assert.strictEqual(yield* memory.get("a"), "a old")
    source.value = "new"
    assert.strictEqual(yield* memory.get("a"), "a old")
    assert.strictEqual(source.loads, 1)
    memory.forget("b")
    assert.strictEqual(yield* memory.get("a"), "a old")
    memory.forget("a")
    assert.strictEqual(yield* memory.get("a"), "a new")
    memory.forgetAll()
    yield* memory.get("a")
    assert.strictEqual(source.loads, 3)
  })
)

it.effect("reads again after a minute, and always while the change feed is down", () =>
  Effect.gen(function* () {
    const { memory, source } = make()
    yield* memory.get("a")
    yield* TestClock.adjust("59 seconds")
    yield* memory.get("a")
    assert.strictEqual(source.loads, 1)
    yield* TestClock.adjust("1 second")
    yield* memory.get("a")
    assert.strictEqual(source.loads, 2)
    source.trusted = false
    yield* memory.get("a")
    yield* memory.get("a")
    assert.strictEqual(source.loads, 4)
  })
)

it.effect("returns the older value if a newer one cannot be read", () =>
  Effect.gen(function* () {
    const { memory, source } = make()
    yield* memory.get("a")
    source.fails = true
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* memory.get("a"), "a old")
    assert.strictEqual(yield* Effect.flip(memory.get("b")), away)
  })
)

it.effect("does not cache a value that was being read when it changed", () =>
  Effect.gen(function* () {
    const arrives = yield* Deferred.make<string>()
    let value: Effect.Effect<string> = Deferred.await(arrives)
    const memory = readThroughCache(
      () => true,
      () => Effect.suspend(() => value)
    )
    const asking = yield* Effect.forkChild(memory.get("a"), { startImmediately: true })
    memory.forget("a")
    value = Effect.succeed("after")
    yield* Deferred.succeed(arrives, "before")
    assert.strictEqual(yield* Fiber.join(asking), "before")
    assert.strictEqual(yield* memory.get("a"), "after")
  })
)

it.effect("reads once for concurrent callers, answers them in order, and survives the interruption of one", () =>
  Effect.gen(function* () {
    const arrives = yield* Deferred.make<string>()
    let loads = 0
    const memory = readThroughCache(
      () => true,
      () => Effect.suspend(() => (loads++, Deferred.await(arrives)))
    )
    const answered: Array<number> = []
    const asking = Array.from({ length: 20 }, (_, turn) => Effect.map(memory.get("a"), () => answered.push(turn)))
    const [first, ...others] = yield* Effect.forEach(asking, (each) =>
      Effect.forkChild(each, { startImmediately: true })
    )
    yield* Fiber.interrupt(first!)
    yield* Deferred.succeed(arrives, "it")
    yield* Fiber.joinAll(others)
    assert.strictEqual(loads, 1)
    assert.deepStrictEqual(answered, asking.map((_, turn) => turn).slice(1))
  })
)

it.effect("makes room for one entry by forgetting the one that was loaded longest ago", () =>
  Effect.gen(function* () {
    const { memory, source } = make(3)
    for (const key of ["a", "b", "c"]) yield* memory.get(key)
    yield* TestClock.adjust("1 minute")
    yield* memory.get("a")
    yield* memory.get("d")
    assert.strictEqual(source.loads, 5)
    source.fails = true
    for (const key of ["a", "c", "d"]) assert.strictEqual(yield* memory.get(key), `${key} old`)
    assert.strictEqual(yield* Effect.flip(memory.get("b")), away)
  })
)

it.effect(
  "caches neither a value that was being read when everything was invalidated, nor keeps others waiting for it",
  () =>
    Effect.gen(function* () {
      const arrives = yield* Deferred.make<string>()
      let value: Effect.Effect<string> = Deferred.await(arrives)
      const memory = readThroughCache(
        () => true,
        () => Effect.suspend(() => value)
      )
      const asking = yield* Effect.forkChild(memory.get("a"), { startImmediately: true })
      memory.forgetAll()
      value = Effect.succeed("after")
      assert.strictEqual(yield* memory.get("a"), "after")
      yield* Deferred.succeed(arrives, "before")
      assert.strictEqual(yield* Fiber.join(asking), "before")
      assert.strictEqual(yield* memory.get("a"), "after")
    })
)
