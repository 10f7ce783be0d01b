// A call whose gateway's connection is cut, slow or repeats events has the same record as any other.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { engine, PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { toCallId } from "../../src/domain/BrandedIds.ts"

/** Rings at once, is answered after 2 s, talks for 65 s. */
const talks = "+99900000001"

const place = (timeout_seconds = 30) =>
  Effect.flatMap(Calls, (calls) =>
    calls.originate(workspace.id, {
      to: talks,
      from: workspace.number,
      voice_callback_url: "https://app.test/voice",
      timeout_seconds
    })
  )

const pass = (seconds: number) =>
  Effect.gen(function* () {
    const { drain } = yield* ActorSystem
    yield* drain
    for (let second = 0; second < seconds; second++) yield* Effect.andThen(TestClock.adjust("1 second"), drain)
  })

const look = (id: string) =>
  Effect.flatMap(CallReads, (reads) => Effect.map(reads.find(workspace.id, toCallId(id)), (record) => record!))

/** Completed by the callee after 65 s by the clock of the PBX, and charged for them once. */
const talkedOnce = Effect.fnUntraced(function* (id: string, cost = 600) {
  const { balance_minor, held_minor, journal } = yield* TestEngine
  const { status, hangup_cause, answered_at, ended_at, duration_seconds, cost_minor } = yield* look(id)
  assert.deepStrictEqual(
    { status, hangup_cause, talked_ms: Date.parse(ended_at!) - Date.parse(answered_at!), duration_seconds, cost_minor },
    { status: "completed", hangup_cause: "normal_clearing", talked_ms: 65_000, duration_seconds: 65, cost_minor: cost }
  )
  assert.lengthOf(
    journal.tables.ledger.filter(({ kind }) => kind === "call_charge"),
    1
  )
  assert.deepStrictEqual([yield* balance_minor, yield* held_minor], [100_000 - cost, 0])
  const terminal = journal.tables.events.filter(({ kind }) => kind === "call.completed")
  assert.lengthOf(terminal, 1)
})

const scenario = (
  name: string,
  body: Effect.Effect<void, unknown, Calls | CallReads | ActorSystem | TestEngine | PbxSimulator>
) =>
  it.effect(name, () =>
    Effect.andThen(
      Effect.flatMap(TestEngine, ({ credit }) => credit(100_000)),
      body
    ).pipe(Effect.provide(engine({ callback: () => Effect.succeed([{ say: { text: "x".repeat(3_000) } }]) })))
  )

describe("a feed", () => {
  // Ringing, answered, talking, in the second minute, just before the end, ended.
  for (const at of [1, 2, 10, 61, 66, 67]) {
    scenario(
      `that is cut for 5 s, ${at} s into a call, changes nothing`,
      Effect.gen(function* () {
        const { connect, disconnect } = yield* PbxSimulator
        const { id } = yield* place()
        yield* pass(at)
        yield* disconnect
        yield* pass(5)
        yield* connect
        yield* pass(80)
        yield* talkedOnce(id)
      })
    )
  }

  scenario(
    "that repeats and reorders every event changes nothing",
    Effect.gen(function* () {
      const { balance_minor } = yield* TestEngine
      const { id } = yield* Effect.flatMap(Calls, (calls) =>
        calls.originate(workspace.id, {
          to: "+99900000009",
          from: workspace.number,
          voice_callback_url: "https://app.test/voice"
        })
      )
      yield* pass(60)
      const { cost_minor, duration_seconds, ringing_at, status } = yield* look(id)
      assert.deepStrictEqual(
        { status, duration_seconds, cost_minor },
        { status: "completed", duration_seconds: 30, cost_minor: 300 }
      )
      assert.isNotNull(ringing_at)
      assert.strictEqual(yield* balance_minor, 99_700)
    })
  )

  scenario(
    "whose events arrive 60 s late, while commands still arrive, changes nothing",
    Effect.gen(function* () {
      const { hold, release } = yield* PbxSimulator
      const { id } = yield* place(120)
      yield* hold
      yield* pass(62)
      assert.strictEqual((yield* look(id)).status, "ringing")
      yield* release
      yield* pass(1)
      assert.strictEqual((yield* look(id)).status, "answered")
      yield* pass(80)
      yield* talkedOnce(id)
    })
  )

  // The second minute was never held: the customer does not pay for a slow connection.
  scenario(
    "that delivers every event at the end charges one minute",
    Effect.gen(function* () {
      const { hold, release } = yield* PbxSimulator
      const { id } = yield* place(120)
      yield* hold
      yield* pass(70)
      yield* release
      yield* pass(5)
      yield* talkedOnce(id, 300)
    })
  )
})

describe("a gateway that comes back", () => {
  scenario(
    "without one of its sessions ends that call at once, and not after minutes",
    Effect.gen(function* () {
      const { connect, disconnect, lose } = yield* PbxSimulator
      const { id, session_id } = yield* place()
      yield* pass(20)
      yield* disconnect
      assert.isTrue(yield* lose(session_id))
      yield* pass(1)
      yield* connect
      yield* pass(2)
      const { cost_minor, hangup_cause, status } = yield* look(id)
      assert.deepStrictEqual(
        { status, hangup_cause, cost_minor },
        { status: "completed", hangup_cause: "session_lost", cost_minor: 300 }
      )
    })
  )
})
