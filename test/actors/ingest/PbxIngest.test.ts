import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { TenantEvents } from "../../../src/actors/ingest/TenantEvents.ts"
import { InboundCalls } from "../../../src/actors/ingest/InboundCalls.ts"
import { PbxIngest } from "../../../src/actors/ingest/PbxIngest.ts"
import type { PbxEvent } from "../../../src/domain/pbx/PbxEvent.ts"
import { sessionOfCall } from "../../../src/domain/pbx/Session.ts"
import type { GatewayIdentity } from "../../../src/domain/pbx/GatewayIdentity.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { ServiceUnavailable } from "../../../src/domain/errors/GeneralErrors.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { actors, callId, directory, liveCalls, notingCalls, pbxEvent } from "../../support/PbxWorld.ts"
import { gatewayId } from "../../support/Ids.ts"
import { toSessionId } from "../../../src/domain/BrandedIds.ts"

interface World {
  readonly journal: MemoryJournal
  /** The commands that calls received. */
  readonly told: ReadonlyArray<string>
  readonly ingest: (
    events: ReadonlyArray<PbxEvent>,
    identity?: GatewayIdentity
  ) => ReturnType<PbxIngest["Service"]["ingest"]>
  readonly reconcile: PbxIngest["Service"]["reconcile"]
}

const test = (name: string, body: (world: World) => Effect.Effect<void>) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const journal = yield* MemoryJournal.make
      const told: Array<string> = []
      const calls = notingCalls(told)
      const layer = PbxIngest.layer.pipe(
        Layer.provide([actors(journal, calls), directory, liveCalls, TenantEvents.none, InboundCalls.none])
      )
      yield* Effect.provide(
        Effect.flatMap(PbxIngest, ({ ingest, reconcile }) =>
          body({ journal, told, ingest: (events, identity = "g1") => ingest(identity, events), reconcile })
        ),
        layer
      )
    })
  )

/** Later lookups finish sooner. */
const hastyDirectory = Layer.effect(
  Directory,
  Effect.map(Directory, (directory) => {
    let wait_ms = 1_000
    return Directory.of({
      ...directory,
      workspaceOfPbx: (tenant_pbx_id) =>
        Effect.suspend(() => Effect.delay(directory.workspaceOfPbx(tenant_pbx_id), (wait_ms -= 10)))
    })
  })
).pipe(Layer.provide(directory))

it.effect("delivers the events of a session in order, however long each lookup takes", () =>
  Effect.gen(function* () {
    const told: Array<string> = []
    const calls = notingCalls(told)
    const layer = PbxIngest.layer.pipe(
      Layer.provide([
        actors(yield* MemoryJournal.make, calls),
        hastyDirectory,
        liveCalls,
        TenantEvents.none,
        InboundCalls.none
      ])
    )
    const seqs = Array.from({ length: 20 }, (_, index) => index + 1)
    yield* Effect.gen(function* () {
      const { ingest } = yield* PbxIngest
      const telling = yield* Effect.forkChild(
        ingest(
          "g1",
          seqs.map((seq) => pbxEvent(seq, { seq }))
        )
      )
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(telling)
    }).pipe(Effect.provide(layer))
    assert.deepStrictEqual(
      told,
      seqs.map((seq) => `leg.ringing ${seq}`)
    )
  })
)

describe("what is reported of a session", () => {
  test("reaches its call and counts once", ({ ingest, told }) =>
    Effect.gen(function* () {
      const first = yield* ingest([pbxEvent(1), pbxEvent(2, { seq: 2 }), pbxEvent(1), pbxEvent(3, { seq: 101 })])
      assert.deepStrictEqual([first.accepted, first.duplicate, first.ignored_late], [2, 1, 1])
      assert.deepStrictEqual(
        first.taken,
        [1, 2, 1, 3].map((n) => pbxEvent(n).event_id)
      )
      assert.deepStrictEqual(told, ["leg.ringing 1", "leg.ringing 2", "leg.ringing 1", "leg.ringing 101"])
    }))

  test("is delivered in the order given, with one commit for each batch", ({ ingest, journal, told }) =>
    Effect.gen(function* () {
      const seqs = Array.from({ length: 20 }, (_, index) => index + 1)
      yield* ingest(seqs.map((seq) => pbxEvent(seq, { seq })))
      assert.deepStrictEqual(
        told,
        seqs.map((seq) => `leg.ringing ${seq}`)
      )
      assert.isAtMost(journal.commits, 2)
    }))

  test("is not acknowledged before it is on disk, and is accepted when it is sent again", ({ ingest, journal }) =>
    Effect.gen(function* () {
      journal.failNext()
      const events = [pbxEvent(1), pbxEvent(2, { session_id: sessionOfCall(callId(2)), seq: 1 })]
      const lost = yield* ingest(events)
      assert.deepStrictEqual(
        lost.failed,
        events.map(({ event_id }) => event_id)
      )
      assert.deepStrictEqual(lost.taken, [])
      const again = yield* ingest(events)
      assert.deepStrictEqual([again.accepted, again.failed.length], [2, 0])
    }))

  test("changes nothing if the engine does not know the session", ({ ingest, told }) =>
    Effect.gen(function* () {
      const { ignored_late, taken } = yield* ingest([pbxEvent(1, { session_id: toSessionId("HD_inbound-7") })])
      assert.deepStrictEqual([ignored_late, taken.length, told.length], [1, 1, 0])
    }))

  test("is refused without a session", ({ ingest }) =>
    Effect.gen(function* () {
      const { session_id: _, ...event } = pbxEvent(1)
      const { refused } = yield* ingest([event])
      assert.deepStrictEqual(
        refused.map(({ failure }) => failure._tag),
        ["pbx.payload_decode_failed"]
      )
      assert.strictEqual(refused[0]!.failure.details?.[0]?.field, "/session_id")
    }))
})

describe("whom a gateway may speak for", () => {
  test("only for workspaces that it carries; other events of the batch still count", ({ ingest, told }) =>
    Effect.gen(function* () {
      const { accepted, refused } = yield* ingest([
        pbxEvent(1, { tenant_pbx_id: "t2" }),
        pbxEvent(2, { tenant_pbx_id: "nobody" }),
        pbxEvent(3)
      ])
      assert.deepStrictEqual(
        refused.map(({ event_id, failure }) => [event_id, failure._tag]),
        [
          [pbxEvent(1).event_id, "pbx.unknown_workspace"],
          [pbxEvent(2).event_id, "pbx.unknown_workspace"]
        ]
      )
      assert.strictEqual(accepted, 1)
      assert.deepStrictEqual(told, ["leg.ringing 1"])
    }))

  test("with the shared secret for every gateway without a secret of its own", ({ ingest }) =>
    Effect.gen(function* () {
      const of = (...except: ReadonlyArray<string>) =>
        Effect.map(
          ingest([pbxEvent(1, { tenant_pbx_id: "t2" })], { except: new Set(except) }),
          ({ refused }) => refused.length
        )
      assert.deepStrictEqual([yield* of(), yield* of("g1"), yield* of("g2")], [0, 0, 1])
    }))
})

describe("what is reported of a gateway as a whole", () => {
  const heartbeat = (occurred_at: string): PbxEvent => {
    const { session_id: _, ...event } = pbxEvent(1, {
      type: "heartbeat",
      occurred_at,
      data: { live_sessions: [sessionOfCall(callId(1)), toSessionId("HD_unknown"), sessionOfCall(callId(2))] }
    })
    return event
  }

  test("in a heartbeat, that each listed session is alive", ({ ingest, told }) =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      const { accepted } = yield* ingest([heartbeat("1970-01-01T00:00:40Z")])
      assert.strictEqual(accepted, 1)
      assert.deepStrictEqual(told, ["proof 40000 t1", "proof 40000 t1"])
    }))

  test("in a heartbeat, never that a session is alive in the future", ({ ingest, told }) =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      yield* ingest([heartbeat("1970-01-01T02:00:00+01:00")])
      assert.deepStrictEqual(told, ["proof 60000 t1", "proof 60000 t1"])
    }))

  test("trunk states, which change no call", ({ ingest, told }) =>
    Effect.gen(function* () {
      const { session_id: _, ...event } = pbxEvent(1, { type: "trunk.state" })
      const { ignored_late } = yield* ingest([event])
      assert.deepStrictEqual([ignored_late, told.length], [1, 0])
    }))
})

describe("a gateway that comes back", () => {
  test("makes every call ask for its session if the list lacks it", ({ reconcile, told }) =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 minute")
      yield* reconcile(gatewayId("g1"), [sessionOfCall(callId(2)), toSessionId("HD_of-the-pbx")])
      assert.deepStrictEqual(told, ["doubted 60000", "doubted 60000"])
      yield* reconcile(gatewayId("g2"), [])
      assert.strictEqual(told.length, 2)
    }))
})

/** What becomes of an event whose tenant cannot be looked up, because of `cause`. */
const whenLookedUpInVain = (cause: unknown) =>
  Effect.gen(function* () {
    const away = Layer.effect(
      Directory,
      Effect.map(Directory, (directory) =>
        Directory.of({ ...directory, workspaceOfPbx: () => Effect.die(new ServiceUnavailable({ cause })) })
      )
    ).pipe(Layer.provide(directory))
    const calls = notingCalls([])
    const layer = PbxIngest.layer.pipe(
      Layer.provide([actors(yield* MemoryJournal.make, calls), away, liveCalls, TenantEvents.none, InboundCalls.none])
    )
    return yield* Effect.provide(
      Effect.flatMap(PbxIngest, ({ ingest }) => ingest("g1", [pbxEvent(1)])),
      layer
    )
  })

it.effect("takes and refuses nothing if tenants cannot be looked up", () =>
  Effect.gen(function* () {
    const { away, failed, refused, taken, unresolved } = yield* whenLookedUpInVain({ code: "42P01" })
    assert.deepStrictEqual([taken, refused, failed, unresolved], [[], [], [pbxEvent(1).event_id], true])
    assert.isUndefined(away)
  })
)

it.effect("says that the database is away if tenants cannot be looked up for that reason", () =>
  Effect.gen(function* () {
    const { away, unresolved } = yield* whenLookedUpInVain({ _tag: "ConnectionError" })
    assert.deepStrictEqual([away, unresolved], [true, true])
  })
)
