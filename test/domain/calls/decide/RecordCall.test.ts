import { describe, expect, it } from "@effect/vitest"
import { changeOf } from "../../../../src/domain/Decision.ts"
import { Schema } from "effect"
import type { Call, PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import type { CallEvent } from "../../../../src/domain/calls/state/CallEvent.ts"
import { streamedData } from "../../../../src/domain/calls/views/CallNotice.ts"
import { CallRecord } from "../../../../src/domain/calls/state/CallRecord.ts"
import { callRecord, callRecordFromState } from "../../../../src/domain/calls/views/CallView.ts"
import { evolveCall } from "../../../../src/domain/calls/decide/EvolveCall.ts"
import { streamNoticeOf } from "../../../../src/domain/calls/views/NoticeOfEvent.ts"
import { callNotices, recordCall } from "../../../../src/domain/calls/decide/RecordCall.ts"
import { deliveryBody } from "../../../../src/domain/webhooks/DeliveryBody.ts"
import { callKinds } from "../../../../src/domain/events/EventTable.ts"
import {
  absent,
  answered_at,
  asking,
  became,
  bridged,
  call_id,
  completed,
  dialling,
  facts,
  minute_at,
  missed,
  placed_at,
  recording,
  ringing,
  settling,
  streaming
} from "../Fixtures.ts"
import { callId } from "../../../support/Ids.ts"

const change = (before: Call, ...events: ReadonlyArray<CallEvent>) => {
  let ids = 0
  return changeOf(evolveCall, before, events, { now: minute_at, uuid: () => `event-${++ids}` })
}

const ending = {
  status: "completed",
  cause: "balance_exhausted",
  source: "platform",
  sip_code: null,
  q850_cause: null
} as const
const hungUp: CallEvent = { _tag: "HungUp", at: answered_at + 30_000, confirmed: false, ending }

/**
 * An event, where it happens, and what customers are told: kind, whether late, whether webhooks carry it, what it adds.
 */
type Row = readonly [before: Call, event: CallEvent, told: string, more?: Readonly<Record<string, unknown>>]

const rows: ReadonlyArray<Row> = [
  [absent, { _tag: "Originated", facts }, "call.ringing, webhooks"],
  [ringing, { _tag: "PbxApplied", seq: 1, at: placed_at }, "-"],
  [ringing, { _tag: "PbxClosed" }, "-"],
  [asking, { _tag: "SessionConfirmed", at: minute_at }, "-"],
  [asking, { _tag: "Resumed", at: minute_at }, "-"],
  [
    ringing,
    { _tag: "RemoteRinging", at: placed_at + 1_000, step: "early_media" },
    "call.progress",
    { step: "early_media" }
  ],
  [
    ringing,
    { _tag: "Answered", at: answered_at, question: null, detect_until: null },
    "call.answered, webhooks",
    { status: "answered" }
  ],
  [missed, { _tag: "AnswerIgnored", at: answered_at }, "call.answer_ignored, late", { status: "no_answer" }],
  [missed, { _tag: "StartedLate", at: answered_at }, "call.answer_ignored, late", { step: "started_late" }],
  [
    completed,
    { _tag: "ArrivedLate", at: minute_at, step: "dtmf" },
    "call.progress, late",
    { step: "dtmf", status: "completed" }
  ],
  [asking, { _tag: "CallbackAnswered", at: answered_at, actions: [] }, "-"],
  [
    asking,
    {
      _tag: "CallbackFailed",
      at: answered_at,
      cause: "callback_failed",
      http_status: 500,
      pointer: null,
      detail: "no"
    },
    "call.callback_failed, webhooks",
    { cause: "callback_failed", http_status: 500, pointer: null, detail: "no" }
  ],
  [dialling, { _tag: "ActionDone", at: minute_at }, "-"],
  [
    dialling,
    {
      _tag: "DialRefused",
      at: minute_at,
      to: "+254700000003",
      refusal: { call_id: callId(""), cause: "insufficient_funds", detail: "no", reason: "r", whole: false }
    },
    "call.progress",
    { step: "dial_refused", destination: "+254700000003", cause: "insufficient_funds", detail: "no", reason: "r" }
  ],
  [asking, { _tag: "TagRefused", at: minute_at }, "call.progress", { step: "tag_refused" }],
  [asking, { _tag: "Tagged", at: minute_at, metadata: {} }, "-"],
  [asking, { _tag: "Switched", at: minute_at, what: "hold", on: true }, "call.progress", { step: "held" }],
  [asking, { _tag: "Switched", at: minute_at, what: "mute", on: false }, "call.progress", { step: "unmuted" }],
  [
    asking,
    { _tag: "MachineDetected", at: minute_at, answered_by: "machine", confidence: 0.9, answer_by: minute_at },
    "call.machine_detected, webhooks",
    { answered_by: "machine", confidence: 0.9 }
  ],
  [
    asking,
    { _tag: "DigitPressed", at: minute_at, digit: "5", duration_ms: 90 },
    "call.dtmf, webhooks",
    { digit: "5", duration_ms: 90 }
  ],
  [bridged, { _tag: "Bridged", at: minute_at }, "call.bridged"],
  [
    streaming,
    { _tag: "StreamStarted", at: minute_at, stream_id: "ST_1" },
    "call.stream_started, webhooks",
    { stream_id: "ST_1", name: "agent", mode: "fork" }
  ],
  [
    streaming,
    { _tag: "StreamEnded", at: minute_at, stream_id: "ST_1", result: "too_slow", detail: "x" },
    "call.stream_ended, webhooks",
    { stream_id: "ST_1", name: "agent", mode: "fork", result: "too_slow", detail: "x", stream_seconds: 0 }
  ],
  [streaming, { _tag: "StreamStopped", at: minute_at, stream_id: "ST_1" }, "-"],
  [asking, { _tag: "MinutePrepaid", minutes: 2 }, "-"],
  [
    asking,
    { _tag: "BalanceWentLow", at: minute_at, minutes: 2, remaining_seconds: 10 },
    "call.balance_low, webhooks",
    { remaining_seconds: 10 }
  ],
  [asking, hungUp, "-"],
  [
    settling,
    { _tag: "Settled", at: minute_at, cost_minor: 300 },
    "call.completed, webhooks",
    { cost_minor: 300, duration_seconds: 30, billed_seconds: 30 }
  ],
  [ringing, { ...hungUp, ending: { ...ending, status: "no_answer" } }, "call.no_answer, webhooks", { cost_minor: 0 }],
  [ringing, { ...hungUp, ending: { ...ending, status: "busy" } }, "call.busy, webhooks"],
  [ringing, { ...hungUp, ending: { ...ending, status: "failed" } }, "call.failed, webhooks"],
  [ringing, { ...hungUp, ending: { ...ending, status: "canceled" } }, "call.canceled, webhooks"],
  [
    asking,
    {
      _tag: "TranscriptTurnAdded",
      at: minute_at,
      order: 7,
      said: { kind: "transcript.turn", call_id, seq: 1, role: "user", text: "Hi.", final: true, occurred_at: "" }
    },
    "transcript.turn",
    { text: "Hi." }
  ],
  [completed, { _tag: "Transcribed", at: minute_at }, "call.transcript_available, webhooks"],
  ...(
    [
      ["available", "call.recording_available, webhooks", null],
      ["failed", "call.recording_failed, webhooks", "spool"],
      ["deleted", "call.recording_deleted, webhooks", "deleted"]
    ] as const
  ).map(([status, told, reason]): Row => [
    became(asking, { _tag: "RecordingStarted", recording }),
    { _tag: "RecordingChanged", at: minute_at, recording_id: recording.id, status, reason },
    told,
    { recording_id: recording.id, reason }
  ]),
  [missed, { _tag: "HoldReleased" }, "-"],
  [missed, { _tag: "ParentNotified", status: "no_answer" }, "-"]
]

describe("The events for customers", () => {
  it.each(rows.map((row) => [row[1]._tag, row] as const))("of %s", (_tag, [before, event, told, more = {}]) => {
    const all = change(before, event)
    const {
      events: [row]
    } = recordCall(all)
    expect(
      row === undefined
        ? "-"
        : [row.kind, ...(row.late ? ["late"] : []), ...(row.fan_out ? ["webhooks"] : [])].join(", ")
    ).toBe(told)
    if (row === undefined) return expect(callNotices(all)).toEqual([])
    expect(row).toMatchObject({
      subject_id: call_id,
      workspace_id: facts.workspace_id,
      number_id: facts.number_id,
      sequence: before.sequence + 1
    })
    const isTurn = row.kind === "transcript.turn"
    expect(JSON.parse(row.payload)).toMatchObject({
      kind: row.kind,
      ...(isTurn ? { call_id } : { id: call_id, call_kind: "api", metadata: { order: "7" } }),
      ...more
    })
    const [notice] = callNotices(all)
    expect(callNotices(all)).toHaveLength(1)
    const logged = {
      ...row,
      occurred_at: new Date(row.occurred_at).toISOString(),
      payload: JSON.parse(row.payload) as unknown
    }
    // One shape: the log, and so webhooks, have what the live stream has.
    const live = JSON.parse(JSON.stringify(streamedData(notice!))) as object
    expect(streamedData(streamNoticeOf(logged))).toEqual(live)
    expect(live).toMatchObject(logged.payload as object)
    const delivered = JSON.parse(
      deliveryBody({ ...row, event_id: row.id, event_kind: row.kind }, facts.workspace_id, "1")
    ) as { readonly payload: object }
    expect(delivered.payload).toEqual(logged.payload)
  })

  it("of several changes at once are in order, each with the call as it was then", () => {
    const both = change(
      ringing,
      { _tag: "Answered", at: answered_at, question: null, detect_until: null },
      { _tag: "BalanceWentLow", at: minute_at, minutes: 2, remaining_seconds: 9 },
      hungUp
    )
    const { events } = recordCall(both)
    expect(events.map(({ id, kind, occurred_at, sequence }) => [id, kind, sequence, occurred_at])).toEqual([
      ["event-1", "call.answered", 2, answered_at],
      ["event-2", "call.balance_low", 3, minute_at]
    ])
    expect(events.map(({ payload }) => JSON.parse(payload).terminating)).toEqual([false, false])
  })
})

describe("The table above", () => {
  it("has every kind of event that a call can have", () => {
    const shown = new Set(
      rows.flatMap(([before, event]) => recordCall(change(before, event)).events.map(({ kind }) => kind))
    )
    expect(
      [...callKinds, "call.progress", "call.bridged", "call.answer_ignored", "transcript.turn"].filter(
        (kind) => !shown.has(kind)
      )
    ).toEqual([])
  })
})

describe("The record", () => {
  const decode = Schema.decodeUnknownSync(CallRecord)

  it("has one shape in every state, also when it is read from the database", () => {
    for (const call of [ringing, asking, bridged, settling, completed, missed]) {
      const record = callRecord(call as PlacedCall)
      expect(decode(record)).toEqual(record)
      expect(callRecordFromState(recordCall(change(call)).state)).toEqual(record)
    }
  })

  it("shows the end only when the charge is booked", () => {
    expect(callRecord(settling as PlacedCall)).toMatchObject({
      status: "answered",
      ended_at: null,
      hangup_cause: null,
      terminating: true
    })
    expect(callRecord(settling as PlacedCall)).not.toHaveProperty("cost_minor")
    expect(callRecord(completed as PlacedCall)).toMatchObject({
      status: "completed",
      answered_at: new Date(answered_at).toISOString(),
      ended_at: new Date(answered_at + 30_000).toISOString(),
      duration_seconds: 30,
      billed_seconds: 30,
      cost_minor: 300,
      hangup_cause: "normal_clearing",
      sip_code: 200,
      terminating: false
    })
    expect(callRecord(missed as PlacedCall)).toMatchObject({ status: "no_answer", cost_minor: 0, answered_at: null })
    expect(callRecord(missed as PlacedCall)).not.toHaveProperty("duration_seconds")
  })

  it("is stored with the columns that lists filter by", () => {
    expect(recordCall(change(settling)).columns).toMatchObject({
      status: "answered",
      cost_minor: null,
      session_id: facts.session_id
    })
    expect(recordCall(change(completed)).columns).toMatchObject({ status: "completed", cost_minor: 300, answered_at })
  })
})
