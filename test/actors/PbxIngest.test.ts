import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { PbxIngest } from "../../src/actors/PbxIngest.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import { sessionOfCall } from "../../src/domain/pbx/Session.ts"
import { Directory } from "../../src/domain/ports/Directory.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { actors, callId, directory, notingCalls, pbxEvent } from "../support/PbxWorld.ts"

interface World {
  readonly journal: MemoryJournal
  /** What calls were told. */
  readonly told: ReadonlyArray<string>
  readonly ingest: (events: ReadonlyArray<PbxEvent>, gateway_id?: string | null) => ReturnType<PbxIngest["Service"]["ingest"]>
}

const test = (name: string, body: (world: World) => Effect.Effect<void>) =>
  it.effect(name, () =>
    Effect.gen(function*() {
      const journal = yield* MemoryJournal.make
      const told: Array<string> = []
      const calls = notingCalls(told)
      const layer = PbxIngest.layer(calls).pipe(Layer.provide([actors(journal, calls), directory]))
      yield* Effect.provide(
        Effect.flatMap(PbxIngest, ({ ingest }) =>
          body({ journal, told, ingest: (events, gateway_id = "g1") => ingest(gateway_id, events) })),
        layer
      )
    }))

/** Whoever asks later is answered sooner. */
const hastyDirectory = Layer.effect(Directory, Effect.map(Directory, (directory) => {
  let wait_ms = 1_000
  return Directory.of({
    ...directory,
    workspaceOfPbx: (tenant_pbx_id) => Effect.suspend(() => Effect.delay(directory.workspaceOfPbx(tenant_pbx_id), wait_ms -= 10))
  })
})).pipe(Layer.provide(directory))

it.effect("what is reported of a session is told in the order given, however its tenant is looked up", () =>
  Effect.gen(function*() {
    const told: Array<string> = []
    const calls = notingCalls(told)
    const layer = PbxIngest.layer(calls).pipe(Layer.provide([actors(yield* MemoryJournal.make, calls), hastyDirectory]))
    const seqs = Array.from({ length: 20 }, (_, index) => index + 1)
    yield* Effect.gen(function*() {
      const { ingest } = yield* PbxIngest
      const telling = yield* Effect.forkChild(ingest("g1", seqs.map((seq) => pbxEvent(seq, { seq }))))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(telling)
    }).pipe(Effect.provide(layer))
    assert.deepStrictEqual(told, seqs.map((seq) => `leg.ringing ${seq}`))
  }))

describe("what is reported of a session", () => {
  test("reaches its call and counts once", ({ ingest, told }) =>
    Effect.gen(function*() {
      const first = yield* ingest([pbxEvent(1), pbxEvent(2, { seq: 2 }), pbxEvent(1), pbxEvent(3, { seq: 101 })])
      assert.deepStrictEqual([first.accepted, first.duplicate, first.ignored_late], [2, 1, 1])
      assert.deepStrictEqual(first.taken, [1, 2, 1, 3].map((n) => pbxEvent(n).event_id))
      assert.deepStrictEqual(told, ["leg.ringing 1", "leg.ringing 2", "leg.ringing 1", "leg.ringing 101"])
    }))

  test("is told in the order given, with one commit for what comes together", ({ ingest, journal, told }) =>
    Effect.gen(function*() {
      const seqs = Array.from({ length: 20 }, (_, index) => index + 1)
      yield* ingest(seqs.map((seq) => pbxEvent(seq, { seq })))
      assert.deepStrictEqual(told, seqs.map((seq) => `leg.ringing ${seq}`))
      assert.isAtMost(journal.commits, 2)
    }))

  test("is not acknowledged before it is on disk, and is taken when it is told again", ({ ingest, journal }) =>
    Effect.gen(function*() {
      journal.failNext()
      const events = [pbxEvent(1), pbxEvent(2, { session_id: sessionOfCall(callId(2)), seq: 1 })]
      const lost = yield* ingest(events)
      assert.deepStrictEqual(lost.failed, events.map(({ event_id }) => event_id))
      assert.deepStrictEqual(lost.taken, [])
      const again = yield* ingest(events)
      assert.deepStrictEqual([again.accepted, again.failed.length], [2, 0])
    }))

  test("changes nothing where the engine does not know the session", ({ ingest, told }) =>
    Effect.gen(function*() {
      const { ignored_late, taken } = yield* ingest([pbxEvent(1, { session_id: "HD_inbound-7" })])
      assert.deepStrictEqual([ignored_late, taken.length, told.length], [1, 1, 0])
    }))

  test("is refused without a session", ({ ingest }) =>
    Effect.gen(function*() {
      const { session_id: _, ...event } = pbxEvent(1)
      const { refused } = yield* ingest([event])
      assert.deepStrictEqual(refused.map(({ failure }) => failure._tag), ["pbx.payload_decode_failed"])
      assert.strictEqual(refused[0]!.failure.details?.[0]?.field, "/session_id")
    }))
})

describe("whom a gateway may speak for", () => {
  test("only for workspaces that it carries; beside them the others count", ({ ingest, told }) =>
    Effect.gen(function*() {
      const { accepted, refused } = yield* ingest([
        pbxEvent(1, { tenant_pbx_id: "t2" }),
        pbxEvent(2, { tenant_pbx_id: "nobody" }),
        pbxEvent(3)
      ])
      assert.deepStrictEqual(refused.map(({ event_id, failure }) => [event_id, failure._tag]), [
        [pbxEvent(1).event_id, "pbx.unknown_workspace"],
        [pbxEvent(2).event_id, "pbx.unknown_workspace"]
      ])
      assert.strictEqual(accepted, 1)
      assert.deepStrictEqual(told, ["leg.ringing 1"])
    }))

  test("the endpoint speaks for any", ({ ingest }) =>
    Effect.gen(function*() {
      const { accepted } = yield* ingest([pbxEvent(1, { tenant_pbx_id: "t2" })], null)
      assert.strictEqual(accepted, 1)
    }))
})

describe("what is reported of a gateway as a whole", () => {
  const heartbeat = (occurred_at: string): PbxEvent => {
    const { session_id: _, ...event } = pbxEvent(1, {
      type: "heartbeat",
      occurred_at,
      data: { live_sessions: [sessionOfCall(callId(1)), "HD_unknown", sessionOfCall(callId(2))] }
    })
    return event
  }

  test("a heartbeat proves the life of each session that it names", ({ ingest, told }) =>
    Effect.gen(function*() {
      yield* TestClock.adjust("1 minute")
      const { accepted } = yield* ingest([heartbeat("1970-01-01T00:00:40Z")])
      assert.strictEqual(accepted, 1)
      assert.deepStrictEqual(told, ["proof 40000", "proof 40000"])
    }))

  test("but not in the future", ({ ingest, told }) =>
    Effect.gen(function*() {
      yield* TestClock.adjust("1 minute")
      yield* ingest([heartbeat("1970-01-01T02:00:00+01:00")])
      assert.deepStrictEqual(told, ["proof 60000", "proof 60000"])
    }))

  test("the state of trunks changes no call", ({ ingest, told }) =>
    Effect.gen(function*() {
      const { session_id: _, ...event } = pbxEvent(1, { type: "trunk.state" })
      const { ignored_late } = yield* ingest([event])
      assert.deepStrictEqual([ignored_late, told.length], [1, 0])
    }))
})
