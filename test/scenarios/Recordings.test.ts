import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { RecordingActor } from "../../src/actors/recordings/RecordingActor.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { systemOrigin } from "../../src/domain/access/Origin.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { recordingState } from "../../src/domain/recordings/StoredRecording.ts"
import type { RecordValue } from "../../src/domain/recordings/RecordMode.ts"
import { recordingIdOf } from "../../src/domain/recordings/RecordingId.ts"
import { wavOf } from "../../src/domain/recordings/Wav.ts"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { diesAfter } from "../support/DiesAfter.ts"
import {
  engine,
  type EngineOptions,
  MemoryJournal,
  MemoryRecordings,
  PbxSimulator,
  TestEngine,
  workspace
} from "../../src/testing.ts"
import { type CallId, toCallId } from "../../src/domain/BrandedIds.ts"

const pass = (seconds: number) =>
  Effect.gen(function* () {
    const { drain } = yield* ActorSystem
    yield* drain
    for (let second = 0; second < seconds; second++) {
      yield* TestClock.adjust("1 second")
      yield* drain
    }
  })

const place = (record: RecordValue | undefined, to = "+99900000001") =>
  Effect.flatMap(Calls, (calls) =>
    calls.originate(workspace.id, {
      to,
      from: workspace.number,
      voice_callback_url: "https://app.test/voice",
      ...(record !== undefined && { record })
    })
  )

const look = (id: string) =>
  Effect.flatMap(CallReads, (reads) => Effect.map(reads.find(workspace.id, toCallId(id)), (record) => record!))

const recordings = Effect.map(TestEngine, ({ journal }) =>
  [...journal.tables.snapshots.values()]
    .filter(({ actor_type }) => actor_type === "Recording")
    .map(({ state }) => recordingState.view(state))
)

const kinds = (id: CallId) =>
  Effect.flatMap(CallReads, (reads) =>
    Effect.map(reads.events(workspace.id, id, 0, 200), (events) => events.map(({ kind }) => kind))
  )

const speaks: VoiceAction = { say: { text: "x".repeat(3000) } }

const scenario = (
  name: string,
  body: (
    memory: MemoryRecordings,
    journal: MemoryJournal
  ) => Effect.Effect<void, unknown, Calls | CallReads | ActorSystem | TestEngine | PbxSimulator>,
  options: EngineOptions = {}
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      const memory = new MemoryRecordings()
      const journal = yield* MemoryJournal.make
      yield* Effect.gen(function* () {
        yield* Effect.flatMap(TestEngine, ({ credit }) => credit(100_000))
        yield* body(memory, journal)
      }).pipe(
        Effect.provide(engine({ callback: () => Effect.succeed([speaks]), recordings: memory, journal, ...options }))
      )
    })
  )

describe("the recording of a call", () => {
  for (const [record, seconds, channels] of [
    [true, 65, 1],
    ["record-from-answer-dual", 65, 2],
    ["record-from-ringing", 67, 1]
  ] as const) {
    scenario(`by ${record} is there when the talk is over, and as long`, (memory) =>
      Effect.gen(function* () {
        const { id } = yield* place(record)
        yield* pass(5)
        const recording_id = recordingIdOf(id, 0)
        assert.deepInclude((yield* look(id)).recording, { id: recording_id, status: "in_progress" })
        yield* pass(65)
        assert.deepInclude((yield* look(id)).recording, { status: "available" })
        const [recording] = yield* recordings
        assert.deepInclude(recording, { id: recording_id, status: "available", spooled: null, told_call: "available" })
        const stored = memory.stored.get(`${workspace.id}/${recording_id}`)!
        assert.strictEqual(recording!.audio!.size_bytes, stored.length)
        const wav = Option.getOrThrow(Option.fromNullishOr(wavOf(stored, stored.length)))
        assert.deepStrictEqual(
          wav._tag === "Success" && [wav.success.channels, Math.round(wav.success.duration_ms / 1000)],
          [channels, seconds]
        )
        assert.strictEqual(memory.spooled.size, 0)
        assert.deepStrictEqual((yield* kinds(id)).slice(-2), ["call.completed", "call.recording_available"])
      })
    )
  }

  scenario(
    "is stored while at most eight of its workspace are, so that half of the places are left to others",
    (memory) =>
      Effect.gen(function* () {
        const released = yield* Deferred.make<void>()
        let saving = 0
        memory.beforeSave = Effect.suspend(() => {
          saving++
          return Deferred.await(released)
        })
        yield* Effect.forEach(Array.from({ length: 20 }), () => place(true), { discard: true })
        for (let second = 0; second < 80; second++) yield* TestClock.adjust("1 second")
        assert.strictEqual(saving, 8)
        yield* Deferred.succeed(released, undefined)
        yield* pass(1)
        assert.deepStrictEqual([saving, memory.stored.size], [20, 20])
      })
  )

  scenario("that nobody asked for, or that nobody answered, is none", (memory) =>
    Effect.gen(function* () {
      const plain = yield* place(undefined)
      const never = yield* place("do-not-record")
      const busy = yield* place(true, "+99900000002")
      yield* pass(80)
      for (const { id } of [plain, never, busy]) assert.isNull((yield* look(id)).recording)
      assert.deepStrictEqual([yield* recordings, memory.stored.size], [[], 0])
    })
  )

  scenario(
    "of a dialled leg belongs to that leg",
    () =>
      Effect.gen(function* () {
        const { id } = yield* place(undefined)
        yield* pass(80)
        const [child] = (yield* look(id)).child_call_ids
        assert.isNull((yield* look(id)).recording)
        assert.deepInclude((yield* look(child!)).recording, { status: "available" })
        assert.strictEqual((yield* recordings)[0]!.facts!.source, "dial")
      }),
    { callback: () => Effect.succeed([{ dial: { number: "+254711223344", record: "record-from-answer" } }]) }
  )

  scenario(
    "of an inbound call follows the number's routing",
    () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(PbxSimulator, ({ dialIn }) =>
          dialIn({ tenant_pbx_id: workspace.tenant_pbx_id, from: "+256771000001", to: workspace.number })
        )
        yield* pass(10)
        const [recording] = yield* recordings
        assert.deepInclude(recording!.facts!, { source: "routing", channels: 2 })
        assert.deepInclude((yield* look(recording!.facts!.call_id)).recording, {
          id: recording!.id,
          status: "available"
        })
      }),
    {
      routing: { voice_url: "https://app.test/incoming", record: "record-from-answer-dual" },
      callback: () => Effect.succeed([{ say: { text: "Hello." } }])
    }
  )

  scenario("waits for a store that is away", (memory) =>
    Effect.gen(function* () {
      memory.away = true
      const { id } = yield* place(true)
      yield* pass(120)
      assert.deepInclude((yield* look(id)).recording, { status: "processing" })
      memory.away = false
      yield* pass(6)
      assert.deepInclude((yield* look(id)).recording, { status: "available" })
    })
  )

  scenario("fails after an hour where the store stays away, and the file is not kept", (memory) =>
    Effect.gen(function* () {
      memory.away = true
      const { id } = yield* place(true)
      yield* pass(75)
      assert.strictEqual(memory.spooled.size, 1)
      yield* TestClock.adjust("1 hour")
      yield* pass(1)
      assert.deepInclude((yield* look(id)).recording, { status: "failed" })
      assert.deepStrictEqual([(yield* recordings)[0]!.error, memory.spooled.size], ["unavailable", 0])
      assert.strictEqual((yield* kinds(id)).at(-1), "call.recording_failed")
    })
  )

  for (const [what, alter, error] of [
    ["is cut short", (bytes: Uint8Array) => bytes.subarray(0, 1000), "size_mismatch"],
    [
      "is altered",
      (bytes: Uint8Array) => Uint8Array.from(bytes, (byte, index) => (index === 100 ? byte ^ 1 : byte)),
      "sha256_mismatch"
    ]
  ] as const) {
    scenario(`fails where the file ${what} on its way`, (memory) =>
      Effect.gen(function* () {
        memory.away = true
        const { id } = yield* place(true)
        yield* pass(75)
        for (const [key, bytes] of memory.spooled) memory.spooled.set(key, alter(bytes))
        memory.away = false
        yield* pass(6)
        assert.deepInclude((yield* look(id)).recording, { status: "failed" })
        assert.deepStrictEqual([(yield* recordings)[0]!.error, memory.stored.size], [error, 0])
      })
    )
  }

  scenario("of a PBX that loses its session fails five minutes after the call", () =>
    Effect.gen(function* () {
      const { id, session_id } = yield* place(true)
      yield* pass(5)
      yield* Effect.flatMap(PbxSimulator, ({ lose }) => lose(session_id))
      yield* TestClock.adjust("4 minutes")
      yield* pass(1)
      assert.strictEqual((yield* look(id)).status, "completed")
      yield* TestClock.adjust("6 minutes")
      yield* pass(1)
      assert.deepStrictEqual(
        (yield* recordings).map(({ error, status }) => [status, error]),
        [["failed", "unreported"]]
      )
      assert.deepInclude((yield* look(id)).recording, { status: "failed" })
    })
  )

  scenario(
    "expires after its retention, and is deleted",
    (memory) =>
      Effect.gen(function* () {
        const { id } = yield* place(true)
        yield* pass(75)
        assert.strictEqual(memory.stored.size, 1)
        yield* TestClock.adjust("1 day")
        yield* pass(1)
        assert.deepInclude((yield* look(id)).recording, { status: "expired" })
        assert.deepStrictEqual([(yield* recordings)[0]!.reason, memory.stored.size], ["retention", 0])
        assert.strictEqual((yield* kinds(id)).at(-1), "call.recording_deleted")
      }),
    { retention_days: 1 }
  )

  scenario("that is deleted is gone at once, and from the store as soon as that can be", (memory) =>
    Effect.gen(function* () {
      const { id } = yield* place(true)
      yield* pass(75)
      memory.away = true
      yield* Effect.flatMap(ActorSystem, ({ ask }) =>
        ask(RecordingActor, recordingIdOf(id, 0), { _tag: "Delete", origin: systemOrigin })
      )
      yield* pass(1)
      assert.deepInclude((yield* look(id)).recording, { status: "deleted" })
      assert.strictEqual(memory.stored.size, 1)
      memory.away = false
      yield* pass(6)
      assert.strictEqual(memory.stored.size, 0)
      const { journal } = yield* TestEngine
      assert.deepStrictEqual(
        journal.tables.audit.map(({ action_kind }) => action_kind),
        ["recording.deleted"]
      )
    })
  )
})

describe("an engine that crashes while a recording is stored", () => {
  it.effect("at any commit has the whole recording or none, never a part", () =>
    Effect.gen(function* () {
      const ends = new Set<string>()
      let commits = 2
      for (let lives = true; lives; commits++) {
        const memory = new MemoryRecordings()
        const journal = yield* MemoryJournal.make
        const options = {
          callback: () => Effect.succeed([speaks]),
          recordings: memory,
          journal,
          phones: () => talkative(200, 1_500)
        }
        const died = diesAfter(journal, commits)
        const run = <E>(body: Effect.Effect<void, E, Calls | CallReads | ActorSystem | TestEngine | PbxSimulator>) =>
          Effect.provide(body, Layer.fresh(engine(options)))
        yield* run(
          Effect.gen(function* () {
            // A dead engine never answers, and to place a call cannot be broken off: nobody waits for it.
            yield* Effect.forkDetach(
              Effect.andThen(
                Effect.flatMap(TestEngine, ({ credit }) => credit(100_000)),
                place(true)
              )
            )
            for (let turn = 0; turn < 40 && !died(); turn++) yield* TestClock.adjust("100 millis")
          })
        )
        lives = died()
        yield* run(
          Effect.gen(function* () {
            yield* pass(6)
            // What the PBX forgot when it died with its engine is given up in the end.
            if ((yield* recordings).some(({ status }) => status === "in_progress")) yield* TestClock.adjust("9 minutes")
            yield* pass(1)
            for (const { audio, facts, id, spooled, status } of yield* recordings) {
              ends.add(status)
              assert.isNull(spooled)
              assert.strictEqual(
                memory.stored.has(`${workspace.id}/${id}`),
                status === "available",
                `after ${commits} commits: ${status}`
              )
              assert.strictEqual(audio !== null, status === "available")
              assert.deepInclude((yield* look(facts!.call_id)).recording, { id, status })
              const told = (yield* kinds(facts!.call_id)).filter((kind) => kind.startsWith("call.recording_"))
              assert.deepStrictEqual(told, [`call.recording_${status}`])
            }
          })
        )
      }
      assert.deepStrictEqual([...ends].sort(), ["available", "failed"])
      assert.isAbove(commits, 12)
    })
  )

  it.effect("stores it once after the restart", () =>
    Effect.gen(function* () {
      const memory = new MemoryRecordings()
      const journal = yield* MemoryJournal.make
      const options = { callback: () => Effect.succeed([speaks]), recordings: memory, journal }
      const id = yield* Effect.gen(function* () {
        yield* Effect.flatMap(TestEngine, ({ credit }) => credit(100_000))
        const { id } = yield* place(true)
        memory.away = true
        yield* pass(75)
        journal.crash()
        return id
      }).pipe(Effect.provide(Layer.fresh(engine(options))))
      memory.away = false
      yield* Effect.gen(function* () {
        yield* pass(90)
        assert.deepInclude((yield* look(id)).recording, { status: "available" })
        assert.deepStrictEqual([memory.stored.size, memory.spooled.size], [1, 0])
        assert.lengthOf(
          (yield* kinds(id)).filter((kind) => kind === "call.recording_available"),
          1
        )
      }).pipe(Effect.provide(Layer.fresh(engine(options))))
    })
  )
})
