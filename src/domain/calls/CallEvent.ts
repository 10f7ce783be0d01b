// What can happen to a call, and what it makes of the call. No rule is decided here.
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import type { RecordingStatus } from "../recordings/RecordingRecord.ts"
import { type Call, childCallId, currentAction, type Ending, type Script } from "./Call.ts"
import type { CallFacts } from "./CallCommand.ts"
import type { CallStatus } from "./CallRecord.ts"
import { evolveRecordings, type RecordingEvent } from "./CallRecordings.ts"
import type { VoiceAction } from "./VoiceAction.ts"

export type CallEvent =
  | { readonly _tag: "Originated"; readonly facts: CallFacts }
  /** An event of the PBX was taken: everything of the session up to `seq` is applied. */
  | { readonly _tag: "PbxApplied"; readonly seq: number; readonly at: number }
  | { readonly _tag: "PbxBuffered"; readonly event: PbxEvent; readonly at: number }
  | { readonly _tag: "PbxClosed" }
  | { readonly _tag: "Proved"; readonly at: number }
  | { readonly _tag: "Doubted"; readonly at: number }
  | { readonly _tag: "NetworkRang"; readonly at: number; readonly step: "ringing" | "early_media" }
  | { readonly _tag: "Answered"; readonly at: number; readonly answer_by: number | null }
  | { readonly _tag: "AnswerIgnored"; readonly at: number }
  | { readonly _tag: "CameLate"; readonly at: number; readonly step: string }
  | { readonly _tag: "CallbackAnswered"; readonly at: number; readonly actions: ReadonlyArray<VoiceAction> }
  | {
    readonly _tag: "CallbackFailed"
    readonly at: number
    readonly cause: string
    readonly http_status: number | null
    readonly pointer: string | null
    readonly detail: string
  }
  | { readonly _tag: "ActionDone"; readonly at: number }
  | { readonly _tag: "DialRefused"; readonly at: number; readonly cause: string; readonly detail: string }
  | { readonly _tag: "ChildAdded"; readonly child_call_id: string }
  /** A leg came up that this call does not wait for. */
  | { readonly _tag: "ChildOrphaned"; readonly child_call_id: string }
  | { readonly _tag: "ChildAnswered"; readonly session_id: string }
  | { readonly _tag: "ChildStopped"; readonly child_call_id: string }
  | { readonly _tag: "Bridged"; readonly at: number }
  /** A deadline was told long after its time: the engine had been away. */
  | { readonly _tag: "Resumed"; readonly at: number }
  | { readonly _tag: "CoverExtended"; readonly minutes: number }
  | { readonly _tag: "BalanceWentLow"; readonly at: number; readonly minutes: number; readonly remaining_seconds: number }
  /** `confirmed`: the PBX said so itself, so that it need not be told. */
  | { readonly _tag: "HungUp"; readonly at: number; readonly ending: Ending; readonly confirmed: boolean }
  | { readonly _tag: "Settled"; readonly at: number; readonly cost_minor: number }
  | { readonly _tag: "HoldReleased" }
  | { readonly _tag: "ParentTold"; readonly status: CallStatus }
  | RecordingEvent

const publicKinds: Partial<Record<CallEvent["_tag"], string>> = {
  Originated: "call.ringing",
  NetworkRang: "call.progress",
  Answered: "call.answered",
  AnswerIgnored: "call.answer_ignored",
  CameLate: "call.progress",
  CallbackFailed: "call.callback_failed",
  DialRefused: "call.progress",
  Bridged: "call.bridged",
  BalanceWentLow: "call.balance_low",
  Settled: "call.completed"
}

const recordingKinds: Partial<Record<RecordingStatus, string>> = {
  available: "call.recording_available",
  failed: "call.recording_failed",
  expired: "call.recording_deleted",
  deleted: "call.recording_deleted"
}

/** The kind under which customers are told, or none. */
export const publicKind = (event: CallEvent): string | undefined => {
  switch (event._tag) {
    case "HungUp":
      return event.ending.status === "completed" ? undefined : `call.${event.ending.status}`
    case "RecordingChanged":
      return recordingKinds[event.status]
    default:
      return publicKinds[event._tag]
  }
}

const originated = (call: Call, facts: CallFacts): Call => ({
  ...call,
  phase: "ringing",
  facts,
  covered_minutes: 1,
  hold_open: true,
  pbx: { ...call.pbx, proof_at: facts.created_at }
})

/** At the next action of the script, ready for the leg that it dials, if it dials. */
const atAction = (call: Call, script: Script): Call => {
  const next = { ...call, script, dial: null }
  const action = currentAction(next)
  if (action === undefined || !("dial" in action)) return next
  return { ...next, dial: { call_id: childCallId(call.id, script.index), started: false, session_id: null } }
}

const including = (ids: ReadonlyArray<string>, id: string): ReadonlyArray<string> => (ids.includes(id) ? ids : [...ids, id])

const hungUp = (call: Call, { at, confirmed, ending }: Extract<CallEvent, { readonly _tag: "HungUp" }>): Call => ({
  ...call,
  phase: ending.status === "completed" ? "settling" : "ended",
  ended_at: at,
  ending,
  dial: null,
  stopping_call_ids: call.dial === null ? call.stopping_call_ids : including(call.stopping_call_ids, call.dial.call_id),
  cost_minor: ending.status === "completed" ? null : 0,
  pbx: { ...call.pbx, closed: call.pbx.closed || confirmed }
})

type Heard = Extract<CallEvent, { readonly _tag: "PbxApplied" | "PbxBuffered" | "PbxClosed" | "Proved" | "Doubted" }>

/** What is known of the session. */
const heard = (pbx: Call["pbx"], event: Heard): Call["pbx"] => {
  switch (event._tag) {
    case "PbxApplied": {
      const ahead = pbx.ahead.filter(({ seq }) => seq > event.seq)
      const gap_since = ahead.length === 0 ? null : event.at
      return { ...pbx, seq: event.seq, ahead, gap_since, proof_at: Math.max(pbx.proof_at, event.at) }
    }
    case "PbxBuffered": {
      const ahead = [...pbx.ahead, event.event].sort((a, b) => a.seq - b.seq)
      return { ...pbx, ahead, gap_since: pbx.gap_since ?? event.at }
    }
    case "PbxClosed":
      return { ...pbx, closed: true }
    case "Proved":
      return { ...pbx, proof_at: Math.max(pbx.proof_at, event.at) }
    case "Doubted":
      return { ...pbx, doubted_at: event.at }
  }
}

const evolved = (call: Call, event: CallEvent): Call => {
  switch (event._tag) {
    case "Originated":
      return originated(call, event.facts)
    case "PbxApplied":
    case "PbxBuffered":
    case "PbxClosed":
    case "Proved":
    case "Doubted":
      return { ...call, pbx: heard(call.pbx, event) }
    case "NetworkRang":
      return { ...call, ringing_at: call.ringing_at ?? event.at }
    case "Answered": {
      const { answer_by, at } = event
      const script = answer_by === null ? null : { answer_by, actions: null, index: 0, since: at }
      return { ...call, phase: "answered", answered_at: at, script, pbx: { ...call.pbx, proof_at: Math.max(call.pbx.proof_at, at) } }
    }
    case "AnswerIgnored":
      return { ...call, pbx: { ...call.pbx, closed: false, revived_at: event.at } }
    case "CallbackAnswered":
      return atAction(call, { ...call.script!, actions: event.actions, index: 0, since: event.at })
    case "ActionDone":
      return atAction(call, { ...call.script!, index: call.script!.index + 1, since: event.at })
    case "ChildAdded":
      return {
        ...call,
        dial: call.dial?.call_id === event.child_call_id ? { ...call.dial, started: true } : call.dial,
        child_call_ids: including(call.child_call_ids, event.child_call_id)
      }
    case "ChildOrphaned":
      return {
        ...call,
        stopping_call_ids: including(call.stopping_call_ids, event.child_call_id),
        child_call_ids: including(call.child_call_ids, event.child_call_id)
      }
    case "ChildAnswered":
      return { ...call, dial: { ...call.dial!, started: true, session_id: event.session_id } }
    case "ChildStopped":
      return { ...call, stopping_call_ids: call.stopping_call_ids.filter((id) => id !== event.child_call_id) }
    case "Resumed":
      return { ...call, resumed_at: event.at }
    case "CoverExtended":
      return { ...call, covered_minutes: event.minutes, refused_minute: null }
    case "BalanceWentLow":
      return { ...call, refused_minute: event.minutes }
    case "HungUp":
      return hungUp(call, event)
    case "Settled":
      return { ...call, phase: "ended", cost_minor: event.cost_minor, hold_open: false }
    case "HoldReleased":
      return { ...call, hold_open: false }
    case "ParentTold":
      return { ...call, told_parent: event.status }
    case "CameLate":
    case "CallbackFailed":
    case "DialRefused":
    case "Bridged":
      return call
    default:
      return evolveRecordings(call, event)
  }
}

export const evolveCall = (call: Call, event: CallEvent): Call => {
  const next = evolved(call, event)
  return publicKind(event) === undefined ? next : { ...next, sequence: call.sequence + 1 }
}
