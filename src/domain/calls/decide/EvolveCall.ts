// How each event changes a call. No rule is decided here.
import {
  type AbsentCall,
  type AnsweredCall,
  type Call,
  type EndedCall,
  isPlaced,
  type PbxSession,
  type PlacedCall,
  type RingingCall,
  type SettlingCall
} from "../state/Call.ts"
import { type ConferencePartEvent, evolveConferences, leaveConferences } from "../../conferences/ConferencePart.ts"
import { withQuestion } from "../state/CallbackLog.ts"
import { type CallEvent, type CallEventOf, publicKind } from "../state/CallEvent.ts"
import type { CallFacts } from "../state/CallFacts.ts"
import { evolveRecordings, type RecordingEvent } from "../state/CallRecordings.ts"
import { evolveScript, startScript, withoutDial } from "./EvolveScript.ts"
import { forwardAction } from "../state/InboundSetup.ts"
import { evolveMaxTalkTime } from "../state/MaxTalkTime.ts"
import type { ScriptEvent } from "../state/ScriptEvent.ts"
import { askingScript, type Question, runningScript } from "../state/Script.ts"
import { callbackBudget_ms } from "./ScriptSteps.ts"
import { sentCommands } from "../state/SentCommands.ts"
import { evolveStreams, type StreamEvent } from "../../streams/CallStream.ts"
import { evolveStreamViewers, type StreamViewerEvent } from "../state/StreamViewer.ts"
import { maxReplayed, type TranscriptNotice } from "../state/Transcript.ts"

const originated = (call: AbsentCall, facts: CallFacts): RingingCall => ({
  ...call,
  phase: "ringing",
  facts,
  covered_minutes: 1,
  hold_open: true,
  pbx: { ...call.pbx, proof_at: facts.created_at }
})

const admitted = (call: PlacedCall, at: number): PlacedCall => {
  const { reception } = call
  if (reception === null) return call
  const { voice_callback_url: url } = call.facts
  if (url !== null) {
    const question: Question = { reason: "incoming", url, result: null, answer_by: at + callbackBudget_ms }
    const consulted = withQuestion(call.consulted, question, at)
    return { ...call, reception: { ...reception, step: "asking" }, script: askingScript(question, at), consulted }
  }
  const forwarding: PlacedCall = { ...call, reception: { ...reception, step: "forwarding" } }
  return reception.forward === null
    ? forwarding
    : startScript(forwarding, runningScript([forwardAction(reception.forward)], at))
}

const withAnnouncement = (call: PlacedCall, announcement: string | undefined): PlacedCall =>
  announcement === undefined || call.reception === null
    ? call
    : { ...call, reception: { ...call.reception, announcement } }

const outOfConference = (call: PlacedCall, at: number): PlacedCall =>
  call.conferences === undefined ? call : { ...call, conferences: leaveConferences(call.conferences, at) }

const hungUp = (before: PlacedCall, event: CallEventOf<"HungUp">): SettlingCall | EndedCall => {
  const { announcement, at, awaited_until, confirmed, ending } = event
  const call = outOfConference(withAnnouncement(withoutWait(withoutDial(before)), announcement), at)
  const { answered_at } = call
  const end = { ended_at: at, ending, pbx: { ...call.pbx, closed: call.pbx.closed || confirmed } }
  if (answered_at === null) return { ...call, ...end, phase: "ended", answered_at, cost_minor: 0 }
  const settling = { ...call, ...end, phase: "settling", answered_at, cost_minor: null } as const
  return awaited_until === undefined ? settling : { ...settling, hangup_awaited_until: awaited_until }
}

/** The call no longer waits for the PBX's report of its hang-up. */
const withoutWait = (call: PlacedCall): PlacedCall => {
  if (call.phase !== "settling") return call
  const { hangup_awaited_until: _, ...settling } = call
  return settling
}

const settled = (call: PlacedCall, cost_minor: number): PlacedCall =>
  call.phase === "settling" ? { ...call, phase: "ended", cost_minor, hold_open: false } : call

/** The PBX has shown that it has the session. */
const confirmed = ({ recalled: _, ...pbx }: PbxSession, at: number): PbxSession => ({
  ...pbx,
  proof_at: Math.max(pbx.proof_at, at)
})

const evolveSession = (
  pbx: PbxSession,
  event: CallEventOf<"PbxApplied" | "PbxBuffered" | "PbxClosed" | "SessionConfirmed" | "SessionUnlisted">
): PbxSession => {
  switch (event._tag) {
    case "PbxApplied": {
      const ahead = pbx.ahead.filter(({ seq }) => seq > event.seq)
      const gap_since = ahead.length === 0 ? null : event.at
      return { ...(event.proof === false ? pbx : confirmed(pbx, event.at)), seq: event.seq, ahead, gap_since }
    }
    case "PbxBuffered": {
      const ahead = [...pbx.ahead, event.event].sort((a, b) => a.seq - b.seq)
      return { ...pbx, ahead, gap_since: pbx.gap_since ?? event.at }
    }
    case "PbxClosed":
      return { ...pbx, closed: true }
    case "SessionConfirmed":
      return confirmed(pbx, event.at)
    case "SessionUnlisted":
      return { ...pbx, doubted_at: event.at }
  }
}

/** Begins the actions that the call was placed with, if it was placed with any. */
const withOwnActions = <C extends PlacedCall>(call: C, at: number): C => {
  const { actions, ...facts } = call.facts
  return actions === undefined ? call : startScript({ ...call, facts }, runningScript(actions, at))
}

const answered = (call: PlacedCall, event: CallEventOf<"Answered">): AnsweredCall => {
  const next = pickedUp(call, event)
  return event.detect_until === null ? withOwnActions(next, event.at) : next
}

const pickedUp = (call: PlacedCall, { at, detect_until, question }: CallEventOf<"Answered">): AnsweredCall => ({
  ...call,
  phase: "answered",
  answered_at: at,
  ended_at: null,
  ending: null,
  cost_minor: null,
  picked_up: null,
  detect_until,
  script: question === null ? call.script : askingScript(question, at),
  ...(question !== null && { consulted: withQuestion(call.consulted, question, at) }),
  reception: null,
  pbx: { ...call.pbx, proof_at: Math.max(call.pbx.proof_at, at) }
})

/** The callback is asked now, or the call's own actions begin: they waited for this. */
const machineDetected = (call: PlacedCall, event: CallEventOf<"MachineDetected">): PlacedCall => {
  const { answer_by, answered_by, at } = event
  const { script } = call
  const asking =
    script?.question?.answer_by === null ? { ...script, question: { ...script.question, answer_by } } : script
  return withOwnActions({ ...call, answered_by, detect_until: null, script: asking }, at)
}

const withTranscript = (call: PlacedCall, notice: TranscriptNotice): PlacedCall => ({
  ...call,
  said: [...(call.said ?? []), notice].slice(-maxReplayed)
})

const switched = (call: PlacedCall, { on, what }: CallEventOf<"Switched">): PlacedCall => {
  const next = { on, count: (call[what]?.count ?? 0) + 1 }
  return what === "mute" ? { ...call, mute: next } : { ...call, hold: next }
}

const resumed = (call: PlacedCall, at: number): PlacedCall => {
  const { recalled: _, ...pbx } = call.pbx
  return { ...call, resumed_at: at, pbx }
}

/** Events that are only published. */
type WithoutEffect = CallEventOf<
  | "Originated"
  | "Received"
  | "ArrivedLate"
  | "CallbackFailed"
  | "DigitPressed"
  | "TagRefused"
  | "Transcribed"
  | "TerminationRequested"
  | "Bridged"
>

const evolvePart = (
  call: PlacedCall,
  event: ScriptEvent | RecordingEvent | StreamEvent | ConferencePartEvent | StreamViewerEvent | WithoutEffect
): PlacedCall => {
  switch (event._tag) {
    case "Originated":
    case "Received":
    case "ArrivedLate":
    case "CallbackFailed":
    case "DigitPressed":
    case "TagRefused":
    case "Transcribed":
    case "TerminationRequested":
    case "Bridged":
      return call
    case "ViewerJoined":
    case "ViewerLeft":
      return { ...call, watches: evolveStreamViewers(call.watches, event) }
    case "StreamStarted":
    case "StreamStopped":
    case "StreamEnded":
      return { ...call, streams: evolveStreams(call.streams, event) }
    case "ConferenceChanged":
    case "ConferenceLeft":
    case "ConferenceTold":
      return { ...call, conferences: evolveConferences(call.conferences, event) }
    case "RecordingStarted":
    case "RecordingEnded":
    case "RecordingNotified":
    case "RecordingChanged":
      return evolveRecordings(call, event)
    default:
      return evolveScript(call, event)
  }
}

const evolve = (call: PlacedCall, event: CallEvent): PlacedCall => {
  switch (event._tag) {
    case "Admitted":
      return admitted(call, event.at)
    case "Answering":
      return call.reception === null ? call : { ...call, reception: { ...call.reception, step: "answering" } }
    case "PbxClosed":
    case "PbxApplied":
    case "PbxBuffered":
    case "SessionConfirmed":
    case "SessionUnlisted":
      return { ...call, pbx: evolveSession(call.pbx, event) }
    case "RemoteRinging":
      return { ...call, ringing_at: call.ringing_at ?? event.at }
    case "PickedUp":
      return { ...call, picked_up: { at: event.at, claim_by: event.claim_by } }
    case "Answered":
      return answered(call, event)
    case "MachineDetected":
      return machineDetected(call, event)
    case "TranscriptTurnAdded":
      return {
        ...withTranscript(call, { said: event.said, order: event.order, sequence: call.sequence + 1 }),
        turns: (call.turns ?? 0) + 1
      }
    case "TranscriptDeltaAdded":
      return withTranscript(call, event.notice)
    case "AnswerIgnored":
    case "StartedLate":
      return { ...call, pbx: { ...call.pbx, closed: false, revived_at: event.at } }
    case "Switched":
      return switched(call, event)
    case "Resumed":
      return resumed(call, event.at)
    case "ClockSet":
      return { ...call, clock_set_ms: (call.clock_set_ms ?? 0) + event.by_ms }
    case "MinutePrepaid":
      return { ...call, covered_minutes: event.minutes, refused_minute: null }
    case "TalkLimited":
      return { ...call, talk_limit: evolveMaxTalkTime(call, event.seconds) }
    case "BalanceWentLow":
      return { ...call, refused_minute: event.minutes }
    case "HungUp":
      return hungUp(call, event)
    case "Settled":
      return settled(call, event.cost_minor)
    case "HoldReleased":
      return { ...call, hold_open: false }
    case "ParentNotified":
      return { ...call, told_parent: event.status }
    default:
      return evolvePart(call, event)
  }
}

const withSequence = <C extends PlacedCall>(before: Call, after: C, event: CallEvent): C => {
  const commands = sentCommands(before, after, event)
  const sequence = publicKind(event) === undefined ? after.sequence : before.sequence + 1
  // A call has many members and each event passes here, so the call is copied once.
  if (commands !== undefined) return { ...after, commands, sequence }
  return sequence === after.sequence ? after : { ...after, sequence }
}

/** The call that this event creates. */
export const originateCall = (call: AbsentCall, event: CallEventOf<"Originated">): RingingCall =>
  withSequence(call, originated(call, event.facts), event)

/** The inbound call, or call of a device, that this event creates. */
export const receiveCall = (call: AbsentCall, event: CallEventOf<"Received">): RingingCall =>
  withSequence(call, { ...originated(call, event.facts), reception: event.reception }, event)

export const evolvePlaced = (call: PlacedCall, event: CallEvent): PlacedCall =>
  withSequence(call, evolve(call, event), event)

/** The call after all of these events. */
export const evolveAll = (call: PlacedCall, events: ReadonlyArray<CallEvent>): PlacedCall =>
  events.reduce(evolvePlaced, call)

export const evolveCall = (call: Call, event: CallEvent): Call => {
  if (isPlaced(call)) return evolvePlaced(call, event)
  if (event._tag === "Originated") return originateCall(call, event)
  return event._tag === "Received" ? receiveCall(call, event) : call
}
