import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { ClockLeap } from "../../../src/domain/ClockLeap.ts"
import type { ClockReading } from "../../../src/domain/ClockReading.ts"
import { ClockLeaps } from "../../../src/domain/ports/engine/ClockLeaps.ts"
import { layer, SteadyClock } from "../../../src/layers/clock/SteadyClock.ts"

const start = Date.UTC(2026, 10, 20)

/** A machine whose clocks a test moves. */
const makeMachine = () => {
  const now = { wall: start, monotonic: 5_000, uptime: 65_000 }
  let whileRead_ms = 0
  const passes = (ms: number) => {
    now.wall += ms
    now.monotonic += ms
    now.uptime += ms
  }
  const wall = () => {
    const read = now.wall
    passes(whileRead_ms)
    whileRead_ms = 0
    return read
  }
  return {
    sources: { wall, monotonic: () => now.monotonic, uptime: () => now.uptime },
    passes,
    /** The process stands still after its next reading of the wall clock. */
    standsStillWhileRead: (ms: number) => void (whileRead_ms = ms),
    isSet: (by_ms: number) => void (now.wall += by_ms),
    standsStill: (ms: number) => {
      now.wall += ms
      now.uptime += ms
    }
  }
}

const make = Effect.gen(function* () {
  const machine = makeMachine()
  const leaps: Array<ClockLeap> = []
  const clock = new SteadyClock(yield* Clock.Clock, machine.sources, (leap) => leaps.push(leap))
  return { clock, leaps, machine, elapsed: () => clock.currentTimeMillisUnsafe() - start }
})

describe("the engine's clock", () => {
  it.effect("follows the wall clock, and its small corrections", () =>
    Effect.gen(function* () {
      const { elapsed, leaps, machine } = yield* make
      machine.passes(10_000)
      assert.strictEqual(elapsed(), 10_000)
      machine.isSet(900)
      assert.strictEqual(elapsed(), 10_900)
      machine.isSet(-900)
      assert.strictEqual(elapsed(), 10_000)
      machine.passes(86_400_000)
      assert.strictEqual(elapsed(), 86_410_000)
      assert.deepStrictEqual(leaps, [])
    })
  )

  it.effect("sees a clock that was set back to the millisecond of its last reading one millisecond later", () =>
    Effect.gen(function* () {
      const { elapsed, leaps, machine } = yield* make
      machine.passes(5_000)
      assert.strictEqual(elapsed(), 5_000)
      machine.passes(10_000)
      machine.isSet(-10_000)
      assert.strictEqual(elapsed(), 5_000)
      machine.passes(1)
      assert.strictEqual(elapsed(), 15_001)
      assert.deepStrictEqual(leaps, [{ kind: "set", by_ms: -10_000 }])
    })
  )

  it.effect("takes a process that stood still between its readings for no leap", () =>
    Effect.gen(function* () {
      const { elapsed, leaps, machine } = yield* make
      machine.passes(10_000)
      machine.standsStillWhileRead(5_000)
      assert.strictEqual(elapsed(), 15_000)
      machine.passes(10)
      assert.strictEqual(elapsed(), 15_010)
      assert.deepStrictEqual(leaps, [])
    })
  )

  it.effect.each([86_400_000, -86_400_000, 1_000, -90_000])(
    "goes on when the clock is set by %s ms, until told",
    (by_ms) =>
      Effect.gen(function* () {
        const { clock, elapsed, leaps, machine } = yield* make
        machine.passes(10_000)
        machine.isSet(by_ms)
        machine.passes(50)
        assert.strictEqual(elapsed(), 10_050)
        machine.passes(50)
        assert.strictEqual(elapsed(), 10_100)
        assert.deepStrictEqual(leaps, [{ kind: "set", by_ms }])
        clock.follow(by_ms)
        assert.strictEqual(elapsed(), 10_100 + by_ms)
        machine.isSet(-by_ms)
        assert.strictEqual(elapsed(), 10_100 + by_ms)
        clock.follow(-by_ms)
        assert.strictEqual(elapsed(), 10_100)
      })
  )

  it.effect("counts the time while the machine stood still", () =>
    Effect.gen(function* () {
      const { elapsed, leaps, machine } = yield* make
      machine.passes(10_000)
      machine.standsStill(3_600_000)
      assert.strictEqual(elapsed(), 3_610_000)
      assert.deepStrictEqual(leaps, [{ kind: "stood_still", by_ms: 3_600_000 }])
    })
  )

  it.effect("tells a clock that was set while the machine stood still from the time that passed", () =>
    Effect.gen(function* () {
      const { elapsed, leaps, machine } = yield* make
      machine.standsStill(3_600_000)
      machine.isSet(86_400_000)
      assert.strictEqual(elapsed(), 3_600_000)
      assert.deepStrictEqual(leaps, [
        { kind: "stood_still", by_ms: 3_600_000 },
        { kind: "set", by_ms: 86_400_000 }
      ])
    })
  )

  it.effect("looks every second, also when nobody asks for the time", () =>
    Effect.gen(function* () {
      const machine = makeMachine()
      const context = yield* Layer.build(layer(() => machine.sources))
      const { follow, history, next } = Context.get(context, ClockLeaps)
      assert.deepStrictEqual(history(), { count: 0, last: undefined })
      const clock = yield* Effect.provide(Clock.Clock, context)
      machine.isSet(7_200_000)
      yield* TestClock.adjust("1 second")
      const leap = yield* next
      assert.deepStrictEqual(leap, { kind: "set", by_ms: 7_200_000 })
      assert.strictEqual(clock.currentTimeMillisUnsafe(), start)
      const at = start + 7_200_000
      assert.deepStrictEqual(history(), { count: 1, last: { kind: "set", by_ms: 7_200_000, at } })
      follow(leap)
      assert.strictEqual(clock.currentTimeMillisUnsafe(), start + 7_200_000)
    })
  )
})

describe("the clock of an engine that starts again", () => {
  const hour_ms = 3_600_000

  /** Engines of one machine, one after the other. Each returns what it found, and ends. */
  const makeEngines = () => {
    const machine = makeMachine()
    const writes: Array<ClockReading> = []
    const kept = {
      boot_id: "b",
      read: Effect.sync(() => writes.at(-1)),
      write: (reading: ClockReading) => Effect.sync(() => void writes.push(reading))
    }
    const run = <A>(use: (clock: Clock.Clock, leaps: ClockLeaps["Service"]) => Effect.Effect<A>) =>
      Effect.scoped(
        Effect.flatMap(Layer.build(Layer.fresh(layer(() => machine.sources, kept))), (context) =>
          use(Context.getUnsafe(context, Clock.Clock), Context.get(context, ClockLeaps))
        )
      )
    return { machine, run, writes }
  }

  it.effect.each([hour_ms, -hour_ms])("knows that it was set by %s ms, and goes on until calls were told", (by_ms) =>
    Effect.gen(function* () {
      const { machine, run } = makeEngines()
      yield* run((_clock, { keep }) => keep)
      machine.passes(60_000)
      machine.isSet(by_ms)
      yield* run((clock, leaps) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(leaps.whileDown, { kind: "set", by_ms })
          assert.strictEqual(clock.currentTimeMillisUnsafe() - start, 60_000)
          assert.deepInclude(leaps.history(), { count: 1 })
          // It dies before it has told them: the next one knows it, too.
        })
      )
      yield* run((clock, leaps) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(leaps.whileDown, { kind: "set", by_ms })
          leaps.follow({ kind: "set", by_ms })
          assert.strictEqual(clock.currentTimeMillisUnsafe() - start, 60_000 + by_ms)
          yield* leaps.keep
        })
      )
      machine.passes(60_000)
      yield* run((clock, leaps) =>
        Effect.sync(() => {
          assert.isUndefined(leaps.whileDown)
          assert.strictEqual(clock.currentTimeMillisUnsafe() - start, 120_000 + by_ms)
        })
      )
    })
  )

  it.effect("is not set because the machine stood still or a day passed", () =>
    Effect.gen(function* () {
      const { machine, run } = makeEngines()
      yield* run((_clock, { keep }) => keep)
      machine.standsStill(hour_ms)
      machine.passes(24 * hour_ms)
      yield* run((clock, { whileDown }) =>
        Effect.sync(() => {
          assert.isUndefined(whileDown)
          assert.strictEqual(clock.currentTimeMillisUnsafe() - start, 25 * hour_ms)
        })
      )
    })
  )

  it.effect("keeps a reading when there is something new, and not each second", () =>
    Effect.gen(function* () {
      const { machine, run, writes } = makeEngines()
      yield* run(() =>
        Effect.gen(function* () {
          yield* TestClock.adjust("10 seconds")
          assert.lengthOf(writes, 1)
          machine.isSet(700)
          yield* TestClock.adjust("1 second")
          assert.lengthOf(writes, 2)
        })
      )
    })
  )
})
