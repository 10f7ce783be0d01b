import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import * as FollowClock from "../../../src/actors/calls/FollowClock.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { CallCommands } from "../../../src/domain/calls/state/CallCommand.ts"
import { noLeaps } from "../../../src/domain/ClockLeap.ts"
import { Timers } from "../../../src/actors/runtime/Timers.ts"
import type { Alarm } from "../../../src/domain/journal/Rows.ts"
import { ClockLeaps } from "../../../src/domain/ports/engine/ClockLeaps.ts"
import { Journal } from "../../../src/domain/ports/engine/Journal.ts"
import * as SteadyClock from "../../../src/layers/clock/SteadyClock.ts"
import { FakeActors } from "../../support/FakeActors.ts"

const start = Date.UTC(2026, 10, 20)
const hour_ms = 3_600_000

/** The clock of an engine on a machine whose clocks the test moves, and what its actors are told. */
const make = Effect.gen(function* () {
  const test = yield* Clock.Clock
  const ahead = { wall_ms: 0, uptime_ms: 0 }
  const passed = () => test.currentTimeMillisUnsafe()
  const machine = {
    wall: () => start + passed() + ahead.wall_ms,
    monotonic: () => passed(),
    uptime: () => passed() + ahead.uptime_ms
  }
  const context = yield* Layer.build(SteadyClock.layer(() => machine))
  const clock = yield* Effect.provide(Clock.Clock, context)
  const timers = new Timers(clock, Effect.runForkWith(Context.merge(yield* Effect.context<never>(), context)))
  const told: Array<string> = []
  const seconds = () => Math.floor((clock.currentTimeMillisUnsafe() - start) / 1_000)
  const system = Layer.mock(ActorSystem)({
    tellAll: ({ tag }, given, follow) =>
      Effect.sync(() => {
        told.push(`${tag} ${JSON.stringify(given)} at ${seconds()} s`)
        follow()
        told.push(`the clock shows ${seconds()} s`)
        return 1
      }),
    recheckDeadlines: Effect.sync(() => timers.resume())
  })
  yield* Layer.build(FollowClock.layer.pipe(Layer.provide([system, Layer.succeedContext(context)])))
  return { ahead, seconds, timers, told }
})

describe("an engine whose machine stood still", () => {
  it.effect("does within two seconds of waking what fell due meanwhile", () =>
    Effect.gen(function* () {
      const { ahead, seconds, timers } = yield* make
      const fired: Array<number> = []
      timers.set(start + 600_000, () => fired.push(seconds()))
      timers.set(start + 2 * hour_ms, () => fired.push(seconds()))
      yield* TestClock.adjust("10 seconds")
      ahead.wall_ms = hour_ms
      ahead.uptime_ms = hour_ms
      yield* TestClock.adjust("2 seconds")
      assert.lengthOf(fired, 1)
      assert.isAtMost(fired[0] ?? 0, 3_612)
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(fired.slice(1), [7_200])
    }).pipe(Effect.provide(Logger.layer([])))
  )
})

describe("an engine whose clock is set", () => {
  it.effect.each([hour_ms, -hour_ms, 24 * hour_ms])("tells its calls by how much before it follows: %s ms", (by_ms) =>
    Effect.gen(function* () {
      const { ahead, told } = yield* make
      yield* TestClock.adjust("10 seconds")
      ahead.wall_ms = by_ms
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(told, [`ClockSet {"by_ms":${by_ms}} at 11 s`, `the clock shows ${by_ms / 1_000 + 11} s`])
    }).pipe(Effect.provide(Logger.layer([])))
  )
})

describe("an engine whose clock was set while it was down", () => {
  /** Alarms in pages, which move when their calls are told. */
  const makeAlarms = (count: number) => {
    const due = new Map<string, number>()
    for (let n = 0; n < count; n++) due.set(callId(n), start + n)
    const sorted = (): ReadonlyArray<Alarm> =>
      [...due]
        .map(([actor_id, due_at]) => ({ actor_type: "Call", actor_id, due_at }))
        .sort((one, other) => one.due_at - other.due_at)
    const isAfter = (alarm: Alarm, after: Alarm | undefined) => after === undefined || alarm.due_at > after.due_at
    return {
      moves: (id: string, by_ms: number) => due.set(id, (due.get(id) ?? 0) + by_ms),
      alarms: ({ after, limit }: { readonly after?: Alarm; readonly limit: number }) => {
        const wallet: Alarm = { actor_type: "Wallet", actor_id: "w", due_at: start + 0.5 }
        const all = after === undefined ? [wallet, ...sorted()] : sorted()
        return Effect.succeed(all.filter((alarm) => isAfter(alarm, after)).slice(0, limit))
      }
    }
  }
  const callId = (n: number) => `01981d5e-6d5e-7b43-9a51-${String(n).padStart(12, "0")}`

  it.effect("tells each stored call once, then follows, and keeps that", () =>
    Effect.gen(function* () {
      const { alarms, moves } = makeAlarms(2_500)
      const told: Array<string> = []
      const done: Array<string> = []
      const actors = new FakeActors().answer(CallCommands.ClockSet, (id, { by_ms }) =>
        Effect.suspend(() => {
          told.push(id)
          moves(id, by_ms)
          return id === callId(7) ? Effect.die("It cannot be read.") : Effect.void
        })
      )
      yield* Effect.provide(FollowClock.followWhileDown, [
        Layer.mock(Journal)({ alarms, append: () => {}, appendTied: () => {}, onFanOut: () => () => {} }),
        Layer.mock(ActorSystem)({ ask: actors.ask }),
        Layer.succeed(ClockLeaps)({
          whileDown: { kind: "set", by_ms: hour_ms },
          follow: ({ by_ms }) => void done.push(`follows ${by_ms} after ${told.length}`),
          keep: Effect.sync(() => void done.push("keeps")),
          common: undefined,
          next: Effect.never,
          history: () => noLeaps
        })
      ])
      assert.lengthOf(told, 2_500)
      assert.strictEqual(new Set(told).size, 2_500)
      assert.deepStrictEqual(done, [`follows ${hour_ms} after 2500`, "keeps"])
    }).pipe(Effect.provide(Logger.layer([])))
  )
})

describe("two processes of a cluster, each on its own machine", () => {
  /** One machine, whose clock can be set, with the clock of the database. `database_ms`: how far that one was set. */
  const makeMachine = (database: { database_ms: number; answers: boolean }, wrong_ms = 0) =>
    Effect.gen(function* () {
      const test = yield* Clock.Clock
      const passed = () => test.currentTimeMillisUnsafe()
      const machine = { wall_ms: wrong_ms }
      const sources = { wall: () => start + passed() + machine.wall_ms, monotonic: passed, uptime: passed }
      const context = yield* Layer.build(Layer.fresh(SteadyClock.layer(() => sources)))
      const clock = Context.getUnsafe(context, Clock.Clock)
      const leaps = Context.get(context, ClockLeaps)
      const ahead_ms = Effect.sync(() =>
        database.answers ? clock.currentTimeMillisUnsafe() - (start + passed() + database.database_ms) : undefined
      )
      const told: Array<number> = []
      const system = Layer.mock(ActorSystem)({
        tellAll: (_command, given, follow) =>
          Effect.sync(() => {
            told.push(Number(Object.values(given)[0]))
            follow()
            return 1
          }),
        recheckDeadlines: Effect.void
      })
      const given = Context.add(context, ClockLeaps, { ...leaps, common: { ahead_ms } })
      const journal = Layer.mock(Journal)({ append: () => {}, appendTied: () => {}, onFanOut: () => () => {} })
      const follows = Layer.effectDiscard(FollowClock.followWhileDown).pipe(
        Layer.provideMerge(FollowClock.layer),
        Layer.provide([system, journal, Layer.succeedContext(given)])
      )
      yield* Layer.build(Layer.fresh(follows))
      return { isSet: (by_ms: number) => void (machine.wall_ms += by_ms), shows: clock, told }
    })

  const elapsed = ({ shows }: { readonly shows: Clock.Clock }) => shows.currentTimeMillisUnsafe() - start

  it.effect("agree on the time when the clock of one is set, so that a call may move between them", () =>
    Effect.gen(function* () {
      const database = { database_ms: 0, answers: true }
      const one = yield* makeMachine(database)
      const two = yield* makeMachine(database, hour_ms)
      for (const by_ms of [hour_ms, -2 * hour_ms]) {
        one.isSet(by_ms)
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual(elapsed(one), elapsed(two))
      }
      assert.strictEqual(elapsed(one), 60_000)
      assert.deepStrictEqual(one.told, [])
      // It had no calls yet when it found that its clock was wrong.
      assert.deepStrictEqual(two.told, [-hour_ms])
    }).pipe(Effect.provide(Logger.layer([])))
  )

  it.effect("both tell their calls when the clock of the database is set, and wait while it does not answer", () =>
    Effect.gen(function* () {
      const database = { database_ms: 0, answers: false }
      const both = [yield* makeMachine(database), yield* makeMachine(database)]
      database.database_ms = -hour_ms
      both[0]!.isSet(-hour_ms)
      yield* TestClock.adjust("30 seconds")
      for (const one of both) assert.deepStrictEqual([elapsed(one), one.told], [30_000, []])
      database.answers = true
      yield* TestClock.adjust("10 seconds")
      for (const one of both) assert.deepStrictEqual([elapsed(one), one.told], [40_000 - hour_ms, [-hour_ms]])
    }).pipe(Effect.provide(Logger.layer([])))
  )
})
