import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, FiberSet, Result } from "effect"
import { TestClock } from "effect/testing"
import { Timers } from "../../../../src/actors/runtime/Timers.ts"
import type { ActionOf, PbxAction } from "../../../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../../../src/domain/pbx/PbxEvent.ts"
import { wavOf } from "../../../../src/domain/recordings/Wav.ts"
import { phoneOf } from "../../../../src/layers/pbx/simulator/Phones.ts"
import type { AudioFile, LeaveAudio } from "../../../../src/layers/pbx/simulator/Recorders.ts"
import { SimulatedPbx } from "../../../../src/layers/pbx/simulator/SimulatedPbx.ts"
import { toneWav } from "../../../../src/layers/pbx/simulator/ToneWav.ts"
import { recordingId } from "../../../support/Ids.ts"
import { toSessionId } from "../../../../src/domain/BrandedIds.ts"

const left = { size_bytes: 1, sha256: "ab" }

const makePbx = Effect.fnUntraced(function* (
  outcome: "written" | "no spool" | "no room" = "written",
  { tenant_pbx_id = "t1", to = "+99900000001" } = {}
) {
  const clock = yield* Clock.Clock
  const events: Array<PbxEvent> = []
  const files: Array<AudioFile> = []
  const leave: LeaveAudio = (file, then) => {
    files.push(file)
    then(outcome === "written" ? left : undefined)
  }
  let ids = 0
  const pbx = new SimulatedPbx({
    phones: phoneOf,
    timers: new Timers(clock, yield* FiberSet.makeRuntime()),
    now: () => clock.currentTimeMillisUnsafe(),
    uuid: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, "0")}`,
    report: (event) => events.push(event),
    ...(outcome !== "no spool" && { leave })
  })
  const tell = (action: PbxAction, id = `c${++ids}`) =>
    pbx.carryOut({ id, session_id: toSessionId("HD_1"), tenant_pbx_id, seq: 1, action })
  /** Answers after 2 s and talks for 65. */
  tell({
    kind: "originate",
    to,
    from: "+254200000000",
    caller_id: "+254200000000",
    timeout_seconds: 30
  })
  const told = () =>
    events
      .splice(0)
      .filter(({ type }) => /recording|hangup/.test(type))
      .map(({ data, occurred_at, type }) =>
        [Date.parse(occurred_at) / 1000, type, data.duration_ms, data.error]
          .filter((part) => part !== undefined)
          .join(" ")
      )
  return { tell, told, files }
})

const start = (more: Partial<ActionOf<"record.start">> = {}): PbxAction => ({
  kind: "record.start",
  recording_id: recordingId("r1"),
  channels: 1,
  from: "answer",
  ...more
})

describe("the simulated PBX", () => {
  it.effect("records from the answer to the end, whenever the recording was requested", () =>
    Effect.gen(function* () {
      const { files, tell, told } = yield* makePbx()
      tell(start(), "record")
      tell(start(), "record")
      yield* TestClock.adjust("70 seconds")
      assert.deepStrictEqual(told(), ["2 recording.started", "67 leg.hangup 65000", "67 recording.completed 65000"])
      assert.deepStrictEqual(files, [{ object_key: "HD_1/r1.wav", channels: 1, duration_ms: 65_000 }])
    })
  )

  it.effect("records from the start of ringing, and in two channels", () =>
    Effect.gen(function* () {
      const { files, tell, told } = yield* makePbx()
      tell(start({ from: "ringing", channels: 2 }))
      yield* TestClock.adjust("70 seconds")
      assert.deepStrictEqual(told(), ["0 recording.started", "67 leg.hangup 65000", "67 recording.completed 67000"])
      assert.deepStrictEqual(files, [{ object_key: "HD_1/r1.wav", channels: 2, duration_ms: 67_000 }])
    })
  )

  it.effect("ends a recording on command, or at its maximum length", () =>
    Effect.gen(function* () {
      const { tell, told } = yield* makePbx()
      tell(start())
      tell(start({ recording_id: recordingId("r2"), max_seconds: 5 }))
      yield* TestClock.adjust("5 seconds")
      tell({ kind: "record.stop", recording_id: recordingId("r1") })
      tell({ kind: "record.stop", recording_id: recordingId("unknown") })
      yield* TestClock.adjust("70 seconds")
      assert.deepStrictEqual(told(), [
        "2 recording.started",
        "2 recording.started",
        "5 recording.completed 3000",
        "7 recording.completed 5000",
        "67 leg.hangup 65000"
      ])
    })
  )

  it.effect("records nothing if nobody answers or the recording is cancelled", () =>
    Effect.gen(function* () {
      const { files, tell, told } = yield* makePbx()
      tell(start())
      tell({ kind: "hangup", cause: "canceled_by_workspace" })
      assert.deepStrictEqual([told(), files], [["0 leg.hangup 0"], []])
    })
  )

  const endless = { to: "+99900000022" }
  const sandbox = { ...endless, tenant_pbx_id: "7e577e57-0000-7000-8000-000000000001" }

  it.effect("ends each recording of a sandbox after ten minutes, and no other", () =>
    Effect.gen(function* () {
      const test = yield* makePbx("written", sandbox)
      const live = yield* makePbx("written", endless)
      for (const { tell } of [test, live]) tell(start())
      yield* TestClock.adjust("20 minutes")
      assert.deepStrictEqual(
        test.files.map(({ duration_ms }) => duration_ms),
        [600_000]
      )
      assert.deepStrictEqual(live.files, [])
    })
  )

  it.effect("records an hour a day for a sandbox, and then says why it does not", () =>
    Effect.gen(function* () {
      const { files, tell, told } = yield* makePbx("written", sandbox)
      const record = (nth: number) => tell(start({ recording_id: recordingId(`r${nth}`) }))
      yield* TestClock.adjust("5 seconds")
      for (let nth = 0; nth < 6; nth++) {
        record(nth)
        yield* TestClock.adjust("10 minutes")
      }
      assert.lengthOf(files, 6)
      // An hour has passed meanwhile, in which two and a half minutes came back.
      record(6)
      yield* TestClock.adjust("10 minutes")
      assert.lengthOf(files, 7)
      told()
      record(7)
      assert.deepStrictEqual(told(), ["4205 recording.failed recording_quota"])
      yield* TestClock.adjust("4 hours")
      record(8)
      assert.deepStrictEqual(told(), ["18605 recording.started"])
    })
  )

  for (const [what, outcome, error] of [
    ["has no spool", "no spool", "no_spool"],
    ["cannot write to its spool", "no room", "spool_unavailable"]
  ] as const) {
    it.effect(`reports a failure if it ${what}`, () =>
      Effect.gen(function* () {
        const { tell, told } = yield* makePbx(outcome)
        tell(start())
        yield* TestClock.adjust("70 seconds")
        assert.strictEqual(told().at(-1), `67 recording.failed ${error}`)
      })
    )
  }
})

describe("the audio of a simulated recording", () => {
  it("is a WAV file of the right length with a different sound in each channel", () => {
    for (const [channels, duration_ms] of [
      [1, 65_000],
      [2, 1_234],
      [1, 1]
    ] as const) {
      const bytes = Buffer.concat([...toneWav({ channels, duration_ms })])
      assert.deepStrictEqual(wavOf(bytes, bytes.length), Result.succeed({ channels, duration_ms }))
    }
    const stereo = Buffer.concat([...toneWav({ channels: 2, duration_ms: 500 })])
    const loudest = (channel: number) =>
      Math.max(
        ...Array.from({ length: 4000 }, (_, index) => Math.abs(stereo.readInt16LE(44 + (index * 2 + channel) * 2)))
      )
    assert.isAbove(loudest(0), 5000)
    assert.isAbove(loudest(1), 5000)
    assert.notStrictEqual(stereo.readInt16LE(44 + 401 * 4), stereo.readInt16LE(46 + 401 * 4))
  })
})
