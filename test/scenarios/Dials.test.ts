import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { CallRecord } from "../../src/domain/calls/CallRecord.ts"
import type { DialResult } from "../../src/domain/calls/Dial.ts"
import type { VoiceAction } from "../../src/domain/calls/VoiceAction.ts"
import { CallReads } from "../../src/domain/ports/CallReads.ts"
import type { Phone } from "../../src/layers/pbx/simulator/Phones.ts"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { engine, type EngineOptions, MemoryJournal, PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { booksAreRight, ended, kinds, look, pass, place, scenario } from "../support/Scenario.ts"
import type { CallId } from "../../src/domain/BrandedIds.ts"
import { credentialId, numberId } from "../support/Ids.ts"

const caller = "+99900000001"
const [first, second, third] = ["+254711000001", "+254711000002", "+254711000003"] as const
const busy: Phone = { steps: [{ kind: "refuses", after_ms: 500, sip_code: 486, q850: 17, source: "callee" }] }
const silent: Phone = { steps: [{ kind: "rings", after_ms: 100 }] }
const next = "https://app.test/next"

/** The caller stays for ten minutes; the others follow their scripts. */
const phones =
  (others: Readonly<Record<string, Phone>>) =>
  (to: string): Phone =>
    others[to] ?? talkative(1_000, 600_000)

interface Asked {
  readonly reason: string
  readonly result: DialResult | null
}

/** A callback that dials, receives the result, and hangs up. */
const dialling = (
  dial: Extract<VoiceAction, { readonly dial: unknown }>["dial"],
  others: Readonly<Record<string, Phone>>
) => {
  const asked: Array<Asked> = []
  const options: EngineOptions = {
    phones: phones(others),
    callback: ({ body }) => {
      asked.push(JSON.parse(body))
      return Effect.succeed(
        asked.length === 1 ? [{ dial: { ...dial, action_url: next } }] : [{ say: { text: "Bye." } }]
      )
    }
  }
  return { asked, options }
}

const children = (id: string) => Effect.flatMap(look(id), ({ child_call_ids }) => Effect.forEach(child_call_ids, look))

const statuses = (legs: ReadonlyArray<CallRecord>) =>
  Object.fromEntries(legs.map(({ hangup_cause, status, to }) => [to, `${status}/${hangup_cause}`]))

const held = Effect.flatMap(TestEngine, ({ held_minor }) => held_minor)
const lines = Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions)

/** What was said last to the party of a live session. */
const said = (session_id: string) =>
  Effect.flatMap(PbxSimulator, ({ look }) => Effect.map(look(session_id), (session) => session?.said))

type Services = CallReads | ActorSystem | TestEngine | PbxSimulator

/** Asserts that no leg is live and no money is held. */
const fanOut = (
  name: string,
  { asked, options }: ReturnType<typeof dialling>,
  body: (id: CallId, asked: ReadonlyArray<Asked>) => Effect.Effect<void, unknown, Services>
) =>
  scenario(
    name,
    options,
    Effect.gen(function* () {
      const { id } = yield* place(caller)
      yield* body(id, asked)
      assert.deepStrictEqual(yield* lines, [])
      assert.strictEqual(yield* held, 0)
    })
  )

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

describe("a dial without a rate", () => {
  const unrated = "+33612345678"
  const message = "There is no rate for this destination."

  scenario(
    "is announced to the caller, and the line is dropped",
    { phones: phones({}), callback: () => Effect.succeed([{ dial: { number: unrated } }, { say: { text: "Next." } }]) },
    Effect.gen(function* () {
      const { id, session_id } = yield* place(caller)
      yield* pass(1)
      assert.strictEqual(yield* said(session_id), message)
      ended(yield* look(id), { status: "answered" })
      yield* pass(10)
      ended(yield* look(id), {
        status: "completed",
        hangup_cause: "destination_refused",
        hangup_source: "platform",
        child_call_ids: [],
        cost_minor: 300
      })
      assert.deepStrictEqual(yield* lines, [])
    })
  )

  const told = dialling({ numbers: [unrated, "+33612345679"] }, {})
  fanOut("is announced before the callback is asked, where there is one", told, (id, asked) =>
    Effect.gen(function* () {
      const { session_id } = yield* look(id)
      yield* pass(1)
      assert.strictEqual(yield* said(session_id), message)
      assert.lengthOf(asked, 1)
      yield* pass(2.5)
      assert.deepInclude(asked[1]!.result, { status: "failed", call_id: null })
      assert.strictEqual(yield* said(session_id), "Bye.")
      yield* pass(2)
    })
  )

  const other = dialling({ numbers: [unrated, second] }, { [second]: busy })
  fanOut("is not announced where another destination was called", other, (id, asked) =>
    Effect.gen(function* () {
      const { session_id } = yield* look(id)
      yield* pass(1.7)
      assert.deepInclude(asked[1]!.result, { status: "busy" })
      assert.strictEqual(yield* said(session_id), "Bye.")
      yield* pass(2)
    })
  )

  scenario(
    "is announced once although the gateway says nothing of its end",
    { phones: phones({}), callback: () => Effect.succeed([{ dial: { number: unrated } }]) },
    Effect.gen(function* () {
      const { id } = yield* place(caller)
      yield* pass(2)
      yield* Effect.flatMap(PbxSimulator, ({ hold }) => hold)
      yield* pass(120)
      ended(yield* look(id), { status: "answered", terminating: true })
      yield* Effect.flatMap(PbxSimulator, ({ release }) => release)
      yield* pass(120)
      ended(yield* look(id), { status: "completed", hangup_cause: "destination_refused" })
    })
  )

  scenario(
    "to which an inbound call is forwarded is announced to its caller before the call is refused",
    { phones: phones({}), routing: { forward_to: { type: "e164", value: unrated, sequential: null } } },
    Effect.gen(function* () {
      const { dialIn } = yield* PbxSimulator
      const session_id = yield* dialIn({
        tenant_pbx_id: workspace.tenant_pbx_id,
        from: first,
        to: workspace.number
      })
      yield* pass(0)
      assert.strictEqual(yield* said(session_id), "The number that you have called cannot be reached.")
      yield* pass(10)
      const record = yield* Effect.flatMap(CallReads, (reads) => reads.find(workspace.id, session_id))
      ended(record!, { status: "failed", hangup_cause: "no_route", cost_minor: 0 })
      assert.deepStrictEqual(yield* lines, [])
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
