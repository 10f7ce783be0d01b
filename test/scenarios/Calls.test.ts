import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { placeOf } from "../../src/domain/ActorPlace.ts"
import {
  CallbackFailure,
  engine,
  type EngineOptions,
  MemoryJournal,
  PbxSimulator,
  TestEngine,
  workspace
} from "../../src/testing.ts"
import { booksAreRight, charges, ended, kinds, look, pass, place, scenario } from "../support/Scenario.ts"

describe("an outbound call", () => {
  scenario(
    "is answered, follows its actions, completes and is charged",
    {
      callback: () => Effect.succeed([{ say: { text: "Hello there" } }])
    },
    Effect.gen(function* () {
      const { balance_minor, held_minor } = yield* TestEngine
      const { id, status } = yield* place("+99900000001")
      assert.strictEqual(status, "ringing")
      assert.strictEqual(yield* held_minor, 300)
      yield* pass(1)
      assert.isNotNull((yield* look(id)).ringing_at)
      yield* pass(1)
      ended(yield* look(id), { status: "answered", ended_at: null })
      yield* pass(5)
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "actions_ended",
        hangup_source: "workspace",
        cost_minor: 300,
        billed_seconds: 1,
        duration_seconds: 1
      })
      assert.strictEqual(yield* balance_minor, 99_700)
      assert.strictEqual(yield* held_minor, 0)
      assert.deepStrictEqual(yield* kinds(id), ["call.ringing", "call.progress", "call.answered", "call.completed"])
      assert.lengthOf(yield* charges, 1)
      assert.deepStrictEqual(yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions), [])
    })
  )

  scenario(
    "gets an id by which it lives in the process of its workspace",
    {},
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      assert.strictEqual(placeOf(id), placeOf(workspace.id))
    })
  )

  scenario(
    "of 65 seconds costs two minutes",
    {
      callback: () => Effect.succeed([{ say: { text: "x".repeat(3000) } }])
    },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(70)
      ended(yield* look(id), {
        status: "completed",
        hangup_source: "callee",
        hangup_cause: "normal_clearing",
        duration_seconds: 65,
        cost_minor: 600
      })
    })
  )

  for (const [to, status, cause, sip_code] of [
    ["+99900000002", "busy", "user_busy", 486],
    ["+99900000004", "failed", "service_unavailable", 503]
  ] as const) {
    scenario(
      `to ${to} ends ${status} and costs nothing`,
      {},
      Effect.gen(function* () {
        const { id } = yield* place(to)
        yield* pass(3)
        ended(yield* look(id), { status, hangup_cause: cause, sip_code, cost_minor: 0, answered_at: null })
        assert.strictEqual(yield* Effect.flatMap(TestEngine, ({ held_minor }) => held_minor), 0)
      })
    )
  }

  scenario(
    "that nobody answers ends at its ring timeout, not before",
    {},
    Effect.gen(function* () {
      const { id } = yield* place("+99900000003", { timeout_seconds: 20 })
      yield* pass(19)
      ended(yield* look(id), { status: "ringing" })
      yield* pass(1)
      ended(yield* look(id), { status: "no_answer", hangup_cause: "ring_timeout", cost_minor: 0 })
      yield* pass(5)
      assert.deepStrictEqual(yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions), [])
    })
  )

  scenario(
    "is canceled if it is terminated while it rings; a second termination reports already_ended",
    {},
    Effect.gen(function* () {
      const calls = yield* Calls
      const { id, session_id } = yield* place("+99900000003")
      yield* pass(2)
      const { status, termination } = yield* calls.terminate(workspace.id, session_id)
      assert.deepStrictEqual([status, termination], ["canceled", "requested"])
      assert.strictEqual((yield* calls.terminate(workspace.id, id)).termination, "already_ended")
      yield* pass(2)
      assert.deepStrictEqual(yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions), [])
    })
  )

  scenario(
    "whose answer crosses its cancellation stays canceled and is hung up",
    {},
    Effect.gen(function* () {
      const { id } = yield* place("+99900000005")
      yield* pass(2)
      yield* Effect.flatMap(Calls, (calls) => calls.terminate(workspace.id, id))
      yield* pass(5)
      ended(yield* look(id), { status: "canceled", answered_at: null, cost_minor: 0 })
      assert.include(yield* kinds(id), "call.answer_ignored")
      assert.deepStrictEqual(yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions), [])
    })
  )

  const failing = { callback: () => Effect.fail(new CallbackFailure({ cause: "callback_failed", detail: "HTTP 500" })) }

  /** Kind, amount and call of each entry of the wallet about calls. */
  const entries = Effect.map(TestEngine, ({ journal }) =>
    journal.tables.ledger
      .filter(({ kind }) => kind !== "topup" && kind !== "manual_credit")
      .map(({ amount_minor, kind, reference_id, reference_type }) => [kind, amount_minor, reference_type, reference_id])
  )

  scenario(
    "whose first callback fails is charged, and gets the charge back where the operator waives such calls",
    { ...failing, waive_callback_failures: true },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(10)
      ended(yield* look(id), { status: "completed", hangup_cause: "callback_failed", cost_minor: 300 })
      assert.deepStrictEqual(yield* entries, [
        ["call_charge", -300, "call", id],
        ["fee_waiver", 300, "adjustment", id]
      ])
    })
  )

  scenario(
    "whose later callback fails is not waived",
    {
      waive_callback_failures: true,
      callback: (() => {
        let asked = 0
        return () =>
          ++asked === 1 ? Effect.succeed([{ redirect: { url: "https://app.test/next" } }]) : failing.callback()
      })()
    },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(10)
      ended(yield* look(id), { status: "completed", hangup_cause: "callback_failed" })
      assert.deepStrictEqual(yield* entries, [["call_charge", -300, "call", id]])
    })
  )

  scenario(
    "whose callback fails is hung up and charged",
    {
      callback: () =>
        Effect.fail(new CallbackFailure({ cause: "callback_failed", http_status: 500, detail: "HTTP 500" }))
    },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(4)
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "callback_failed",
        hangup_source: "platform",
        cost_minor: 300
      })
      assert.include(yield* kinds(id), "call.callback_failed")
    })
  )

  scenario(
    "whose PBX reports twice and out of order is charged once",
    {
      callback: () => Effect.succeed([{ say: { text: "x", loop: 100 } }])
    },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000009")
      yield* pass(40)
      ended(yield* look(id), { status: "completed", duration_seconds: 30, cost_minor: 300 })
      assert.lengthOf(yield* charges, 1)
    })
  )

  scenario(
    "that its PBX lost ends at the time of the last report",
    {
      callback: () => Effect.succeed([{ say: { text: "x", loop: 100 } }, { say: { text: "y", loop: 100 } }])
    },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000008")
      yield* pass(31 + 181)
      const record = yield* look(id)
      ended(record, { status: "completed", hangup_cause: "session_lost" })
      assert.isAtMost(record.duration_seconds!, 31)
    })
  )
})

describe("money", () => {
  scenario(
    "that does not cover the first minute: the call is refused, and nothing rings",
    { money: 299 },
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(place("+99900000001"))
      assert.strictEqual(refusal._tag, "wallet.insufficient_funds")
      yield* pass(1)
      assert.deepStrictEqual(yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions), [])
    })
  )

  const talk: EngineOptions = { callback: () => Effect.succeed([{ say: { text: "x".repeat(3000) } }]) }

  scenario(
    "that runs out: the call is hung up at the end of the last held minute",
    { ...talk, money: 300 },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(2 + 50)
      assert.include(yield* kinds(id), "call.balance_low")
      ended(yield* look(id), { status: "answered" })
      yield* pass(10)
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "balance_exhausted",
        duration_seconds: 60,
        cost_minor: 300
      })
    })
  )

  scenario(
    "that arrives in the last seconds: the call continues",
    { ...talk, money: 300 },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(2 + 55)
      yield* Effect.flatMap(TestEngine, ({ credit }) => credit(300))
      yield* pass(10)
      ended(yield* look(id), { status: "completed", hangup_source: "callee", duration_seconds: 65, cost_minor: 600 })
      assert.strictEqual(yield* Effect.flatMap(TestEngine, ({ balance_minor }) => balance_minor), 0)
    })
  )
})

describe("a dial", () => {
  const dial: EngineOptions = {
    callback: () => Effect.succeed([{ say: { text: "Connecting" } }, { dial: { number: "+254711000000" } }])
  }

  scenario(
    "places a leg, connects it, and ends with it",
    dial,
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(6)
      const [child_id] = (yield* look(id)).child_call_ids
      ended(yield* look(child_id!), { status: "answered", kind: "dial", parent_call_id: id })
      assert.include(yield* kinds(id), "call.bridged")
      yield* pass(35)
      ended(yield* look(child_id!), { status: "completed", duration_seconds: 30, cost_minor: 300 })
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended", cost_minor: 300 })
      assert.lengthOf(yield* charges, 2)
    })
  )

  scenario(
    "ends when the call that dialled it ends",
    dial,
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(4)
      yield* Effect.flatMap(Calls, (calls) => calls.terminate(workspace.id, id))
      yield* pass(3)
      const { child_call_ids } = yield* look(id)
      for (const child of child_call_ids) assert.include(["canceled", "completed"], (yield* look(child)).status)
      assert.deepStrictEqual(yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions), [])
      assert.strictEqual(yield* Effect.flatMap(TestEngine, ({ held_minor }) => held_minor), 0)
    })
  )

  scenario(
    "without money: the call continues with the next action",
    {
      money: 300,
      callback: () => Effect.succeed([{ dial: { number: "+254711000000" } }, { say: { text: "Sorry" } }])
    },
    Effect.gen(function* () {
      const { id } = yield* place("+99900000001")
      yield* pass(6)
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended", child_call_ids: [] })
    })
  )
})

describe("the errors of a request", () => {
  const bad_url = "https://user:secret@app.test/voice"
  const refusal = (fields: Parameters<typeof place>[1], to = "+254733000000") =>
    Effect.map(Effect.flip(place(to, fields)), ({ _tag }) => _tag)
  scenario(
    "are checked in a fixed order: the caller, the request, the money",
    {
      money: 299,
      calling_policy: { blocked_prefixes: ["254733"] }
    },
    Effect.gen(function* () {
      const stranger = "+254700000099"
      assert.strictEqual(
        yield* refusal({ metadata: { a: "é".repeat(5_000) }, from: stranger }),
        "validation.payload_too_large"
      )
      assert.strictEqual(yield* refusal({ from: stranger, voice_callback_url: bad_url }), "numbers.not_found")
      assert.strictEqual(yield* refusal({ voice_callback_url: bad_url }), "calls.invalid_callback_url")
      assert.strictEqual(yield* refusal({ voice_fallback_url: bad_url }), "calls.invalid_callback_url")
      assert.strictEqual(yield* refusal({}, "0711"), "calls.invalid_destination")
      assert.strictEqual(yield* refusal({}), "calls.destination_refused")
      assert.strictEqual(yield* refusal({}, "+254711000000"), "wallet.insufficient_funds")
    })
  )
})

describe("a crash", () => {
  it.effect("at any second of a call changes neither its end nor its price", () =>
    Effect.gen(function* () {
      for (let second = 0; second <= 8; second++) {
        const journal = yield* MemoryJournal.make
        const callback = () => Effect.succeed([{ say: { text: "Hello there" } }, { hangup: {} }])
        const id = yield* Effect.gen(function* () {
          yield* Effect.flatMap(TestEngine, ({ credit }) => credit(1_000))
          const { id } = yield* place("+254722000000")
          yield* pass(second)
          journal.crash()
          return id
        }).pipe(Effect.provide(engine({ journal, callback })))
        yield* Effect.gen(function* () {
          yield* pass(300)
          const record = yield* look(id)
          assert.include(["completed", "no_answer"], record.status, `crash after ${second} s`)
          assert.lengthOf(yield* charges, record.status === "completed" ? 1 : 0)
          yield* booksAreRight
        }).pipe(Effect.provide(engine({ journal, callback })))
      }
    })
  )
})

it.effect("releases all memory when the calls are over", () =>
  Effect.gen(function* () {
    yield* Effect.flatMap(TestEngine, ({ credit }) => credit(10_000_000))
    yield* Effect.forEach(Array.from({ length: 200 }), () => place("+254722000000"), { concurrency: 50 })
    yield* pass(200)
    assert.strictEqual(yield* Effect.flatMap(ActorSystem, ({ resident }) => resident), 1, "the gateway alone stays")
    yield* booksAreRight
  }).pipe(Effect.provide(engine()))
)
