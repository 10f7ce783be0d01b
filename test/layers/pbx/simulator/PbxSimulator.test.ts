import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { GatewayCommands } from "../../../../src/domain/pbx/GatewayCommand.ts"
import { ActorSystem } from "../../../../src/actors/runtime/ActorSystem.ts"
import { RecordingSpool } from "../../../../src/domain/ports/calls/RecordingSpool.ts"
import { PbxSimulator } from "../../../../src/layers/pbx/simulator/PbxSimulator.ts"
import { MemoryJournal } from "../../../../src/layers/journal/MemoryJournal.ts"
import { makeRelayPool } from "../../../../src/layers/streams/RelayPool.ts"
import { pbxGatewayContract } from "../../../contract/PbxGateway.ts"
import { GatewayUnderTest } from "../../../contract/GatewayUnderTest.ts"
import { actors, pbxEvent } from "../../../support/PbxWorld.ts"
import { StreamHeaders } from "../../../../src/domain/ports/calls/StreamHeaders.ts"
import { RecordingIngest } from "../../../support/RecordingIngest.ts"
import { gatewayId } from "../../../support/Ids.ts"
import { toSessionId } from "../../../../src/domain/BrandedIds.ts"

const simulator = Layer.unwrap(
  Effect.map(makeRelayPool({ allow_insecure: true, allow_private: true }), (relay) =>
    PbxSimulator.layer({ gateway_id: gatewayId("g1"), relay }).pipe(Layer.provide(RecordingSpool.none))
  )
).pipe(Layer.provide(StreamHeaders.none))

pbxGatewayContract(
  "the simulator",
  Layer.effect(
    GatewayUnderTest,
    Effect.map(PbxSimulator, ({ connect, disconnect }) => ({
      numbers: { answers: "+99900000001", busy: "+99900000002", silent: "+99900000003", presses: "+99900000010" },
      sound: "https://example.com/a.wav",
      streams: true,
      keeps_unheard: true,
      pass: (ms) => TestClock.adjust(ms),
      connect,
      disconnect
    }))
  ).pipe(Layer.provide(simulator))
)

describe("test controls of the simulator", () => {
  const test = (
    name: string,
    body: (recorded: RecordingIngest) => Effect.Effect<void, unknown, PbxSimulator | ActorSystem>
  ) =>
    it.effect(name, () =>
      Effect.gen(function* () {
        const recorded = new RecordingIngest()
        const engine = actors(yield* MemoryJournal.make)
        yield* body(recorded).pipe(Effect.provide(simulator), Effect.provide([engine, recorded.layer]))
      })
    )
  const call = Effect.gen(function* () {
    const { ask } = yield* ActorSystem
    yield* TestClock.adjust(1)
    yield* ask(GatewayCommands.Dispatch, gatewayId("g1"), {
      command: {
        id: "c1",
        session_id: toSessionId("HD_1"),
        tenant_pbx_id: "t1",
        seq: 1,
        action: { kind: "originate", to: "+99900000001", from: "+1", caller_id: "+1", timeout_seconds: 30 }
      }
    })
    yield* TestClock.adjust("1 second")
  })

  test("holds events back while commands arrive, and releases them in order", (recorded) =>
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      yield* pbx.hold
      yield* call
      assert.deepStrictEqual(yield* pbx.live_sessions, [toSessionId("HD_1")])
      assert.deepStrictEqual([recorded.events.length, yield* pbx.unacknowledged], [0, 2])
      yield* pbx.release
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        recorded.events.map(({ type }) => type),
        ["session.created", "leg.ringing"]
      )
      assert.strictEqual(yield* pbx.unacknowledged, 0)
    }))

  test("hangs up as the remote party, and loses a session without an event", (recorded) =>
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      yield* call
      assert.isTrue(yield* pbx.remoteHangup(toSessionId("HD_1")))
      assert.isFalse(yield* pbx.lose(toSessionId("HD_1")))
      yield* TestClock.adjust(1)
      assert.strictEqual(recorded.events.at(-1)!.type, "leg.hangup")
    }))

  test("reports any event, also twice", (recorded) =>
    Effect.gen(function* () {
      const pbx = yield* PbxSimulator
      yield* pbx.report([pbxEvent(2), pbxEvent(1), pbxEvent(2)])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        recorded.events.map(({ event_id }) => event_id),
        [pbxEvent(2).event_id, pbxEvent(1).event_id]
      )
      assert.deepStrictEqual([...recorded.told.values()], [2, 1])
    }))
})
