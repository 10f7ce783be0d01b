import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { engine, PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"

const pass = (seconds: number) =>
  Effect.gen(function* () {
    const { drain } = yield* ActorSystem
    for (let second = 0; second < seconds; second++) {
      yield* drain
      yield* TestClock.adjust("1 second")
      yield* drain
    }
  })

/** A call to the phone that answers after 2 s and talks 65 s, whose customer lets it talk. */
const place = Effect.gen(function* () {
  yield* Effect.flatMap(TestEngine, ({ credit }) => credit(100_000))
  const calls = yield* Calls
  const { id } = yield* calls.originate(workspace.id, {
    to: "+99900000001",
    from: workspace.number,
    voice_callback_url: "https://app.test/voice"
  })
  const look = Effect.flatMap(CallReads, (reads) => Effect.map(reads.find(workspace.id, id), (record) => record!))
  return { id, look }
})

const charged = Effect.map(TestEngine, ({ journal }) =>
  journal.tables.ledger.filter(({ kind }) => kind === "call_charge").map(({ amount_minor }) => amount_minor)
)

const talk = engine({ callback: () => Effect.succeed([{ say: { text: "x".repeat(3000) } }]) })

describe("a call whose gateway is disconnected", () => {
  it.effect("and returns after the end of the call has its true duration and price", () =>
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      const { look } = yield* place
      yield* pass(10)
      yield* pbx.disconnect
      yield* pass(65)
      assert.strictEqual((yield* look).status, "answered")
      yield* pbx.connect
      yield* pass(1)
      const { cost_minor, duration_seconds, status } = yield* look
      assert.deepStrictEqual([status, duration_seconds, cost_minor], ["completed", 65, 600])
      assert.deepStrictEqual(yield* charged, [-600])
      assert.strictEqual(yield* pbx.unacknowledged, 0)
    }).pipe(Effect.provide(talk))
  )

  it.effect("before the call rings: it rings once the gateway is back", () =>
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      yield* pass(1)
      yield* pbx.disconnect
      const { look } = yield* place
      yield* pass(5)
      assert.deepStrictEqual(yield* pbx.live_sessions, [])
      yield* pbx.connect
      yield* pass(3)
      assert.strictEqual((yield* look).status, "answered")
    }).pipe(Effect.provide(talk))
  )

  it.effect("while the call is terminated: the PBX hangs it up when the gateway returns", () =>
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      const { id, look } = yield* place
      yield* pass(10)
      yield* pbx.disconnect
      yield* Effect.flatMap(Calls, (calls) => calls.terminate(workspace.id, id))
      yield* pass(5)
      assert.strictEqual((yield* look).status, "completed")
      assert.strictEqual((yield* pbx.live_sessions).length, 1)
      yield* pbx.connect
      yield* pass(1)
      assert.deepStrictEqual(yield* pbx.live_sessions, [])
      assert.deepStrictEqual(yield* charged, [-300])
    }).pipe(Effect.provide(talk))
  )

  it.effect("and which is canceled before it rings never rings", () =>
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      yield* pass(1)
      yield* pbx.disconnect
      const { id, look } = yield* place
      yield* pass(2)
      yield* Effect.flatMap(Calls, (calls) => calls.terminate(workspace.id, id))
      yield* pass(2)
      yield* pbx.connect
      yield* pass(5)
      assert.strictEqual((yield* look).status, "canceled")
      assert.deepStrictEqual(yield* pbx.live_sessions, [])
      const log = yield* Effect.flatMap(CallReads, (reads) => reads.events(workspace.id, id, 0, 100))
      assert.deepStrictEqual(
        log.map(({ kind }) => kind),
        ["call.ringing", "call.canceled"]
      )
    }).pipe(Effect.provide(talk))
  )
})
