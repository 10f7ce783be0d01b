// What can happen to a call, and what it makes of the call. No rule is decided here.
import type { Origin } from "../access/Origin.ts"
import type { PbxEvent } from "../pbx/PbxEvent.ts"
import type { RecordingStatus } from "../recordings/RecordingRecord.ts"
import type { Call, Ending } from "./Call.ts"
import type { CallFacts } from "./CallCommand.ts"
import type { AnsweredBy, CallStatus } from "./CallRecord.ts"
import type { RecordingEvent } from "./CallRecordings.ts"
import { withSentCommands } from "./SentCommands.ts"
import { consultedAbout } from "./CallbackLog.ts"
import { forwardAction, type InboundSetup } from "./InboundSetup.ts"
import { asking, carryingOut, type Question } from "./Script.ts"
import { replayed_max, type TranscriptNotice, type TranscriptTurn } from "./Transcript.ts"
import { evolveScript, type ScriptEvent, startScript, withoutDial } from "./ScriptEvent.ts"
import { callback_budget_ms } from "./ScriptSteps.ts"
import { evolveLimit } from "./MaxTalkTime.ts"
import { evolveStreamViewers, type StreamViewerEvent } from "./StreamViewer.ts"

export type CallEvent =
  | { readonly _tag: "Originated"; readonly facts: CallFacts }
  | { readonly _tag: "Received"; readonly facts: CallFacts; readonly reception: InboundSetup }
  | { readonly _tag: "Admitted"; readonly at: number }
  /** The PBX is to answer it. */
  | { readonly _tag: "Answering"; readonly at: number }
  /** An event of the PBX was taken: everything of the session up to `seq` is applied. */
  | { readonly _tag: "PbxApplied"; readonly seq: number; readonly at: number }
  | { readonly _tag: "PbxBuffered"; readonly event: PbxEvent; readonly at: number }
  | { readonly _tag: "PbxClosed" }
  | { readonly _tag: "Proved"; readonly at: number }
  | { readonly _tag: "Doubted"; readonly at: number }
  | { readonly _tag: "NetworkRang"; readonly at: number; readonly step: "ringing" | "early_media" }
  /** The phone was picked up, and the call that dialled it is asked whether it takes the leg. */
  | { readonly _tag: "PickedUp"; readonly at: number; readonly claim_by: number }
  | {
      readonly _tag: "Answered"
      readonly at: number
      readonly question: Question | null
      readonly detect_until: number | null
    }
  | {
      readonly _tag: "MachineDetected"
      readonly at: number
      readonly answered_by: AnsweredBy
      readonly confidence: number | null
      readonly answer_by: number
    }
  | { readonly _tag: "DigitPressed"; readonly at: number; readonly digit: string; readonly duration_ms: number | null }
  | { readonly _tag: "TurnSaid"; readonly at: number; readonly said: TranscriptTurn; readonly order: number }
  | { readonly _tag: "DeltaSaid"; readonly at: number; readonly notice: TranscriptNotice }
  /** Its transcript is complete, but for what comes late. */
  | { readonly _tag: "Transcribed"; readonly at: number }
  | { readonly _tag: "AnswerIgnored"; readonly at: number }
  | { readonly _tag: "CameLate"; readonly at: number; readonly step: string }
  | {
      readonly _tag: "CallbackFailed"
      readonly at: number
      readonly cause: string
      readonly http_status: number | null
      readonly pointer: string | null
      readonly detail: string
    }
  /** The customer asked for the end that follows. */
  | { readonly _tag: "TerminationAsked"; readonly at: number; readonly origin: Origin; readonly reason: string | null }
  | { readonly _tag: "Switched"; readonly at: number; readonly what: "mute" | "hold"; readonly on: boolean }
  | { readonly _tag: "TagRefused"; readonly at: number }
  | ScriptEvent
  | { readonly _tag: "Bridged"; readonly at: number }
  /** A deadline was told long after its time: the engine had been away. */
  | { readonly _tag: "Resumed"; readonly at: number }
  | { readonly _tag: "CoverExtended"; readonly minutes: number }
  /** So long the PBX may let it talk from its answer on, by what the wallet can pay now. */
  | { readonly _tag: "TalkLimited"; readonly at: number; readonly seconds: number }
  | {
      readonly _tag: "BalanceWentLow"
      readonly at: number
      readonly minutes: number
      readonly remaining_seconds: number
    }
  /** `confirmed`: the PBX said so itself, so that it need not be told. `decided_at` where the talk is taken to have ended before. */
  | {
      readonly _tag: "HungUp"
      readonly at: number
      readonly ending: Ending
      readonly confirmed: boolean
      readonly decided_at?: number
    }
  | { readonly _tag: "Settled"; readonly at: number; readonly cost_minor: number }
  | { readonly _tag: "HoldReleased" }
  | { readonly _tag: "ParentTold"; readonly status: CallStatus }
  | RecordingEvent
  | StreamViewerEvent

const publicKinds: Partial<Record<CallEvent["_tag"], string>> = {
  Originated: "call.ringing",
  Received: "call.ringing",
  NetworkRang: "call.progress",
  Answered: "call.answered",
  AnswerIgnored: "call.answer_ignored",
  CameLate: "call.progress",
  CallbackFailed: "call.callback_failed",
  TagRefused: "call.progress",
  Switched: "call.progress",
  DialRefused: "call.progress",
  MachineDetected: "call.machine_detected",
  DigitPressed: "call.dtmf",
  TurnSaid: "transcript.turn",
  Transcribed: "call.transcript_available",
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

const admitted = (call: Call, at: number): Call => {
  const { forward } = call.reception!
  const { voice_callback_url: url } = call.facts!
  if (url !== null) {
    const question: Question = { reason: "incoming", url, result: null, answer_by: at + callback_budget_ms }
    const consulted = consultedAbout(call.consulted, question, at)
    return { ...call, reception: { ...call.reception!, step: "asking" }, script: asking(question, at), consulted }
  }
  return startScript(
    { ...call, reception: { ...call.reception!, step: "forwarding" } },
    carryingOut([forwardAction(forward!)], at)
  )
}

const hungUp = (call: Call, { at, confirmed, ending }: Extract<CallEvent, { readonly _tag: "HungUp" }>): Call => ({
  ...withoutDial(call),
  phase: ending.status === "completed" ? "settling" : "ended",
  ended_at: at,
  ending,
  cost_minor: ending.status === "completed" ? null : 0,
  pbx: { ...call.pbx, closed: call.pbx.closed || confirmed }
})

type Heard = Extract<CallEvent, { readonly _tag: "PbxApplied" | "PbxBuffered" | "PbxClosed" | "Proved" | "Doubted" }>

/** The PBX has spoken of the session. */
const spoken = ({ recalled: _, ...pbx }: Call["pbx"], at: number): Call["pbx"] => ({
  ...pbx,
  proof_at: Math.max(pbx.proof_at, at)
})

/** What is known of the session. */
const heard = (pbx: Call["pbx"], event: Heard): Call["pbx"] => {
  switch (event._tag) {
    case "PbxApplied": {
      const ahead = pbx.ahead.filter(({ seq }) => seq > event.seq)
      const gap_since = ahead.length === 0 ? null : event.at
      return { ...spoken(pbx, event.at), seq: event.seq, ahead, gap_since }
    }
    case "PbxBuffered": {
      const ahead = [...pbx.ahead, event.event].sort((a, b) => a.seq - b.seq)
      return { ...pbx, ahead, gap_since: pbx.gap_since ?? event.at }
    }
    case "PbxClosed":
      return { ...pbx, closed: true }
    case "Proved":
      return spoken(pbx, event.at)
    case "Doubted":
      return { ...pbx, doubted_at: event.at }
  }
}

const answered = (
  call: Call,
  { at, detect_until, question }: Extract<CallEvent, { readonly _tag: "Answered" }>
): Call => ({
  ...call,
  phase: "answered",
  answered_at: at,
  picked_up: null,
  detect_until,
  script: question === null ? call.script : asking(question, at),
  ...(question !== null && { consulted: consultedAbout(call.consulted, question, at) }),
  reception: null,
  pbx: { ...call.pbx, proof_at: Math.max(call.pbx.proof_at, at) }
})

const detected = (
  call: Call,
  { answer_by, answered_by }: Extract<CallEvent, { readonly _tag: "MachineDetected" }>
): Call => {
  const { script } = call
  const asked =
    script?.question?.answer_by === null ? { ...script, question: { ...script.question, answer_by } } : script
  return { ...call, answered_by, detect_until: null, script: asked }
}

/** The last of what was said; the turn that is being told will be the next in the log. */
const heardSaid = (call: Call, notice: TranscriptNotice): Call => ({
  ...call,
  said: [...(call.said ?? []), notice].slice(-replayed_max)
})

const evolved = (call: Call, event: CallEvent): Call => {
  switch (event._tag) {
    case "Originated":
      return originated(call, event.facts)
    case "Received":
      return { ...originated(call, event.facts), reception: event.reception }
    case "Admitted":
      return admitted(call, event.at)
    case "Answering":
      return { ...call, reception: { ...call.reception!, step: "answering" } }
    case "PbxApplied":
    case "PbxBuffered":
    case "PbxClosed":
    case "Proved":
    case "Doubted":
      return { ...call, pbx: heard(call.pbx, event) }
    case "NetworkRang":
      return { ...call, ringing_at: call.ringing_at ?? event.at }
    case "PickedUp":
      return { ...call, picked_up: { at: event.at, claim_by: event.claim_by } }
    case "Answered":
      return answered(call, event)
    case "MachineDetected":
      return detected(call, event)
    case "TurnSaid":
      return {
        ...heardSaid(call, { said: event.said, order: event.order, sequence: call.sequence + 1 }),
        turns: (call.turns ?? 0) + 1
      }
    case "DeltaSaid":
      return heardSaid(call, event.notice)
    case "AnswerIgnored":
      return { ...call, pbx: { ...call.pbx, closed: false, revived_at: event.at } }
    case "Switched":
      return { ...call, [event.what]: { on: event.on, count: (call[event.what]?.count ?? 0) + 1 } }
    case "Resumed": {
      const { recalled: _, ...pbx } = call.pbx
      return { ...call, resumed_at: event.at, pbx }
    }
    case "CoverExtended":
      return { ...call, covered_minutes: event.minutes, refused_minute: null }
    case "TalkLimited":
      return { ...call, talk_limit: evolveLimit(call, event.seconds) }
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
    case "DigitPressed":
    case "TagRefused":
    case "Transcribed":
    case "TerminationAsked":
    case "Bridged":
      return call
    case "Watched":
    case "Unwatched":
      return { ...call, watches: evolveStreamViewers(call.watches, event) }
    default:
      return evolveScript(call, event)
  }
}

export const evolveCall = (call: Call, event: CallEvent): Call => {
  const next = withSentCommands(call, evolved(call, event), event)
  return publicKind(event) === undefined ? next : { ...next, sequence: call.sequence + 1 }
}
