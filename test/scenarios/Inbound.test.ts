import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { HangupCause } from "../../src/domain/calls/state/CallRecord.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import type { Extension } from "../../src/domain/credentials/Extension.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import type { Caller, Phone } from "../../src/layers/pbx/simulator/Phones.ts"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import {
  CallbackFailure,
  engine,
  type EngineOptions,
  MemoryJournal,
  PbxSimulator,
  TestEngine,
  workspace
} from "../../src/testing.ts"
import { charges, ended, kinds, look, pass, scenario } from "../support/Scenario.ts"
import { credentialId, numberId } from "../support/Ids.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"

const mary = "+256771000001"
const voice_url = "https://app.test/incoming"
const extension = (extension: string): Extension => ({
  credential_id: credentialId(extension),
  extension,
  username: `${extension}-device`,
  number_id: numberId(workspace.number_id),
  number: workspace.number,
  display_name: null
})
const silent: Phone = { steps: [{ kind: "rings", after_ms: 100 }] }
const busy: Phone = { steps: [{ kind: "refuses", after_ms: 500, sip_code: 486, q850: 17, source: "callee" }] }

const lines = Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions)
const held = Effect.flatMap(TestEngine, ({ held_minor }) => held_minor)

/** A call from Mary to the workspace's number. */
const dialIn = (more: Partial<Caller> = {}) =>
  Effect.flatMap(PbxSimulator, ({ dialIn }) =>
    dialIn({ tenant_pbx_id: workspace.tenant_pbx_id, from: mary, to: workspace.number, ...more })
  )

/** The call of a session. It exists as soon as the session has been reported. */
const callOf = (session_id: string) =>
  Effect.flatMap(CallReads, (reads) => Effect.orDie(reads.find(workspace.id, toSessionId(session_id)))).pipe(
    Effect.map((call) => call!)
  )

const incoming = (more: Partial<Caller> = {}) => Effect.flatMap(dialIn(more), callOfSoon)
const callOfSoon = (session_id: string) => Effect.andThen(pass(0), callOf(session_id))

const saying = (...actions: ReadonlyArray<VoiceAction>): EngineOptions => ({
  routing: { voice_url },
  callback: () => Effect.succeed(actions)
})

const nothingLeft = Effect.gen(function* () {
  assert.deepStrictEqual(yield* lines, [])
  assert.strictEqual(yield* held, 0)
})

describe("an inbound call of a number with a voice_url", () => {
  const asked: Array<Record<string, unknown>> = []
  scenario(
    "asks the callback before it is answered, and is charged at the number's inbound price",
    {
      routing: { voice_url },
      callback: ({ body, url }) => {
        asked.push({ url, ...JSON.parse(body) })
        return Effect.succeed([{ say: { text: "Hello Mary" } }])
      }
    },
    Effect.gen(function* () {
      const call = yield* incoming()
      assert.deepInclude(asked[0]!, {
        url: voice_url,
        reason: "incoming",
        direction: "inbound",
        status: "ringing",
        from: mary,
        to: workspace.number,
        answered_at: null
      })
      assert.strictEqual(yield* held, 100)
      yield* pass(5)
      ended(yield* look(call.id), {
        direction: "inbound",
        kind: "sip",
        from: mary,
        to: workspace.number,
        caller_id: mary,
        status: "completed",
        hangup_cause: "actions_ended",
        cost_minor: 100,
        rate_per_min_minor: 100,
        billed_seconds: 1
      })
      assert.deepStrictEqual(yield* kinds(call.id), ["call.ringing", "call.answered", "call.completed"])
      assert.strictEqual((yield* charges)[0]!.amount_minor, -100)
      yield* nothingLeft
    })
  )

  for (const [reason, cause] of [
    ["busy", "user_busy"],
    ["rejected", "call_rejected"]
  ] as const) {
    scenario(
      `can be rejected as ${reason}, free of charge`,
      saying({ reject: { reason } }),
      Effect.gen(function* () {
        const call = yield* incoming()
        yield* pass(2)
        ended(yield* look(call.id), {
          status: "busy",
          hangup_cause: cause,
          hangup_source: "workspace",
          cost_minor: 0,
          answered_at: null
        })
        assert.deepStrictEqual(yield* charges, [])
        yield* nothingLeft
      })
    )
  }

  scenario(
    "fails and costs nothing if the callback fails",
    {
      routing: { voice_url },
      callback: () => Effect.fail(new CallbackFailure({ cause: "callback_timeout", detail: "It did not answer." }))
    },
    Effect.gen(function* () {
      const call = yield* incoming()
      yield* pass(12)
      ended(yield* look(call.id), { status: "failed", hangup_cause: "callback_timeout", cost_minor: 0 })
      assert.deepStrictEqual(yield* kinds(call.id), ["call.ringing", "call.callback_failed", "call.failed"])
      yield* nothingLeft
    })
  )

  scenario(
    "can dial after it is answered, showing the workspace's number",
    {
      ...saying({ dial: { number: "+254711000001" } }),
      phones: () => talkative(1_000, 5_000)
    },
    Effect.gen(function* () {
      const call = yield* incoming()
      yield* pass(20)
      const after = yield* look(call.id)
      ended(after, { status: "completed", hangup_cause: "actions_ended" })
      ended(yield* look(after.child_call_ids[0]!), {
        direction: "outbound",
        kind: "dial",
        from: workspace.number,
        caller_id: mary,
        status: "completed",
        duration_seconds: 5
      })
      yield* nothingLeft
    })
  )

  scenario(
    "is hung up when the money runs out",
    { ...saying({ say: { text: "x".repeat(3000) } }), inbound_per_min_minor: 60_000 },
    Effect.gen(function* () {
      const call = yield* incoming()
      yield* pass(70)
      ended(yield* look(call.id), {
        status: "completed",
        hangup_cause: "balance_exhausted",
        duration_seconds: 60,
        cost_minor: 60_000
      })
      yield* nothingLeft
    })
  )
})

describe("an inbound call that is forwarded", () => {
  scenario(
    "rings the destination, is answered when the destination answers, and ends when one side hangs up",
    {
      routing: { forward_to: { type: "e164", value: "+254711000001", sequential: null } },
      phones: () => talkative(3_000, 600_000)
    },
    Effect.gen(function* () {
      const call = yield* incoming({ talks_ms: 90_000 })
      yield* pass(2)
      ended(yield* look(call.id), { status: "ringing", answered_at: null })
      yield* pass(3)
      const talking = yield* look(call.id)
      ended(talking, { status: "answered" })
      const [leg] = talking.child_call_ids
      const { look: lookAt } = yield* PbxSimulator
      assert.deepStrictEqual((yield* lookAt(call.session_id))?.peers, [(yield* look(leg!)).session_id])
      yield* pass(120)
      ended(yield* look(call.id), {
        status: "completed",
        hangup_source: "caller",
        duration_seconds: 90,
        cost_minor: 200
      })
      ended(yield* look(leg!), { status: "completed", to: "+254711000001", caller_id: mary, cost_minor: 600 })
      yield* nothingLeft
    })
  )

  scenario(
    "to all extensions of its number is connected to the first that answers",
    {
      extensions: ["1001", "1002", "1003"].map(extension),
      phones: (to) => (to.includes("1002") ? talkative(1_000, 10_000) : to.includes("1003") ? busy : silent)
    },
    Effect.gen(function* () {
      const call = yield* incoming()
      yield* pass(20)
      const after = yield* look(call.id)
      ended(after, { status: "completed" })
      const legs = yield* Effect.forEach(after.child_call_ids, look)
      assert.deepStrictEqual(
        Object.fromEntries(legs.map(({ hangup_cause, status, to }) => [to.slice(4, 8), `${status}/${hangup_cause}`])),
        { 1001: "canceled/answered_elsewhere", 1002: "completed/normal_clearing", 1003: "busy/user_busy" }
      )
      assert.strictEqual((yield* charges).length, 2)
      yield* nothingLeft
    })
  )

  scenario(
    "to one extension after the other rings each for the ring timeout",
    {
      extensions: ["1001", "1002"].map(extension),
      routing: {
        forward_to: { type: "extensions", value: ["1001", "1002"], sequential: true },
        ring_timeout_seconds: 10
      },
      phones: () => silent
    },
    Effect.gen(function* () {
      const call = yield* incoming()
      yield* pass(5)
      assert.lengthOf((yield* look(call.id)).child_call_ids, 1)
      yield* pass(10)
      assert.lengthOf((yield* look(call.id)).child_call_ids, 2)
      yield* pass(10)
      ended(yield* look(call.id), { status: "no_answer", hangup_cause: "no_answer", cost_minor: 0, answered_at: null })
      yield* nothingLeft
    })
  )

  scenario(
    "to busy destinations is busy",
    {
      routing: { forward_to: { type: "e164", value: "+99900000002", sequential: null } }
    },
    Effect.gen(function* () {
      const call = yield* incoming()
      yield* pass(5)
      ended(yield* look(call.id), { status: "busy", hangup_cause: "user_busy", cost_minor: 0 })
      yield* nothingLeft
    })
  )

  scenario(
    "ends its legs when the caller hangs up",
    {
      routing: { forward_to: { type: "e164", value: "+99900000003", sequential: null } }
    },
    Effect.gen(function* () {
      const call = yield* incoming({ gives_up_after_ms: 5_000 })
      yield* pass(8)
      const after = yield* look(call.id)
      ended(after, {
        status: "canceled",
        hangup_cause: "normal_clearing",
        hangup_source: "caller",
        sip_code: 487,
        cost_minor: 0
      })
      ended(yield* look(after.child_call_ids[0]!), { status: "canceled", cost_minor: 0 })
      yield* nothingLeft
    })
  )
})

describe("an inbound call that is refused", () => {
  const refused = (name: string, options: EngineOptions, cause: HangupCause, more: Partial<Caller> = {}) =>
    scenario(
      name,
      options,
      Effect.gen(function* () {
        const call = yield* incoming(more)
        yield* pass(3)
        ended(yield* look(call.id), {
          status: "failed",
          hangup_cause: cause,
          hangup_source: "platform",
          cost_minor: 0,
          answered_at: null
        })
        assert.deepStrictEqual(yield* charges, [])
        yield* nothingLeft
      })
    )

  refused(
    "for lack of money",
    { ...saying({ say: { text: "Hi" } }), inbound_per_min_minor: 100_001 },
    "insufficient_funds"
  )
  refused(
    "at the limit of concurrent calls",
    { ...saying({ say: { text: "Hi" } }), calling_policy: { max_concurrent_calls: 0 } },
    "network_congestion"
  )
  refused(
    "while the workspace is suspended",
    { ...saying({ say: { text: "Hi" } }), status: "suspended" },
    "call_rejected"
  )
  refused("where nobody answers to the number", {}, "no_route")
  refused("where the number is nobody's", saying({ say: { text: "Hi" } }), "no_route", { to: "+254799999999" })
})

describe("an inbound call", () => {
  scenario(
    "whose PBX repeats every event is one call",
    saying({ say: { text: "Hello" } }),
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      yield* pbx.hold
      const session_id = yield* dialIn()
      yield* pbx.release
      yield* pbx.release
      yield* pass(5)
      const all = yield* Effect.flatMap(CallReads, (reads) => reads.list(workspace.id, {}, undefined, 10))
      assert.deepStrictEqual(
        all.map((call) => call.session_id),
        [session_id]
      )
      assert.lengthOf(yield* charges, 1)
      yield* nothingLeft
    })
  )

  it.effect("continues after a crash in any of its first seconds, with the same end and price", () =>
    Effect.gen(function* () {
      for (const seconds of [0, 1, 2, 3, 4, 6]) {
        const journal = yield* MemoryJournal.make
        const options: EngineOptions = {
          journal,
          routing: { forward_to: { type: "e164", value: "+254711000001", sequential: null } },
          phones: () => talkative(1_500, 600_000)
        }
        const session = yield* Effect.gen(function* () {
          yield* Effect.flatMap(TestEngine, ({ credit }) => credit(100_000))
          const session = yield* dialIn()
          yield* pass(seconds)
          journal.crash()
          return session
        }).pipe(Effect.provide(engine(options)))
        yield* Effect.gen(function* () {
          yield* pass(300)
          const all = yield* Effect.flatMap(CallReads, (reads) => reads.list(workspace.id, {}, undefined, 10))
          for (const call of all) assert.notInclude(["ringing", "answered"], call.status, `${seconds} s: ${session}`)
          yield* nothingLeft
        }).pipe(Effect.provide(engine(options)))
      }
    })
  )
})
