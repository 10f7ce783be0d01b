// The talk-time limit that the PBX enforces if the engine is gone, as the money comes and goes.
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { callOfState } from "../../src/domain/calls/state/StoredCall.ts"
import { PbxSimulator, TestEngine } from "../../src/testing.ts"
import { charges, ended, kinds, look, pass, place, scenario } from "../support/Scenario.ts"
import { type CallId, toSessionId } from "../../src/domain/BrandedIds.ts"

const talk = { callback: () => Effect.succeed([{ say: { text: "x".repeat(3_000) } }]) }
/** A phone that answers after a second and stays. */
const phones = () => ({
  steps: [
    { kind: "rings", after_ms: 0 },
    { kind: "answers", after_ms: 1_000 }
  ] as const
})
const options = { ...talk, phones }

const talkLimitOf = (session_id: string) =>
  Effect.flatMap(PbxSimulator, (pbx) =>
    Effect.map(pbx.look(toSessionId(session_id)), (session) => session?.talk_limit_seconds)
  )
const credit = (amount_minor: number) => Effect.flatMap(TestEngine, (engine) => engine.credit(amount_minor))
/** How often the limit of a call was changed. */
const trailOf = (id: CallId) =>
  Effect.map(TestEngine, ({ journal }) => {
    const { state } = journal.tables.snapshot("Call", id)!
    return { limits: callOfState(id, state).commands!.flatMap(([name]) => (name.startsWith("limit") ? [name] : [])) }
  })

describe("the talk-time limit of a call", () => {
  scenario(
    "is the maximum duration if there is plenty of money, and is sent once",
    options,
    Effect.gen(function* () {
      const { id, session_id } = yield* place("+254700000002", { max_duration_seconds: 600 })
      yield* pass(150)
      assert.strictEqual(yield* talkLimitOf(session_id), 660)
      assert.deepStrictEqual((yield* trailOf(id)).limits, [])
    })
  )

  scenario(
    "shrinks when another call uses the same wallet, and grows after a top-up",
    { ...options, money: 1_200 },
    Effect.gen(function* () {
      const one = yield* place("+254700000002")
      yield* pass(1)
      assert.strictEqual(yield* talkLimitOf(one.session_id), 300)
      yield* pass(20)
      const other = yield* place("+254700000003")
      yield* pass(1)
      // Two minutes are held; each call could use the two that are left.
      assert.strictEqual(yield* talkLimitOf(other.session_id), 240)
      yield* pass(30)
      assert.strictEqual(yield* talkLimitOf(one.session_id), 240)
      yield* pass(20)
      assert.strictEqual(yield* talkLimitOf(other.session_id), 180)
      yield* pass(40)
      assert.include(yield* kinds(one.id), "call.balance_low")
      assert.strictEqual(yield* talkLimitOf(one.session_id), 180)
      yield* credit(100_000)
      yield* pass(2)
      assert.strictEqual(yield* talkLimitOf(one.session_id), 14_460)
      yield* pass(30)
      assert.strictEqual(yield* talkLimitOf(other.session_id), 14_460)
      assert.deepStrictEqual((yield* trailOf(one.id)).limits, ["limit:1", "limit:2", "limit:3"])
      ended(yield* look(one.id), { status: "answered" })
    })
  )

  scenario(
    "is not reached by a talk that a top-up saves in the last second",
    { ...options, money: 300 },
    Effect.gen(function* () {
      const { id, session_id } = yield* place("+254700000002", { max_duration_seconds: 600 })
      yield* pass(1 + 58)
      assert.strictEqual(yield* talkLimitOf(session_id), 120)
      yield* credit(30_000)
      yield* pass(120)
      ended(yield* look(id), { status: "answered" })
      assert.strictEqual(yield* talkLimitOf(session_id), 660)
    })
  )

  scenario(
    "of one leg counts the money that several legs share",
    {
      ...talk,
      money: 1_000,
      phones: (to) => ({
        steps: [
          { kind: "rings", after_ms: 0 },
          { kind: "answers", after_ms: to.endsWith("2") ? 1_000 : 3_000 }
        ]
      }),
      callback: () => Effect.succeed([{ dial: { numbers: ["+254700000003", "+254700000004"] } }])
    },
    Effect.gen(function* () {
      const { id } = yield* place("+254700000002")
      yield* pass(1 + 1)
      const legs = yield* Effect.flatMap(look(id), ({ child_call_ids }) => Effect.forEach(child_call_ids, look))
      // Six hundred are set aside for the call and for whichever leg is taken: of the rest one minute more.
      assert.deepStrictEqual(yield* Effect.forEach(legs, ({ session_id }) => talkLimitOf(session_id)), [180, 180])
      yield* pass(2)
      const taken = yield* Effect.flatMap(
        Effect.forEach(legs, ({ id }) => look(id)),
        (all) => Effect.succeed(all.find(({ status }) => status === "answered")!)
      )
      assert.strictEqual(yield* talkLimitOf(taken.session_id), 180)
      assert.deepStrictEqual((yield* trailOf(taken.id)).limits, [])
    })
  )

  scenario(
    "ends a talk that the engine cannot end, at most a minute late, and the customer pays for held minutes only",
    { ...options, money: 300 },
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      const { id } = yield* place("+254700000002")
      yield* pass(10)
      yield* pbx.disconnect
      yield* pass(60)
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "balance_exhausted",
        duration_seconds: 60,
        cost_minor: 300
      })
      assert.lengthOf(yield* pbx.live_sessions, 1)
      yield* pass(60)
      assert.deepStrictEqual(yield* pbx.live_sessions, [])
      yield* pbx.connect
      yield* pass(5)
      assert.lengthOf(yield* charges, 1)
    })
  )

  scenario(
    "delays no call if the PBX never acknowledges it",
    { ...options, money: 900 },
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      const one = yield* place("+254700000002")
      yield* pass(10)
      const other = yield* place("+254700000003")
      yield* pass(2)
      yield* pbx.disconnect
      yield* pass(60 + 60)
      assert.deepStrictEqual((yield* trailOf(one.id)).limits, ["limit:1"])
      assert.deepInclude(yield* look(one.id), { status: "answered", terminating: true })
      // The PBX comes back and hangs up, as it was told: nobody had hung up before.
      yield* pbx.connect
      yield* pass(5)
      ended(yield* look(one.id), {
        status: "completed",
        hangup_cause: "balance_exhausted",
        duration_seconds: 120,
        cost_minor: 600
      })
      ended(yield* look(other.id), {
        status: "completed",
        hangup_cause: "balance_exhausted",
        duration_seconds: 60,
        cost_minor: 300
      })
      assert.deepStrictEqual(yield* pbx.live_sessions, [])
      assert.lengthOf(yield* charges, 2)
    })
  )

  scenario(
    "charges for no talk that a PBX reports too late",
    { ...options, money: 600 },
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      const { id } = yield* place("+254700000002")
      yield* pass(10)
      yield* pbx.disconnect
      // Its money is over after two minutes, and then its PBX has a minute.
      yield* pass(120 + 40)
      assert.deepInclude(yield* look(id), { status: "answered", terminating: true })
      yield* pass(20)
      // The PBX was heard last when the phone was answered.
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "session_lost",
        duration_seconds: 1,
        cost_minor: 300
      })
      yield* pbx.connect
      yield* pass(5)
      assert.deepStrictEqual(yield* pbx.live_sessions, [])
      assert.lengthOf(yield* charges, 1)
    })
  )
})
