import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call } from "../../../../src/domain/calls/state/Call.ts"
import type { CallEvent } from "../../../../src/domain/calls/state/CallEvent.ts"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import { planCall } from "../../../../src/domain/calls/decide/PlanCall.ts"
import { lastSeq } from "../../../../src/domain/pbx/Session.ts"
import { type PbxEvent, type PbxEventData, PbxEventType } from "../../../../src/domain/pbx/PbxEvent.ts"
import {
  admitting,
  answered_at,
  asking,
  became,
  call_id,
  completed,
  facts,
  minute_at,
  missed,
  pbxEvent,
  placed_at,
  question,
  ringing,
  rung,
  saying,
  settling
} from "../Fixtures.ts"

const said = (event: CallEvent): string =>
  event._tag === "HungUp"
    ? `${event.ending.status}/${event.ending.cause}`
    : event._tag === "RemoteRinging" || event._tag === "ArrivedLate"
      ? `${event._tag}(${event.step})`
      : event._tag

const report = (call: Call, event: PbxEvent, now = minute_at) =>
  Result.getOrThrow(decideCall(call, { _tag: "PbxReported", event }, now))
/** What an event means, without the note that it was taken. */
const meaning = (call: Call, type: PbxEventType, data: PbxEventData = {}) =>
  report(call, pbxEvent(type, 1, data))
    .events.filter(({ _tag }) => _tag !== "PbxApplied")
    .map(said)
    .join(" ") || "-"

type Row = readonly [
  type: PbxEventType,
  data: PbxEventData,
  ringing: string,
  saying: string,
  missed: string,
  completed: string
]

const play_id = `${call_id}:say:0`

const rows: ReadonlyArray<Row> = [
  // It comes at the instant from which on nobody is to be called.
  ["session.created", {}, "no_answer/ring_timeout StartedLate", "-", "StartedLate", "ArrivedLate(session.created)"],
  ["session.snapshot", { state: "ringing" }, "-", "-", "-", "-"],
  ["session.snapshot", { state: "answered" }, "Answered", "-", "-", "-"],
  ["session.snapshot", { state: "absent" }, "failed/session_lost", "completed/session_lost", "PbxClosed", "-"],
  ["leg.ringing", {}, "RemoteRinging(ringing)", "-", "ArrivedLate(leg.ringing)", "ArrivedLate(leg.ringing)"],
  [
    "leg.early_media",
    {},
    "RemoteRinging(early_media)",
    "-",
    "ArrivedLate(leg.early_media)",
    "ArrivedLate(leg.early_media)"
  ],
  ["leg.answered", {}, "Answered", "-", "AnswerIgnored", "ArrivedLate(leg.answered)"],
  ["leg.bridged", {}, "-", "-", "ArrivedLate(leg.bridged)", "ArrivedLate(leg.bridged)"],
  ["leg.unbridged", {}, "-", "-", "ArrivedLate(leg.unbridged)", "ArrivedLate(leg.unbridged)"],
  ["leg.hangup", { sip_code: 486 }, "busy/user_busy", "completed/normal_clearing", "PbxClosed", "-"],
  ["dtmf", { digit: "1" }, "-", "DigitPressed", "ArrivedLate(dtmf)", "ArrivedLate(dtmf)"],
  ["machine.detected", {}, "-", "MachineDetected", "ArrivedLate(machine.detected)", "ArrivedLate(machine.detected)"],
  ["playback.finished", { command_id: play_id }, "-", "ActionDone", "-", "-"],
  ["playback.finished", { command_id: `${call_id}:say:1` }, "-", "-", "-", "-"],
  ["gather.finished", { command_id: play_id }, "-", "-", "-", "-"],
  ["recording.started", {}, "RecordingStarted", "RecordingStarted", "RecordingStarted", "RecordingStarted"],
  [
    "recording.completed",
    {},
    "RecordingStarted RecordingEnded",
    "RecordingStarted RecordingEnded",
    "RecordingStarted RecordingEnded",
    "RecordingStarted RecordingEnded"
  ],
  [
    "recording.failed",
    {},
    "RecordingStarted RecordingEnded",
    "RecordingStarted RecordingEnded",
    "RecordingStarted RecordingEnded",
    "RecordingStarted RecordingEnded"
  ],
  ["stream.started", { stream_id: "unknown" }, "-", "-", "-", "-"],
  ["stream.ended", { stream_id: "unknown" }, "-", "-", "-", "-"],
  ["stream.hangup", { stream_id: "unknown" }, "-", "-", "-", "-"],
  ["stream.actions", { stream_id: "unknown", document: "{}" }, "-", "-", "-", "-"],
  ["conference.failed", { conference_id: "unknown" }, "-", "-", "-", "-"],
  ["transcript.delta", {}, "-", "-", "-", "-"],
  ["transcript.turn", {}, "-", "-", "-", "-"],
  ["registration.changed", {}, "-", "-", "ArrivedLate(registration.changed)", "ArrivedLate(registration.changed)"],
  ["registration.attacked", {}, "-", "-", "ArrivedLate(registration.attacked)", "ArrivedLate(registration.attacked)"],
  ["trunk.state", {}, "-", "-", "ArrivedLate(trunk.state)", "ArrivedLate(trunk.state)"],
  ["heartbeat", {}, "-", "-", "ArrivedLate(heartbeat)", "ArrivedLate(heartbeat)"]
]

describe("The meaning of the PBX's events", () => {
  it("is defined for every type of event", () => {
    expect(new Set(rows.map(([type]) => type))).toEqual(new Set(PbxEventType.literals))
  })

  it.each(rows)("%s %j", (type, data, whileRinging, whileSaying, afterMissed, afterCompleted) => {
    expect(meaning(ringing, type, data)).toBe(whileRinging)
    expect(meaning(saying, type, data)).toBe(whileSaying)
    expect(meaning(missed, type, data)).toBe(afterMissed)
    expect(meaning(completed, type, data)).toBe(afterCompleted)
    expect(meaning(settling, type, data)).toBe(afterCompleted)
  })

  it("stores a turn of the transcript at any time, its pieces only during the talk", () => {
    const told = { turn: 1, role: "user", text: "Hello", delta: "Hel" } as const
    const after = [ringing, saying, settling, completed, missed]
    expect(after.map((call) => meaning(call, "transcript.turn", told))).toEqual([
      "-",
      "TranscriptTurnAdded",
      "TranscriptTurnAdded",
      "TranscriptTurnAdded Transcribed",
      "-"
    ])
    expect(after.map((call) => meaning(call, "transcript.delta", told))).toEqual([
      "-",
      "TranscriptDeltaAdded",
      "-",
      "-",
      "-"
    ])
  })

  it("only a bridge of a dialling call counts", () => {
    expect(meaning(rung, "leg.bridged")).toBe("Bridged")
  })

  it("a phone rings once, and each early media is reported", () => {
    const rang = became(ringing, { _tag: "RemoteRinging", at: placed_at + 1_000, step: "ringing" })
    expect(meaning(rang, "leg.ringing")).toBe("-")
    expect(meaning(rang, "leg.early_media")).toBe("RemoteRinging(early_media)")
  })

  it("an answer calls the callback, if there is one, with ten seconds to respond", () => {
    const [answer] = report(ringing, pbxEvent("leg.answered", 1, {}, answered_at), answered_at + 200).events
    const told = (after_ms: number) =>
      report(ringing, pbxEvent("leg.answered", 1, {}, answered_at), answered_at + after_ms).events.map(
        ({ _tag }) => _tag
      )
    expect([told(59_999), told(60_000)].map((tags) => tags.includes("Resumed"))).toEqual([false, true])
    expect(answer).toEqual({
      _tag: "Answered",
      at: answered_at,
      question: { ...question, answer_by: answered_at + 10_200 },
      detect_until: null
    })
    const leg = { ...ringing, facts: { ...facts, voice_callback_url: null } }
    expect(report(leg, pbxEvent("leg.answered", 1)).events[0]).toMatchObject({ question: null })
  })

  it("a refusal names the party and the codes", () => {
    const end = (data: PbxEventData) => report(ringing, pbxEvent("leg.hangup", 1, data)).events[0]
    expect(end({ sip_code: 486 })).toMatchObject({
      confirmed: true,
      ending: { source: "callee", sip_code: 486, q850_cause: 17 }
    })
    expect(end({ sip_code: 503, q850: 42, source: "carrier" })).toMatchObject({
      ending: { source: "carrier", q850_cause: 42 }
    })
  })
})

describe("A session that the PBX begins at or after `not_after`", () => {
  const not_after = placed_at + facts.timeout_seconds * 1_000
  const begun = (call: Call, at: number) => {
    const { events } = report(call, pbxEvent("session.created", 1, {}, at), not_after + 5_000)
    return [
      events
        .filter(({ _tag }) => _tag !== "PbxApplied")
        .map(said)
        .join(" "),
      became(call, ...events)
    ] as const
  }
  const given_up = became(missed, { _tag: "PbxClosed" })

  it.each<[string, Call, number, string]>([
    ["in time, while it rings", ringing, not_after - 1, ""],
    ["too late, for a call that still waits for it", ringing, not_after, "no_answer/ring_timeout StartedLate"],
    ["in time, reported after the end", missed, not_after - 1, "ArrivedLate(session.created)"],
    ["too late, after the end", missed, not_after, "StartedLate"],
    ["too late, after the hang-up was acknowledged", given_up, not_after + 1_000, "StartedLate"],
    ["of a caller who is not called", admitting, not_after + 1_000, ""]
  ])("%s", (_, call, at, expected) => {
    expect(begun(call, at)[0]).toBe(expected)
  })

  it.each([
    ["that still waits for it", ringing],
    ["that is over", missed],
    ["whose hang-up was acknowledged", given_up]
  ])("is hung up and never charged, even if it is answered: a call %s", (_, call) => {
    const after = begun(call, not_after)[1]
    const hangups = (state: Call) =>
      planCall(state).flatMap(({ key }) => (key.startsWith(`${call_id}:hangup:`) ? [key] : []))
    expect(hangups(call)).toEqual([])
    expect(hangups(after)).toEqual([`${call_id}:hangup:${not_after + 5_000}`])
    const answer = report(after, pbxEvent("leg.answered", 2, {}, not_after + 6_000), not_after + 6_000)
    const answered = became(after, ...answer.events)
    expect(answered).toMatchObject({ phase: "ended", answered_at: null, cost_minor: 0 })
    expect(hangups(answered)).toEqual([`${call_id}:hangup:${not_after + 6_000}`])
  })
})

describe("The time of an event", () => {
  const hangup = (call: Call, at: number, now = minute_at) =>
    report(call, pbxEvent("leg.hangup", 1, { sip_code: 200 }, at), now).events[0]

  it("is the PBX's, but not before the call, and not after now", () => {
    expect(hangup(asking, minute_at - 700)).toMatchObject({ at: minute_at - 700 })
    expect(hangup(asking, minute_at + 60_000)).toMatchObject({ at: minute_at })
    expect(hangup(ringing, placed_at - 60_000)).toMatchObject({ at: placed_at })
  })

  it("is never before the answer", () => {
    expect(hangup(asking, answered_at - 5_000)).toMatchObject({ at: answered_at })
  })
})

describe("The order of events", () => {
  const rang = pbxEvent("leg.ringing", 1)
  const answer = pbxEvent("leg.answered", 2)
  const hangup = pbxEvent("leg.hangup", 3, { sip_code: 200 })
  const told = (call: Call, ...events: ReadonlyArray<PbxEvent>) =>
    events.reduce<{ call: Call; outcomes: Array<unknown> }>(
      ({ call, outcomes }, event) => {
        const { events, reply } = report(call, event)
        return { call: became(call, ...events), outcomes: [...outcomes, reply] }
      },
      { call, outcomes: [] }
    )

  it("follows their sequence numbers, in any order of arrival", () => {
    const orders = [
      [rang, answer, hangup],
      [hangup, answer, rang],
      [answer, hangup, rang],
      [hangup, rang, answer],
      [answer, rang, hangup]
    ]
    const ends = orders.map((order) => told(ringing, ...order).call)
    for (const { answered_at, ending, pbx, phase } of ends) {
      expect({ answered_at, phase, seq: pbx.seq, ahead: pbx.ahead, gap: pbx.gap_since, cause: ending?.cause }).toEqual({
        answered_at: minute_at,
        phase: "settling",
        seq: 3,
        ahead: [],
        gap: null,
        cause: "normal_clearing"
      })
    }
  })

  it("takes an event once, whether it waits, is done, or the call is over", () => {
    expect(told(ringing, answer, answer, rang, rang, answer).outcomes).toEqual([
      "accepted",
      "duplicate",
      "accepted",
      "duplicate",
      "duplicate"
    ])
    expect(told(completed, rang, rang).outcomes).toEqual(["ignored_late", "duplicate"])
  })

  it("has a gap from the first early event, and another if the next is missing", () => {
    const waiting = told(ringing, hangup).call
    expect(waiting.pbx).toMatchObject({ seq: 0, gap_since: minute_at, ahead: [hangup] })
    expect(told(waiting, rang).call.pbx).toMatchObject({ seq: 1, gap_since: minute_at, ahead: [hangup] })
  })

  it("closes a gap with a snapshot, after the waiting events", () => {
    const { call } = told(ringing, answer, hangup, pbxEvent("session.snapshot", 9, { state: "absent" }))
    expect(call).toMatchObject({
      phase: "settling",
      ending: { cause: "normal_clearing" },
      pbx: { seq: 9, ahead: [], gap_since: null }
    })
    expect(told(call, rang).outcomes).toEqual(["duplicate"])
  })

  it("ignores all events of a session that the PBX does not have", () => {
    const { call } = told(ringing, pbxEvent("session.snapshot", lastSeq, { state: "absent" }))
    expect(call).toMatchObject({ phase: "ended", ending: { status: "failed", cause: "session_lost" } })
    expect(told(call, answer).outcomes).toEqual(["duplicate"])
  })

  it("keeps no more than a hundred early events", () => {
    const early = Array.from({ length: 150 }, (_, index) => pbxEvent("dtmf", index + 2))
    expect(told(ringing, ...early).call.pbx.ahead.length).toBe(100)
  })
})
