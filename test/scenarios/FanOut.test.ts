import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { Phone } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, PbxSimulator, TestEngine } from "../../src/testing.ts"
import { charges, ended, look, pass, place, scenario } from "../support/Scenario.ts"

const caller = "+254722000000"
const ten = Array.from({ length: 10 }, (_, index) => `+25471100000${index}`)
const lines = Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions)

/** A phone that stays until it is hung up. */
const answersAfter = (after_ms: number): Phone => ({ steps: [{ kind: "answers", after_ms }] })

/** Mulberry32: a delay for each phone, whole tenths of a second so that some answer in the same instant. */
const delays = (seed: number) => {
  let state = seed
  return ten.map(() => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 8) * 100
  })
}

const dialling = (seed: number, first_answer_wins: boolean): EngineOptions => {
  const after = delays(seed)
  return {
    phones: (to) => answersAfter(to === caller ? 0 : after[Number(to.slice(-1))]!),
    callback: ({ body }) =>
      Effect.succeed(
        (JSON.parse(body) as { readonly reason: string }).reason === "answered"
          ? [{ dial: { numbers: ten, first_answer_wins } }]
          : []
      )
  }
}

describe("ten destinations that ring at once", () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    scenario(
      `and answer at random times, some at the same instant: one is connected and no leg is left over (${seed})`,
      dialling(seed, true),
      Effect.gen(function* () {
        const { id } = yield* place(caller, { max_duration_seconds: 60 })
        yield* pass(5)
        const { child_call_ids } = yield* look(id)
        const legs = yield* Effect.forEach(child_call_ids, look)
        assert.lengthOf(legs, 10)
        assert.lengthOf(
          legs.filter(({ status }) => status === "answered"),
          1
        )
        for (const leg of legs.filter(({ status }) => status !== "answered")) {
          ended(leg, { status: "canceled", hangup_cause: "answered_elsewhere", answered_at: null, cost_minor: 0 })
        }
        assert.lengthOf(yield* lines, 2)
        yield* pass(70)
        ended(yield* look(id), { status: "completed", hangup_cause: "max_duration" })
        assert.deepStrictEqual(yield* lines, [])
        assert.lengthOf(yield* charges, 2)
        assert.strictEqual(yield* Effect.flatMap(TestEngine, ({ held_minor }) => held_minor), 0)
      })
    )
  }

  scenario(
    "without first_answer_wins all talk, each with its own hold",
    dialling(7, false),
    Effect.gen(function* () {
      const { id } = yield* place(caller, { max_duration_seconds: 60 })
      yield* pass(5)
      const legs = yield* Effect.forEach((yield* look(id)).child_call_ids, look)
      assert.deepStrictEqual(
        legs.map(({ status }) => status),
        ten.map(() => "answered")
      )
      assert.lengthOf(yield* lines, 11)
      yield* pass(70)
      assert.deepStrictEqual(yield* lines, [])
      assert.lengthOf(yield* charges, 11)
    })
  )

  const slow = dialling(8, true)
  scenario(
    "are all commanded to ring before the first report arrives",
    {
      ...slow,
      callback: (request) => Effect.andThen(Effect.sleep("3 seconds"), slow.callback!(request))
    },
    Effect.gen(function* () {
      const { hold, release } = yield* PbxSimulator
      const { id } = yield* place(caller, { max_duration_seconds: 60 })
      yield* pass(1)
      yield* hold
      yield* pass(5)
      assert.lengthOf(yield* lines, 11)
      assert.lengthOf((yield* look(id)).child_call_ids, 10)
      yield* release
      yield* pass(3)
      assert.lengthOf(yield* lines, 2)
      yield* pass(70)
      assert.deepStrictEqual(yield* lines, [])
    })
  )
})

describe("a leg with a time limit", () => {
  scenario(
    "is hung up at the limit, and the call continues",
    {
      phones: () => answersAfter(0),
      callback: ({ body }) =>
        Effect.succeed(
          (JSON.parse(body) as { readonly reason: string }).reason === "answered"
            ? [{ dial: { number: ten[0]!, time_limit: 61 } }, { pause: { seconds: 5 } }]
            : []
        )
    },
    Effect.gen(function* () {
      const { id } = yield* place(caller)
      yield* pass(63)
      const call = yield* look(id)
      assert.strictEqual(call.status, "answered")
      ended(yield* look(call.child_call_ids[0]!), {
        status: "completed",
        hangup_cause: "max_duration",
        duration_seconds: 61,
        cost_minor: 600
      })
      yield* pass(10)
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
    })
  )
})
