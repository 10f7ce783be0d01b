// Calls that are placed with their actions, so that no callback is asked when they are answered.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { engine, type EngineOptions, TestEngine, workspace } from "../../src/testing.ts"
import { Calls } from "../../src/actors/calls/Calls.ts"
import type { OriginateRequest } from "../../src/domain/calls/verbs/OriginateRequest.ts"
import { charges, ended, kinds, look, pass, scenario } from "../support/Scenario.ts"

type Actions = NonNullable<OriginateRequest["actions"]>

const asked: Array<unknown> = []
const options: EngineOptions = {
  callback: ({ body }) => {
    asked.push(JSON.parse(body))
    return Effect.succeed([{ hangup: {} }])
  }
}

const placeWith = (actions: Actions, more: Partial<OriginateRequest> = {}, to = "+99900000001") =>
  Effect.flatMap(Calls, (calls) => calls.originate(workspace.id, { to, from: workspace.number, actions, ...more }))

const nothingAsked = Effect.sync(() => assert.deepStrictEqual(asked.splice(0), []))

describe("a call that is placed with its actions", () => {
  scenario(
    "carries them out in order when it is answered, and asks no callback",
    options,
    Effect.gen(function* () {
      const { id } = yield* placeWith([{ tag: { metadata: { by: "me" } } }, { say: { text: "Hello." } }])
      yield* pass(20)
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
      assert.deepStrictEqual((yield* look(id)).metadata, { by: "me" })
      assert.includeMembers(yield* kinds(id), ["call.answered", "call.completed"])
      assert.lengthOf(yield* charges, 1)
      yield* nothingAsked
    })
  )

  scenario(
    "hangs up at once if that is the first action",
    options,
    Effect.gen(function* () {
      const { id } = yield* placeWith([{ hangup: { reason: "busy" } }])
      yield* pass(3)
      ended(yield* look(id), { status: "completed", hangup_cause: "user_busy" })
      yield* nothingAsked
    })
  )

  scenario(
    "begins them after machine detection, if that is wanted",
    options,
    Effect.gen(function* () {
      const detecting = { machine_detection: "detect", machine_detection_timeout_seconds: 5 } as const
      const { id } = yield* placeWith([{ hangup: {} }], detecting, "+99900000006")
      yield* pass(5)
      ended(yield* look(id), { status: "completed", hangup_cause: "machine_detected", answered_by: "machine" })
      yield* nothingAsked
    })
  )

  scenario(
    "asks the callbacks that they name",
    options,
    Effect.gen(function* () {
      const { id } = yield* placeWith([{ redirect: { url: "https://app.test/next" } }])
      yield* pass(5)
      assert.deepInclude(asked.splice(0)[0] as object, { reason: "redirect", call_id: id })
      ended(yield* look(id), { status: "completed", hangup_cause: "normal_clearing" })
    })
  )

  scenario(
    "dials",
    options,
    Effect.gen(function* () {
      const { id } = yield* placeWith([{ dial: { number: "+99900000008", timeout: 20 } }])
      yield* pass(90)
      const { child_call_ids } = yield* look(id)
      assert.lengthOf(child_call_ids, 1)
      yield* nothingAsked
    })
  )

  for (const second of [0, 1, 2, 4]) {
    it.effect(`goes on after a crash at ${second} s, and is charged once`, () =>
      Effect.gen(function* () {
        const journal = yield* MemoryJournal.make
        const id = yield* Effect.gen(function* () {
          yield* Effect.flatMap(TestEngine, ({ credit }) => credit(100_000))
          const call = yield* placeWith([{ pause: { seconds: 8 } }, { say: { text: "Hello." } }])
          yield* pass(second)
          journal.crash()
          return call.id
        }).pipe(Effect.provide(engine({ ...options, journal })))
        yield* Effect.gen(function* () {
          yield* pass(120)
          const record = yield* look(id)
          assert.isNotNull(record.ended_at)
          assert.strictEqual((yield* charges).length, record.answered_at === null ? 0 : 1)
        }).pipe(Effect.provide(engine({ ...options, journal })))
      })
    )
  }

  const refused: ReadonlyArray<readonly [Actions, string, string]> = [
    [[{ shout: {} }], "/actions/0/shout", "voice_action_invalid"],
    [[{ hangup: {} }, { say: {} }], "/actions/1/say/text", "voice_action_invalid"],
    [[{ reject: {} }], "/actions/0/reject", "misplaced"]
  ]
  for (const [actions, field, code] of refused)
    scenario(
      `is refused before anything rings: ${JSON.stringify(actions)}`,
      options,
      Effect.gen(function* () {
        const answer = yield* Effect.result(placeWith(actions))
        assert.isTrue(Result.isFailure(answer))
        if (Result.isSuccess(answer)) return
        const { details } = answer.failure as { readonly details?: ReadonlyArray<object> }
        assert.deepInclude(details?.[0] ?? {}, { field, code })
        assert.strictEqual(yield* Effect.flatMap(TestEngine, ({ held_minor }) => held_minor), 0)
      })
    )
})
