import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { ended, kinds, look, pass, place, scenario } from "../support/Scenario.ts"
import { credentialId, numberId } from "../support/Ids.ts"
import {
  busy,
  caller,
  children,
  dialling,
  fanOut,
  first,
  held,
  second,
  silent,
  statuses,
  third
} from "../support/Dialling.ts"

describe("a dial of several destinations", () => {
  fanOut(
    "rings all at once, connects the first to answer and hangs up the others free of charge",
    dialling(
      { numbers: [first, second, third] },
      { [first]: talkative(4_000, 20_000), [second]: talkative(3_000, 20_000), [third]: silent }
    ),
    (id, asked) =>
      Effect.gen(function* () {
        yield* pass(3)
        assert.lengthOf(yield* children(id), 3)
        assert.strictEqual(yield* held, 600, "one minute of the call, and one for all legs")
        yield* pass(30)
        assert.deepStrictEqual(statuses(yield* children(id)), {
          [first]: "canceled/answered_elsewhere",
          [second]: "completed/normal_clearing",
          [third]: "canceled/answered_elsewhere"
        })
        const winner = (yield* children(id)).find(({ to }) => to === second)!
        ended(winner, { duration_seconds: 20, cost_minor: 300 })
        assert.deepStrictEqual(
          asked.map(({ reason }) => reason),
          ["answered", "dial_completed"]
        )
        assert.deepStrictEqual(asked[1]!.result, {
          status: "completed",
          call_id: winner.id,
          duration_seconds: 20,
          answered_number: second,
          attempts: [
            { to: first, status: "canceled", sip_code: null },
            { to: second, status: "completed", sip_code: 200 },
            { to: third, status: "canceled", sip_code: null }
          ]
        })
        yield* pass(3)
        ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended" })
      })
  )

  fanOut(
    "connects only one of two that answer at the same instant",
    dialling(
      { numbers: [first, second], first_answer_wins: true },
      { [first]: talkative(3_000, 5_000), [second]: talkative(3_000, 5_000) }
    ),
    (id) =>
      Effect.gen(function* () {
        yield* pass(20)
        const legs = yield* children(id)
        const [winner] = legs.filter(({ status }) => status === "completed")
        const [loser] = legs.filter(({ status }) => status === "canceled")
        ended(winner!, { cost_minor: 300 })
        ended(loser!, { cost_minor: 0, answered_at: null, hangup_cause: "answered_elsewhere" })
        assert.include(yield* kinds(loser!.id), "call.answer_ignored")
        assert.lengthOf(
          (yield* kinds(id)).filter((kind) => kind === "call.bridged"),
          1
        )
        yield* pass(3)
      })
  )

  fanOut(
    "in sequence continues after a busy and an unanswered phone, and stops at the first answer",
    dialling(
      { numbers: [first, second, third, "+254711000004"], sequential: true, timeout: 5 },
      { [first]: busy, [second]: silent, [third]: talkative(1_000, 5_000) }
    ),
    (id, asked) =>
      Effect.gen(function* () {
        yield* pass(1)
        assert.lengthOf(yield* children(id), 1)
        yield* pass(20)
        assert.deepStrictEqual(statuses(yield* children(id)), {
          [first]: "busy/user_busy",
          [second]: "no_answer/ring_timeout",
          [third]: "completed/normal_clearing"
        })
        assert.deepStrictEqual(
          asked[1]!.result!.attempts.map(({ sip_code, status }) => [status, sip_code]),
          [
            ["busy", 486],
            ["no_answer", null],
            ["completed", 200]
          ]
        )
        yield* pass(3)
      })
  )

  fanOut(
    "in sequence without first_answer_wins dials the next when the previous leg has ended",
    dialling(
      { numbers: [first, second], sequential: true, first_answer_wins: false },
      { [first]: talkative(1_000, 3_000), [second]: talkative(1_000, 3_000) }
    ),
    (id) =>
      Effect.gen(function* () {
        yield* pass(20)
        assert.deepStrictEqual(statuses(yield* children(id)), {
          [first]: "completed/normal_clearing",
          [second]: "completed/normal_clearing"
        })
        const [one, two] = yield* children(id)
        assert.isAtLeast(Date.parse(two!.created_at), Date.parse(one!.ended_at!))
      })
  )

  fanOut(
    "without first_answer_wins connects all that answer, each at its own price",
    dialling(
      { numbers: [first, second, third], sequential: false, first_answer_wins: false, timeout: 5 },
      { [first]: talkative(1_000, 20_000), [second]: talkative(2_000, 20_000), [third]: silent }
    ),
    (id) =>
      Effect.gen(function* () {
        yield* pass(10)
        const legs = yield* children(id)
        const talking = legs.filter(({ status }) => status === "answered")
        assert.lengthOf(talking, 2)
        assert.strictEqual(yield* held, 900)
        const { session_id } = yield* look(id)
        const { peers } = (yield* Effect.flatMap(PbxSimulator, ({ look }) => look(session_id)))!
        assert.sameMembers(
          [...peers],
          talking.map(({ session_id }) => session_id)
        )
        const { journal } = yield* TestEngine
        for (const { id } of legs) {
          const { facts } = JSON.parse(journal.tables.snapshot("Call", id)!.state) as { readonly facts: object }
          assert.deepInclude(facts, { sequential: false, first_answer_wins: false })
        }
        yield* pass(20)
        assert.deepStrictEqual(statuses(yield* children(id)), {
          [first]: "completed/normal_clearing",
          [second]: "completed/normal_clearing",
          [third]: "no_answer/ring_timeout"
        })
      })
  )

  fanOut(
    "hangs up every leg when the caller hangs up",
    dialling({ numbers: [first, second, third] }, { [first]: silent, [second]: silent, [third]: silent }),
    (id) =>
      Effect.gen(function* () {
        const { session_id } = yield* look(id)
        yield* pass(1)
        yield* Effect.flatMap(PbxSimulator, ({ remoteHangup }) => remoteHangup(session_id))
        yield* pass(3)
        ended(yield* look(id), { status: "completed", hangup_source: "callee" })
        for (const leg of yield* children(id))
          ended(leg, { status: "canceled", hangup_cause: "normal_clearing", cost_minor: 0 })
      })
  )
})

describe("a destination that may not be dialled", () => {
  const refusing = dialling({ numbers: ["+254733000000", second] }, { [second]: talkative(1_000, 3_000) })
  fanOut(
    "is skipped with an event",
    { ...refusing, options: { ...refusing.options, calling_policy: { blocked_prefixes: ["254733"] } } },
    (id, asked) =>
      Effect.gen(function* () {
        yield* pass(12)
        const events = yield* Effect.flatMap(CallReads, (reads) => reads.events(workspace.id, id, 0, 200))
        const refusals = events
          .map(({ payload }) => payload as Record<string, unknown>)
          .filter(({ step }) => step === "dial_refused")
        assert.deepInclude(refusals[0], {
          destination: "+254733000000",
          cause: "destination_refused",
          reason: "prefix_blocked"
        })
        assert.deepInclude(asked[1]!.result, { status: "completed", answered_number: second })
        assert.deepStrictEqual(asked[1]!.result!.attempts[0], {
          to: "+254733000000",
          status: "refused",
          sip_code: null
        })
      })
  )

  const poor = dialling({ numbers: [first, second] }, {})
  scenario(
    "for lack of money gives the result failed, and the call continues",
    { ...poor.options, money: 300 },
    Effect.gen(function* () {
      const { id } = yield* place(caller)
      yield* pass(6)
      assert.deepStrictEqual(
        poor.asked.map(({ result }) => result?.status),
        [undefined, "failed"]
      )
      ended(yield* look(id), { status: "completed", hangup_cause: "actions_ended", child_call_ids: [] })
    })
  )
})

describe("a SIP address", () => {
  const extension = {
    credential_id: credentialId("c"),
    extension: "1001",
    username: "test-1001",
    number_id: numberId("n"),
    number: workspace.number,
    display_name: null
  }
  const inside = dialling({ sip: "sip:1001@phones.example" }, {})
  fanOut(
    "that is an extension of the workspace is called free of charge",
    { ...inside, options: { ...inside.options, extensions: [extension] } },
    (id) =>
      Effect.gen(function* () {
        const [leg] = yield* Effect.andThen(pass(3), children(id))
        ended(leg!, { status: "answered", to: "sip:1001@phones.example", rate_per_min_minor: 0 })
        assert.strictEqual(yield* held, 300)
        yield* Effect.flatMap(PbxSimulator, ({ remoteHangup }) => remoteHangup(leg!.session_id))
        yield* pass(4)
        ended(yield* look(leg!.id), { status: "completed", cost_minor: 0 })
      })
  )

  const outside = dialling({ sip: "sip:alice@elsewhere.example" }, {})
  fanOut("on a host that the policy does not name is refused", outside, (_id, asked) =>
    Effect.gen(function* () {
      yield* pass(5)
      assert.deepInclude(asked[1]!.result, { status: "failed", call_id: null })
    })
  )
})
