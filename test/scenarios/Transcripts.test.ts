import { assert, describe } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { CallActor } from "../../src/actors/calls/CallActor.ts"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { CallId } from "../../src/domain/BrandedIds.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import type { PbxEvent, PbxEventData, PbxEventType } from "../../src/domain/pbx/PbxEvent.ts"
import { type EngineOptions, PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { kinds, look, pass, place, scenario } from "../support/Scenario.ts"

/** The live notices of a call from now on. */
const watch = (call_id: CallId) => Effect.flatMap(ActorSystem, (system) => system.subscribe(CallActor, call_id))

const talking: EngineOptions = { callback: () => Effect.succeed([{ say: { text: "x".repeat(3_000) } }]) }

/** Transcript events of a session, numbered from its next event on. */
const agent = (call: CallRecord, from: number) => {
  let seq = from
  const event = (at: number, type: PbxEventType, data: PbxEventData): PbxEvent => ({
    event_id: randomUUID(),
    tenant_pbx_id: workspace.tenant_pbx_id,
    type,
    session_id: call.session_id,
    seq: seq++,
    occurred_at: new Date(at).toISOString(),
    data
  })
  return (...said: ReadonlyArray<readonly [PbxEventType, PbxEventData]>) =>
    Effect.gen(function* () {
      const at = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      yield* Effect.flatMap(PbxSimulator, ({ report }) => report(said.map(([type, data]) => event(at, type, data))))
      yield* pass(0)
    })
}

const turn = (turn: number, text: string) => ["transcript.turn", { turn, role: "user", text, final: true }] as const
const delta = (turn: number, delta: string) => ["transcript.delta", { turn, role: "agent", delta }] as const

/** Answered after 2 s: created, ringing and answered were told. */
const answered = Effect.gen(function* () {
  const call = yield* place("+99900000001")
  yield* pass(3)
  return call
})

describe("a transcript", () => {
  scenario(
    "stores turns in the log of the call, in order, and is announced when the call is over",
    talking,
    Effect.gen(function* () {
      const call = yield* answered
      const tell = agent(call, 4)
      yield* tell(turn(1, "Hello"), delta(2, "Go"), delta(2, "od day"))
      yield* tell(["transcript.turn", { turn: 2, role: "agent", text: "Good day" }], turn(3, "Bye"), [
        "transcript.turn",
        {}
      ])
      const reads = yield* CallReads
      const turns = yield* reads.events(workspace.id, call.id, 0, 10, "turns")
      assert.deepStrictEqual(
        turns.map(({ payload }) => payload),
        [
          [1, "user", "Hello"],
          [2, "agent", "Good day"],
          [3, "user", "Bye"]
        ].map(([seq, role, text]) => ({
          kind: "transcript.turn",
          call_id: call.id,
          seq,
          role,
          text,
          final: true,
          occurred_at: turns[0]!.occurred_at
        }))
      )
      yield* Effect.flatMap(PbxSimulator, ({ remoteHangup }) => remoteHangup(call.session_id))
      yield* Effect.flatMap(PbxSimulator, ({ lose }) => lose(call.session_id))
      yield* Effect.flatMap(Calls, (calls) => calls.terminate(workspace.id, call.id))
      yield* pass(3)
      assert.strictEqual((yield* look(call.id)).status, "completed")
      assert.deepStrictEqual(yield* kinds(call.id), [
        "call.ringing",
        "call.progress",
        "call.answered",
        "call.completed",
        "call.transcript_available"
      ])
    })
  )

  scenario(
    "stores no deltas, and keeps the last twenty turns and deltas in memory",
    talking,
    Effect.gen(function* () {
      const { journal } = yield* TestEngine
      const calls = yield* Calls
      const call = yield* answered
      const tell = agent(call, 4)
      yield* tell(turn(1, "Hello"))
      const live = yield* watch(call.id)
      const commits = journal.commits
      for (let n = 0; n < 30; n++) yield* tell(delta(2, `piece ${n}`))
      assert.strictEqual(journal.commits, commits)
      const heard = (yield* Queue.takeAll(live)).flatMap((notice) =>
        "said" in notice && "delta" in notice.said ? [notice.said.delta] : []
      )
      assert.deepStrictEqual(
        heard,
        Array.from({ length: 30 }, (_, n) => `piece ${n}`)
      )
      const said = yield* calls.recentTranscript(call.id)
      assert.lengthOf(said, 20)
      assert.deepInclude(said.at(-1)!.said, { kind: "transcript.delta", seq: 2, delta: "piece 29" })
      yield* tell(turn(2, "all"))
      assert.isAbove(journal.commits, commits)
      assert.notInclude(journal.tables.snapshot("Call", call.id)!.state, "piece")
      yield* TestClock.adjust("70 seconds")
      yield* pass(1)
    }).pipe(Effect.scoped)
  )

  scenario(
    "drops deltas for a slow reader before it disconnects it",
    talking,
    Effect.gen(function* () {
      const call = yield* answered
      const live = yield* watch(call.id)
      const tell = agent(call, 4)
      yield* tell(...Array.from({ length: 90 }, () => delta(1, "x")))
      yield* tell(...Array.from({ length: 90 }, () => delta(1, "x")))
      yield* tell(...Array.from({ length: 50 }, (_, n) => turn(n + 1, "y")))
      const notices = yield* Queue.takeAll(live)
      const said = notices.flatMap((notice) => ("said" in notice ? [notice.said.kind] : []))
      assert.strictEqual(said.filter((kind) => kind === "transcript.delta").length, 128)
      assert.strictEqual(said.filter((kind) => kind === "transcript.turn").length, 50)
      yield* TestClock.adjust("70 seconds")
      yield* pass(1)
    }).pipe(Effect.scoped)
  )
})
