import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call, PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import type { CallMessage } from "../../../../src/domain/calls/state/CallCommand.ts"
import { callRecord } from "../../../../src/domain/calls/views/CallView.ts"
import { evolveCall } from "../../../../src/domain/calls/decide/EvolveCall.ts"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import { planCall } from "../../../../src/domain/calls/decide/PlanCall.ts"
import type { RecordValue } from "../../../../src/domain/recordings/RecordMode.ts"
import { recordingIdOf } from "../../../../src/domain/recordings/RecordingId.ts"
import {
  answered_at,
  asking,
  call_id,
  completed,
  facts,
  minute_at,
  missed,
  pbxEvent,
  recording,
  ringing,
  settling
} from "../Fixtures.ts"
import { callId } from "../../../support/Ids.ts"

const wanting = (call: PlacedCall, record?: RecordValue): PlacedCall => ({
  ...call,
  facts: { ...facts, max_duration_seconds: 3_600, ...(record !== undefined && { record }) },
  pbx: { ...call.pbx, seq: 2 }
})

const told = (call: Call, ...commands: ReadonlyArray<CallMessage>): Call =>
  commands.reduce(
    (state, command) => Result.getOrThrow(decideCall(state, command, minute_at)).events.reduce(evolveCall, state),
    call
  )

const report = (call: Call, ...of: Parameters<typeof pbxEvent>) =>
  told(call, { _tag: "PbxReported", event: pbxEvent(...of) })

const ofRecording = (call: Call) =>
  planCall(call)
    .filter(({ key }) => key.includes("record"))
    .map(({ at, key }) => {
      const short = key
        .replaceAll(`${call_id}:`, "")
        .replaceAll(recording.id, "0")
        .replaceAll(recordingIdOf(call_id, 3), "3")
      return at === undefined ? short : `${short} @ ${(at - answered_at) / 1000}`
    })

const asked = (call: Call) => {
  const found = planCall(call).find(({ key }) => key === `${call_id}:record`)
  return found?._tag === "Task" && found.work._tag === "SendToPbx" ? found.work.command.action : undefined
}

const file = { object_key: "x/y.wav", size_bytes: 100, duration_ms: 1_000, sha256: "ab" }

describe("A recorded call", () => {
  it.each([
    [undefined, undefined],
    ["do-not-record", undefined],
    [true, { from: "answer", channels: 1 }],
    ["record-from-answer", { from: "answer", channels: 1 }],
    ["record-from-ringing", { from: "ringing", channels: 1 }],
    ["record-from-answer-dual", { from: "answer", channels: 2 }],
    ["record-from-ringing-dual", { from: "ringing", channels: 2 }]
  ] as ReadonlyArray<[RecordValue | undefined, object | undefined]>)(
    "by %s asks the PBX for %s, ringing or answered",
    (record, action) => {
      const expected = action && { kind: "record.start", recording_id: recording.id, ...action }
      expect(asked(wanting(ringing, record))).toEqual(expected)
      expect(asked(wanting(asking, record))).toEqual(expected)
    }
  )

  it("does not start a recording without a session, after the end, or twice", () => {
    const fresh = wanting(ringing, true)
    expect(asked({ ...fresh, pbx: ringing.pbx })).toBeUndefined()
    expect(asked(wanting(missed, true))).toBeUndefined()
    expect(asked(wanting(settling, true))).toBeUndefined()
    expect(asked(report(wanting(asking, true), "recording.started", 3, { recording_id: recording.id }))).toBeUndefined()
  })

  it("reports start and outcome to the recording until each is acknowledged", () => {
    const began = report(wanting(asking, "record-from-answer-dual"), "recording.started", 3, {}, answered_at)
    expect(began.recordings).toEqual([{ ...recording, channels: 2 }])
    expect(ofRecording(began)).toEqual(["recording:0:start"])
    const heard = told(began, { _tag: "RecordingNotified", recording_id: recording.id, told: "start" })
    expect(ofRecording(heard)).toEqual([])
    const done = report(heard, "recording.completed", 4, file)
    expect(done.recordings).toMatchObject([{ outcome: { audio: file }, status: "processing" }])
    expect(ofRecording(done)).toEqual(["recording:0:outcome"])
    expect(ofRecording(told(done, { _tag: "RecordingNotified", recording_id: recording.id, told: "outcome" }))).toEqual(
      []
    )
  })

  it("takes a reported end as the start too if the start was lost, and ignores later ends", () => {
    const done = report(wanting(asking, true), "recording.completed", 3, file, answered_at)
    expect(done.recordings).toMatchObject([{ id: recording.id, started_at: answered_at, outcome: { audio: file } }])
    expect(report(done, "recording.failed", 4, { error: "late" }).recordings).toEqual(done.recordings)
  })

  it.each([
    ["recording.failed", { error: "disk_full" }, "disk_full"],
    ["recording.failed", {}, "pbx_error"],
    ["recording.completed", {}, "no_file"]
  ] as const)("%s with %j is the failure %s", (type, data, error) => {
    expect(report(wanting(asking, true), type, 3, data).recordings).toMatchObject([
      { outcome: { error }, status: "in_progress" }
    ])
  })

  it.each([
    ["settling", settling],
    ["completed", completed],
    ["missed", missed]
  ])("is notified when its recording is %s", (_name, call) => {
    const done = report(wanting(call, true), "recording.completed", 3, file)
    expect(done.recordings).toMatchObject([{ outcome: { audio: file } }])
    expect(done.sequence).toBe(call.sequence)
  })

  it("gives up a recording five minutes after the call if the PBX reports nothing more", () => {
    const began = { ...wanting(completed, true), recordings: [{ ...recording, told: "start" as const }] }
    expect(ofRecording(began)).toEqual([`recording:0:lost @ ${30 + 300}`])
    expect(told(began, { _tag: "RecordingUnreported", recording_id: recording.id }).recordings).toMatchObject([
      { outcome: { error: "unreported" } }
    ])
  })

  it("distinguishes the recordings of its actions from all others", () => {
    const verb = report(wanting(asking), "recording.started", 3, { recording_id: recordingIdOf(call_id, 3) })
    expect(verb.recordings).toMatchObject([{ source: "verb", channels: 1 }])
    const foreign = recordingIdOf(callId("01890a5d-ac96-774b-bcce-b302099a8058"), 0)
    expect(report(verb, "recording.started", 4, { recording_id: foreign }).recordings).toEqual(verb.recordings)
  })

  it.each([
    ["api", "outbound", "originate"],
    ["dial", "outbound", "dial"],
    ["sip", "inbound", "routing"]
  ] as const)("of kind %s, %s, is recorded by %s", (kind, direction, source) => {
    const call = wanting(asking, true)
    const began = report({ ...call, facts: { ...call.facts, kind, direction } }, "recording.started", 3)
    expect(began.recordings).toMatchObject([{ source }])
  })

  it("shows the recording, and announces it to customers once it is available", () => {
    const call = { ...wanting(completed, true), recordings: [recording] }
    expect(callRecord(call).recording).toEqual({
      id: recording.id,
      status: "in_progress",
      url: `/v1/calls/${call_id}/recording`
    })
    const changed = (status: "available" | "failed" | "expired" | "deleted" | "processing") =>
      told(call, { _tag: "RecordingChanged", recording_id: recording.id, status, reason: null })
    for (const status of ["available", "failed", "expired", "deleted"] as const)
      expect(changed(status).sequence).toBe(call.sequence + 1)
    expect(changed("processing").sequence).toBe(call.sequence)
    expect(
      told(changed("available"), {
        _tag: "RecordingChanged",
        recording_id: recording.id,
        status: "available",
        reason: null
      })
    ).toEqual(changed("available"))
  })
})
