// A call in each of the conditions that its rules tell apart, as its own events make it.
import {
  absentCall,
  type Call,
  type CallRecording,
  type Ending,
  isPlaced,
  type PlacedCall
} from "../../../src/domain/calls/state/Call.ts"
import type { CallFacts, Forward } from "../../../src/domain/calls/state/CallFacts.ts"
import { childCallId, type Dial, sharedHoldId } from "../../../src/domain/calls/state/Dial.ts"
import type { Question } from "../../../src/domain/calls/state/Script.ts"
import type { CallEvent } from "../../../src/domain/calls/state/CallEvent.ts"
import { evolveCall } from "../../../src/domain/calls/decide/EvolveCall.ts"
import type { TranscriptNotice, TranscriptTurn } from "../../../src/domain/calls/state/Transcript.ts"
import type { VoiceAction } from "../../../src/domain/calls/verbs/VoiceAction.ts"
import type { PbxEvent, PbxEventData, PbxEventType } from "../../../src/domain/pbx/PbxEvent.ts"
import { recordingIdOf } from "../../../src/domain/recordings/RecordingId.ts"
import { sessionOfCall } from "../../../src/domain/pbx/Session.ts"
import type { CallStream } from "../../../src/domain/streams/CallStream.ts"
import { toConferenceId } from "../../../src/domain/BrandedIds.ts"
import { callId, gatewayId, numberId, workspaceId } from "../../support/Ids.ts"

export const call_id = callId("01890a5d-ac96-774b-bcce-b302099a8057")
export const child_id = childCallId(call_id, 0)
export const second_id = childCallId(call_id, 0, 1)
/** The money that the legs of a dial share. */
export const shared_id = callId(sharedHoldId(call_id, 0))
export const stray_id = childCallId(call_id, 7)
export const session_id = sessionOfCall(call_id)

/** When the call was placed, answered, and had talked for its first minute. */
export const placed_at = Date.UTC(2026, 10, 20)
export const answered_at = placed_at + 10_000
export const minute_at = answered_at + 60_000

export const facts: CallFacts = {
  session_id,
  workspace_id: workspaceId("01890a5d-ac96-774b-bcce-b302099a0001"),
  tenant_pbx_id: "tenant",
  gateway_id: gatewayId("gateway"),
  number_id: numberId("01890a5d-ac96-774b-bcce-b302099a0002"),
  parent_call_id: null,
  parent_session_id: null,
  direction: "outbound",
  kind: "api",
  from: "+254700000001",
  to: "+254700000002",
  caller_id: "+254700000001",
  created_at: placed_at,
  currency: "KES",
  rate_per_min_minor: 300,
  matched_prefix: "254",
  timeout_seconds: 70,
  max_duration_seconds: 60,
  voice_callback_url: "https://example.com/voice",
  voice_fallback_url: null,
  metadata: { order: "7" },
  client_reference: "ref"
}

export const say: VoiceAction = { say: { text: "Hello." } }
export const dial: VoiceAction = { dial: { number: "+254700000003" } }
export const ringAll: VoiceAction = { dial: { numbers: ["+254700000003", "+254700000004"] } }
/** What the callback is asked first. */
export const question: Question = {
  reason: "answered",
  url: "https://example.com/voice",
  result: null,
  answer_by: answered_at + 10_000
}

const ending: Ending = {
  status: "completed",
  cause: "normal_clearing",
  source: "callee",
  sip_code: 200,
  q850_cause: 16
}

export const became = (call: Call, ...events: ReadonlyArray<CallEvent>): PlacedCall => {
  const after = events.reduce(evolveCall, call)
  if (!isPlaced(after)) throw new Error("These events do not make a call.")
  return after
}

export const absent = absentCall(call_id)
export const ringing = became(absent, { _tag: "Originated", facts })
/** Answered, and the callback is asked. */
export const asking = became(ringing, { _tag: "Answered", at: answered_at, question, detect_until: null })
export const doing = (...actions: ReadonlyArray<VoiceAction>): PlacedCall =>
  became(asking, { _tag: "CallbackAnswered", at: answered_at + 100, actions })
export const saying = doing(say, say)
/** The destination is judged; then the leg is being placed, and nothing is known of it. */
export const surveying = doing(dial, say)
export const dialling = became(surveying, { _tag: "DialSurveyed" })
/** The destination has no rate, and the party is being told so. */
export const unrated = became(dialling, {
  _tag: "DialRefused",
  at: minute_at,
  to: "+254700000003",
  refusal: {
    call_id: child_id,
    cause: "destination_refused",
    detail: "calls.destination_refused",
    reason: "rate_not_configured",
    whole: false
  }
})
/** The leg rings, and is answered. */
export const rung = became(dialling, { _tag: "ChildAdded", child_call_id: child_id })
export const bridged = became(rung, {
  _tag: "ChildJoined",
  at: minute_at,
  child_call_id: child_id,
  session_id: sessionOfCall(child_id)
})
/** Two legs ring at once. */
export const ringingBoth = became(
  doing(ringAll, say),
  { _tag: "DialSurveyed" },
  { _tag: "ChildAdded", child_call_id: child_id },
  {
    _tag: "ChildAdded",
    child_call_id: second_id
  }
)
/** The child has answered and is connected; the second leg still rings. */
export const firstJoined = became(ringingBoth, {
  _tag: "ChildJoined",
  at: minute_at,
  child_call_id: child_id,
  session_id: sessionOfCall(child_id)
})
export const legOf = (call: Call, call_id = child_id) => call.dial!.legs.find((leg) => leg.call_id === call_id)!
/** The dial of a call, with its first leg changed. */
export const dialWith = (call: Call, change: Partial<Dial["legs"][number]>): Dial => {
  const [first, ...rest] = call.dial!.legs
  return { ...call.dial!, legs: [{ ...first!, ...change }, ...rest] }
}
/** A leg, and then picked up. */
export const leg = became(absent, {
  _tag: "Originated",
  facts: { ...facts, parent_call_id: stray_id, parent_session_id: sessionOfCall(stray_id), voice_callback_url: null }
})
export const pickedUp = became(leg, { _tag: "PickedUp", at: answered_at, claim_by: answered_at + 10_000 })
/** Calls that come in: just told, then let in and asked about, forwarded, taken by an extension, to be answered. */
const inbound: CallFacts = { ...facts, direction: "inbound", kind: "sip", rate_per_min_minor: 100, timeout_seconds: 70 }
export const forward: Forward = { to: ["sip:1001@extensions", "+254700000009"], sequential: null, timeout_seconds: 30 }
const receivedAs = (facts: CallFacts, forward: Forward | null) =>
  became(absent, { _tag: "Received", facts, reception: { step: "admitting", forward, no_funds_message: "No money." } })
export const admitting = receivedAs(inbound, null)
export const consulting = became(admitting, { _tag: "Admitted", at: placed_at })
export const forwarding = became(
  receivedAs({ ...inbound, voice_callback_url: null }, forward),
  { _tag: "Admitted", at: placed_at },
  { _tag: "DialSurveyed" }
)
export const taken = became(
  forwarding,
  { _tag: "ChildAdded", child_call_id: child_id },
  { _tag: "ChildJoined", at: minute_at, child_call_id: child_id, session_id: sessionOfCall(child_id) },
  { _tag: "Answering", at: answered_at }
)
/** The talk is over, and the charge is not yet in the books. */
export const settling = became(asking, { _tag: "HungUp", at: answered_at + 30_000, confirmed: true, ending })
export const completed = became(settling, { _tag: "Settled", at: answered_at + 30_100, cost_minor: 300 })
/** Nobody answered, and the PBX has not confirmed the end. */
export const missed = became(ringing, {
  _tag: "HungUp",
  at: placed_at + 20_000,
  confirmed: false,
  ending: {
    ...ending,
    status: "no_answer",
    cause: "ring_timeout",
    source: "platform",
    sip_code: null,
    q850_cause: null
  }
})

/** A recording of the whole call that has just begun. */
export const recording: CallRecording = {
  id: recordingIdOf(call_id, 0),
  source: "originate",
  channels: 1,
  started_at: answered_at,
  outcome: null,
  told: "nothing",
  status: "in_progress"
}

let reported = 0
export const pbxEvent = (type: PbxEventType, seq: number, data: PbxEventData = {}, at = minute_at): PbxEvent => ({
  event_id: `01890a5d-ac96-774b-bcce-${(++reported).toString(16).padStart(12, "0")}`,
  tenant_pbx_id: "tenant",
  type,
  session_id,
  seq,
  occurred_at: new Date(at).toISOString(),
  data
})

/** The stream of an action that the call does not wait for. */
export const stream: CallStream = {
  id: "ST_1",
  name: "agent",
  step: 0,
  since: answered_at,
  action: { url: "wss://example.com/agent", mode: "fork" },
  started_at: null,
  stopping_since: null,
  end: null
}
export const streaming: PlacedCall = { ...asking, streams: [stream] }

export const conferenceSettings = {
  muted: false,
  deaf: false,
  held: false,
  waiting: false,
  wait: "music",
  beep: "none",
  coach_session_id: null
} as const
export const conferencePart = {
  step: 0,
  since: answered_at,
  action: { name: "room" },
  joined: {
    conference_id: toConferenceId("0199a000-0000-7000-8000-0000000000c1"),
    at: answered_at,
    version: 1,
    settings: conferenceSettings,
    announced_at: 0,
    announcement: null
  },
  left: null,
  told: false
} as const
export const conferring: PlacedCall = { ...asking, conferences: [conferencePart] }

export const turn: TranscriptTurn = {
  kind: "transcript.turn",
  call_id,
  seq: 1,
  role: "user",
  text: "Hello",
  final: true,
  occurred_at: "2026-11-20T00:00:00.000Z"
}
const { text: _, ...spoken } = turn
export const piece: TranscriptNotice = {
  said: { ...spoken, kind: "transcript.delta", delta: "Hel", final: false },
  order: 3,
  sequence: null
}
