import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { engine, type EngineOptions, MemoryJournal, TestEngine, workspace } from "../../src/testing.ts"
import { booksAreRight, pass, place } from "../support/Scenario.ts"
import { caller, children, first, held, lines, phones, second, silent, third } from "../support/Dialling.ts"

describe("at every step of a dial", () => {
  const others = { [first]: talkative(1_300, 4_000), [second]: talkative(1_700, 4_000), [third]: silent }
  const dial: VoiceAction = { dial: { numbers: [first, second, third], timeout: 5 } }
  const options: EngineOptions = {
    phones: phones(others),
    callback: () => Effect.succeed([dial, { say: { text: "Bye." } }])
  }
  const steps = Array.from({ length: 34 }, (_, index) => index * 200)

  const step = Effect.gen(function* () {
    const { drain } = yield* ActorSystem
    yield* Effect.andThen(TestClock.adjust("200 millis"), drain)
  })

  /** Asserts that every leg has ended, at most one was connected, and nothing is held or live. */
  const isOver = (id: string) =>
    Effect.gen(function* () {
      const legs = yield* children(id)
      // The phones die with the engine, so a leg that rang is lost.
      const ends = [
        "completed/normal_clearing",
        "completed/session_lost",
        "canceled/answered_elsewhere",
        "canceled/normal_clearing",
        "no_answer/ring_timeout",
        "failed/session_lost"
      ]
      for (const { hangup_cause, status } of legs) assert.include(ends, `${status}/${hangup_cause}`)
      assert.isAtMost(legs.filter(({ answered_at }) => answered_at !== null).length, 1)
      for (const { cost_minor, status } of legs) assert.strictEqual(cost_minor, status === "completed" ? 300 : 0)
      assert.deepStrictEqual(yield* lines, [])
      assert.strictEqual(yield* held, 0)
      yield* booksAreRight
    })

  it.effect("the caller may hang up, and every leg ends", () =>
    Effect.forEach(steps, (at_ms) =>
      Effect.gen(function* () {
        yield* Effect.flatMap(TestEngine, ({ credit }) => credit(10_000))
        const { id } = yield* place(caller)
        for (let ms = 0; ms < at_ms; ms += 200) yield* step
        yield* Effect.flatMap(Calls, (calls) => calls.terminate(workspace.id, id))
        yield* pass(40)
        yield* isOver(id)
      }).pipe(Effect.provide(engine(options)))
    )
  )

  it.effect("the engine may crash, and continues where it was", () =>
    Effect.forEach(steps, (at_ms) =>
      Effect.gen(function* () {
        const journal = yield* MemoryJournal.make
        const id = yield* Effect.gen(function* () {
          yield* Effect.flatMap(TestEngine, ({ credit }) => credit(10_000))
          const { id } = yield* place(caller)
          for (let ms = 0; ms < at_ms; ms += 200) yield* step
          journal.crash()
          return id
        }).pipe(Effect.provide(engine({ ...options, journal })))
        yield* Effect.andThen(pass(400), isOver(id)).pipe(Effect.provide(engine({ ...options, journal })))
      })
    )
  )
})
