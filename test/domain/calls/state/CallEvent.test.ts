import { describe, expect, it } from "@effect/vitest"
import { systemOrigin } from "../../../../src/domain/access/Origin.ts"
import type { Call } from "../../../../src/domain/calls/state/Call.ts"
import type { CallEvent } from "../../../../src/domain/calls/state/CallEvent.ts"
import { childCallId } from "../../../../src/domain/calls/state/Dial.ts"
import type { Question } from "../../../../src/domain/calls/state/Script.ts"
import {
  absent,
  admitting,
  answered_at,
  asking,
  became,
  bridged,
  call_id,
  child_id,
  completed,
  consulting,
  dial,
  dialling,
  dialWith,
  facts,
  legOf,
  minute_at,
  missed,
  pbxEvent,
  pickedUp,
  piece,
  placed_at,
  question,
  recording,
  ringing,
  ringingBoth,
  rung,
  say,
  saying,
  second_id,
  settling,
  shared_id,
  stray_id,
  stream as open,
  streaming,
  surveying,
  turn,
  unrated
} from "../Fixtures.ts"
import { conferenceRows } from "../ConferenceRows.ts"
import { toSessionId } from "../../../../src/domain/BrandedIds.ts"

const later = placed_at + 200_000
const revived = { sequence: missed.sequence + 1, pbx: { ...missed.pbx, closed: false, revived_at: later } }
const event = pbxEvent("dtmf", 3)
const ending = {
  status: "completed",
  cause: "actions_ended",
  source: "workspace",
  sip_code: null,
  q850_cause: null
} as const
const script = { question: null, actions: [dial, say], since: minute_at, step: 0, cut_command_id: null }
const refusal = { call_id: child_id, cause: "insufficient_funds", detail: "", reason: null, whole: true } as const
const next: Question = { reason: "redirect", url: "https://example.com/next", result: {}, answer_by: minute_at }

const recorded = became(asking, { _tag: "RecordingStarted", recording })
const outcome = { audio: { object_key: "a.wav", size_bytes: 44, duration_ms: 1, sha256: null } }

const consultation = {
  reason: "answered",
  url: question.url,
  asked_at: answered_at,
  answered_at: null,
  actions: null
} as const

/** For every event: where it happens, and what is another than before. */
const rows: {
  readonly [Tag in CallEvent["_tag"]]: readonly [Call, Omit<Extract<CallEvent, { _tag: Tag }>, "_tag">, Partial<Call>]
} = {
  TalkLimited: [asking, { at: minute_at, seconds: 180 }, { talk_limit: { seconds: 180, count: 1 } }],
  Originated: [
    absent,
    { facts },
    {
      phase: "ringing",
      facts,
      covered_minutes: 1,
      hold_open: true,
      sequence: 1,
      pbx: { ...absent.pbx, proof_at: placed_at }
    }
  ],
  Received: [
    absent,
    { facts, reception: admitting.reception! },
    {
      phase: "ringing",
      facts,
      covered_minutes: 1,
      hold_open: true,
      sequence: 1,
      reception: admitting.reception,
      pbx: { ...absent.pbx, proof_at: placed_at }
    }
  ],
  Admitted: [
    admitting,
    { at: placed_at },
    {
      consulted: [
        { reason: "incoming", url: facts.voice_callback_url!, asked_at: placed_at, answered_at: null, actions: null }
      ],
      reception: { ...admitting.reception!, step: "asking" },
      script: {
        question: { reason: "incoming", url: facts.voice_callback_url!, result: null, answer_by: placed_at + 10_000 },
        actions: [],
        index: 0,
        since: placed_at,
        step: 0,
        cut_command_id: null
      }
    }
  ],
  Answering: [consulting, { at: answered_at }, { reception: { ...consulting.reception!, step: "answering" } }],
  PbxApplied: [ringing, { seq: 1, at: minute_at }, { pbx: { ...ringing.pbx, seq: 1, proof_at: minute_at } }],
  PbxBuffered: [ringing, { event, at: minute_at }, { pbx: { ...ringing.pbx, ahead: [event], gap_since: minute_at } }],
  PbxClosed: [missed, {}, { pbx: { ...missed.pbx, closed: true } }],
  SessionConfirmed: [asking, { at: minute_at }, { pbx: { ...asking.pbx, proof_at: minute_at } }],
  SessionUnlisted: [asking, { at: minute_at }, { pbx: { ...asking.pbx, doubted_at: minute_at } }],
  RemoteRinging: [ringing, { at: placed_at + 1_000, step: "ringing" }, { ringing_at: placed_at + 1_000, sequence: 2 }],
  PickedUp: [
    ringing,
    { at: answered_at, claim_by: minute_at },
    { picked_up: { at: answered_at, claim_by: minute_at } }
  ],
  Answered: [
    { ...ringing, picked_up: pickedUp.picked_up },
    { at: answered_at, question, detect_until: minute_at },
    {
      phase: "answered",
      answered_at,
      picked_up: null,
      detect_until: minute_at,
      consulted: [consultation],
      script: { question, actions: [], index: 0, since: answered_at, step: 0, cut_command_id: null },
      sequence: 2,
      pbx: { ...ringing.pbx, proof_at: answered_at }
    }
  ],
  MachineDetected: [
    became(ringing, {
      _tag: "Answered",
      at: answered_at,
      question: { ...question, answer_by: null },
      detect_until: minute_at
    }),
    { at: minute_at, answered_by: "machine", confidence: 0.9, answer_by: minute_at + 10_000 },
    {
      answered_by: "machine",
      detect_until: null,
      sequence: 3,
      script: {
        question: { ...question, answer_by: minute_at + 10_000 },
        actions: [],
        index: 0,
        since: answered_at,
        step: 0,
        cut_command_id: null
      }
    }
  ],
  DigitPressed: [asking, { at: minute_at, digit: "1", duration_ms: 100 }, { sequence: 3 }],
  TranscriptTurnAdded: [
    asking,
    { at: minute_at, said: turn, order: 4 },
    { turns: 1, said: [{ said: turn, order: 4, sequence: 3 }], sequence: 3 }
  ],
  TranscriptDeltaAdded: [asking, { at: minute_at, notice: piece }, { said: [piece] }],
  Transcribed: [completed, { at: minute_at }, { sequence: completed.sequence + 1 }],
  AnswerIgnored: [missed, { at: later }, revived],
  StartedLate: [missed, { at: later }, revived],
  ArrivedLate: [completed, { at: later, step: "dtmf" }, { sequence: completed.sequence + 1 }],
  CallbackAnswered: [
    asking,
    { at: minute_at, actions: [dial, say] },
    {
      script: { ...script, index: 0 },
      consulted: [{ ...consultation, answered_at: minute_at, actions: 2 }],
      engaged: true,
      dial: surveying.dial
    }
  ],
  CallbackFailed: [
    asking,
    { at: minute_at, cause: "callback_failed", http_status: 500, pointer: null, detail: "" },
    { sequence: 3 }
  ],
  TerminationRequested: [asking, { at: minute_at, origin: systemOrigin, reason: null }, {}],
  ActionsReplaced: [
    saying,
    { at: minute_at, actions: [dial, say], cut_command_id: "c" },
    {
      script: { ...script, index: 0, step: 1, cut_command_id: "c" },
      dial: { ...surveying.dial!, legs: [{ ...legOf(surveying), call_id: childCallId(call_id, 1) }] }
    }
  ],
  Switched: [asking, { at: minute_at, what: "mute", on: true }, { mute: { on: true, count: 1 }, sequence: 3 }],
  ActionDone: [
    bridged,
    { at: minute_at },
    {
      script: { ...script, index: 1, step: 1 },
      dial: null,
      stopping: [{ call_id: child_id, cause: "normal_clearing" }]
    }
  ],
  CallbackAsked: [
    dialling,
    { at: minute_at, question: next },
    {
      consulted: [
        ...dialling.consulted!,
        { reason: "redirect", url: next.url, asked_at: minute_at, answered_at: null, actions: null }
      ],
      script: { ...script, question: next, actions: [], index: 0, step: 1 },
      dial: null,
      stopping: [{ call_id: child_id, cause: "normal_clearing" }]
    }
  ],
  Tagged: [asking, { at: minute_at, metadata: { a: "b" } }, { facts: { ...facts, metadata: { a: "b" } } }],
  TagRefused: [asking, { at: minute_at }, { sequence: 3 }],
  DialSurveyed: [surveying, {}, { dial: { ...surveying.dial!, surveyed: true } }],
  DialRefused: [
    dialling,
    { at: minute_at, to: "+254700000003", refusal },
    {
      dial: dialWith(dialling, {
        phase: "over",
        outcome: "refused",
        refusal: { cause: refusal.cause, reason: refusal.reason }
      }),
      sequence: 3
    }
  ],
  RefusalSpoken: [unrated, { at: minute_at }, { dial: { ...unrated.dial!, announced: true } }],
  ChildAdded: [
    dialling,
    { child_call_id: child_id },
    { dial: dialWith(dialling, { phase: "ringing" }), child_call_ids: [child_id] }
  ],
  ChildOrphaned: [
    rung,
    { child_call_id: stray_id },
    {
      stopping: [{ call_id: stray_id, cause: "normal_clearing" }],
      child_call_ids: [child_id, stray_id]
    }
  ],
  ChildJoined: [
    ringingBoth,
    { at: minute_at, child_call_id: child_id, session_id: toSessionId("HD_1") },
    {
      dial: {
        ...ringingBoth.dial!,
        legs: [
          { ...legOf(ringingBoth), phase: "joined", session_id: toSessionId("HD_1") },
          { ...legOf(ringingBoth, second_id), phase: "over", outcome: "canceled" }
        ]
      },
      stopping: [{ call_id: second_id, cause: "answered_elsewhere" }]
    }
  ],
  ChildEnded: [
    rung,
    { child_call_id: child_id, outcome: "busy", sip_code: 486, duration_seconds: null },
    {
      dial: dialWith(rung, { phase: "over", outcome: "busy", sip_code: 486 })
    }
  ],
  ChildStopped: [
    became(missed, { _tag: "ChildOrphaned", child_call_id: stray_id }),
    { child_call_id: stray_id },
    { stopping: [] }
  ],
  SpareHoldReleased: [
    became(ringingBoth, { _tag: "ActionDone", at: minute_at }),
    { hold_id: shared_id },
    { spare_hold_ids: [] }
  ],
  Bridged: [bridged, { at: minute_at }, { sequence: 3 }],
  Resumed: [asking, { at: minute_at }, { resumed_at: minute_at }],
  ClockSet: [{ ...asking, clock_set_ms: 5_000 }, { by_ms: -60_000 }, { clock_set_ms: -55_000 }],
  MinutePrepaid: [{ ...asking, refused_minute: 2 }, { minutes: 2 }, { covered_minutes: 2, refused_minute: null }],
  BalanceWentLow: [asking, { at: minute_at, minutes: 2, remaining_seconds: 0 }, { refused_minute: 2, sequence: 3 }],
  HungUp: [
    ringingBoth,
    { at: minute_at, ending, confirmed: false },
    {
      phase: "settling",
      ended_at: minute_at,
      ending,
      dial: null,
      spare_hold_ids: [shared_id],
      stopping: [
        { call_id: child_id, cause: "normal_clearing" },
        { call_id: second_id, cause: "normal_clearing" }
      ]
    }
  ],
  ViewerJoined: [
    asking,
    { at: minute_at, stream_id: "s", by: "key" },
    {
      watches: [{ stream_id: "s", by: "key", opened_at: minute_at, closed_at: null }]
    }
  ],
  ViewerLeft: [
    became(asking, { _tag: "ViewerJoined", at: answered_at, stream_id: "s", by: "key" }),
    { at: minute_at, stream_id: "s" },
    {
      watches: [{ stream_id: "s", by: "key", opened_at: answered_at, closed_at: minute_at }]
    }
  ],
  StreamStarted: [
    streaming,
    { at: minute_at, stream_id: open.id },
    { streams: [{ ...open, started_at: minute_at }], sequence: 3 }
  ],
  StreamStopped: [
    streaming,
    { at: minute_at, stream_id: open.id },
    { streams: [{ ...open, stopping_since: minute_at }] }
  ],
  StreamEnded: [
    streaming,
    { at: minute_at, stream_id: open.id, result: "too_slow", detail: "x" },
    { streams: [{ ...open, end: { at: minute_at, result: "too_slow", detail: "x" } }], sequence: 3 }
  ],
  ...conferenceRows,
  Settled: [
    settling,
    { at: minute_at, cost_minor: 300 },
    { phase: "ended", cost_minor: 300, hold_open: false, sequence: 3 }
  ],
  HoldReleased: [missed, {}, { hold_open: false }],
  ParentNotified: [ringing, { status: "ringing" }, { told_parent: "ringing" }],
  RecordingStarted: [asking, { recording }, { recordings: [recording] }],
  RecordingEnded: [
    recorded,
    { recording_id: recording.id, outcome },
    { recordings: [{ ...recording, outcome, status: "processing" }] }
  ],
  RecordingNotified: [
    recorded,
    { recording_id: recording.id, told: "start" },
    { recordings: [{ ...recording, told: "start" }] }
  ],
  RecordingChanged: [
    recorded,
    { at: minute_at, recording_id: recording.id, status: "available", reason: null },
    {
      recordings: [{ ...recording, status: "available" }],
      sequence: recorded.sequence + 1
    }
  ]
}

describe("The state of a call after an event", () => {
  for (const [tag, [before, fields, changed]] of Object.entries(rows)) {
    it(tag, () => {
      const after = became(before, { _tag: tag, ...fields } as CallEvent)
      const { commands: _, ...course } = after
      const { commands: __, ...stood } = before
      expect(course).toEqual({ ...stood, ...changed })
      expect(JSON.parse(JSON.stringify(after))).toEqual(after)
    })
  }

  it("ends at once and free of charge without an answer", () => {
    const end: CallEvent = { _tag: "HungUp", at: minute_at, confirmed: true, ending: { ...ending, status: "busy" } }
    expect(became(ringing, end)).toMatchObject({
      phase: "ended",
      cost_minor: 0,
      hold_open: true,
      pbx: { closed: true }
    })
  })

  it("keeps the time of the first ring and of the latest sign of life", () => {
    const rang = became(
      ringing,
      { _tag: "RemoteRinging", at: placed_at + 1, step: "ringing" },
      { _tag: "RemoteRinging", at: placed_at + 2, step: "early_media" }
    )
    expect(rang.ringing_at).toBe(placed_at + 1)
    expect(became(asking, { _tag: "SessionConfirmed", at: placed_at }).pbx.proof_at).toBe(answered_at)
    expect(became(saying, { _tag: "PbxApplied", seq: 5, at: placed_at }).pbx.proof_at).toBe(answered_at)
  })
})
