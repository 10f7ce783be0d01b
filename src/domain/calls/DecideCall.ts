// The call's rules: for each phase, what each command makes happen. docs/calls.md tells the same table to customers.
import { Result } from "effect"
import { CallNotFound, CallNotInProgress } from "../errors/CallErrors.ts"
import { advanced } from "./AdvanceScript.ts"
import { type Call, currentAction, isPlaced, type PlacedCall } from "./Call.ts"
import { allBut, decideBy, refuse, type Rules } from "../Command.ts"
import { CallCommands, type CallMessage, type CallRules, type Termination } from "./CallCommand.ts"
import type { CallEvent } from "./CallEvent.ts"
import { evolveCall } from "./EvolveCall.ts"
import { recordingsOf } from "./CallRecordings.ts"
import { callRecord } from "./CallView.ts"
import { coverEnds, cutOffAt, givesUpAt, lostAt, ringTimeoutAt, wasAway } from "./Deadlines.ts"
import {
  childChanged,
  childPickedUp,
  childRefused,
  childStarted,
  childStopped,
  dialSurveyed,
  pickUpClaimed,
  spareHoldReleased
} from "./DecideDial.ts"
import { decidePbxEvent } from "./DecidePbxEvent.ts"
import { gathered, machineDetected, nothingEntered, recorded } from "./DecideMedia.ts"
import { admitted, inReception, notAdmitted, received, refusedByCallback, toldByCallback } from "./DecideInbound.ts"
import { abandoned, completed } from "./EndCall.ts"
import { limited } from "./MaxTalkTime.ts"
import { updateCall } from "./UpdateCall.ts"
import { misplacedReject, type VoiceAction } from "./VoiceAction.ts"
import { isWatching } from "./StreamViewer.ts"

const happened = (...events: ReadonlyArray<CallEvent>) => Result.succeed({ events, reply: undefined })
const nothing = happened()
const ignore = () => nothing

const placed = (call: PlacedCall) => Result.succeed({ events: [], reply: callRecord(call) })

const originate = (call: Call, { available_minor, facts }: CallMessage<"Originate">) => {
  const event: CallEvent = { _tag: "Originated", facts }
  const placed = evolveCall(call, event) as PlacedCall
  return Result.succeed({
    events: [event, ...limited(placed, { at: facts.created_at, available_minor })],
    reply: callRecord(placed)
  })
}

const terminated = (call: PlacedCall, termination: Termination, events: ReadonlyArray<CallEvent> = []) =>
  Result.succeed({
    events,
    reply: { termination, record: callRecord(events.reduce(evolveCall, call as Call) as PlacedCall) }
  })

/** For the audit log, before the end itself. */
const asked = ({ origin, reason }: CallMessage<"Terminate">, at: number): ReadonlyArray<CallEvent> =>
  origin === undefined ? [] : [{ _tag: "TerminationAsked", at, origin, reason: reason ?? null }]

const notAnswered = () => refuse(new CallNotInProgress())

/** Whether the answer is to the question that is open. */
const isAsked = ({ script }: Call, step: number): boolean => script?.step === step && script.question !== null

const callbackFailed: CallRules["CallbackFailed"] = (call, { _tag, step, ...failure }, now) =>
  isAsked(call, step)
    ? happened(
        { _tag, at: now, ...failure },
        completed(call, { at: now, now, cause: failure.cause, source: "platform" })
      )
    : nothing

const callbackSucceeded: CallRules["CallbackSucceeded"] = (call, { actions, step }, now) => {
  if (!isAsked(call, step)) return nothing
  const misplaced = misplacedReject(actions)
  return misplaced === undefined
    ? happened(...advanced(call, [{ _tag: "CallbackAnswered", at: now, actions }], now))
    : callbackFailed(
        call,
        { _tag: "CallbackFailed", step, cause: "voice_action_invalid", http_status: null, ...misplaced },
        now
      )
}

const unheard = (call: Call, action: VoiceAction, now: number): CallEvent => {
  if ("gather" in action) return gathered(action.gather, nothingEntered, now)
  return "record" in action ? recorded(call, action.record, null, now) : { _tag: "ActionDone", at: now }
}

/** Whatever waits for a finger, a voice or a file goes on without it; a dial does not. */
const actionOverdue: CallRules["ActionOverdue"] = (call, { step }, now) => {
  const action = currentAction(call)
  if (call.script?.step !== step || action === undefined || "dial" in action) return nothing
  return happened(...advanced(call, [unheard(call, action, now)], now))
}

const rungOut: CallRules["RingTimedOut"] = (call, _command, now) => {
  const due = ringTimeoutAt(call)
  if (now < due) return nothing
  if (wasAway(due, now)) return happened({ _tag: "Resumed", at: now })
  const cause = call.picked_up === null ? "ring_timeout" : "normal_clearing"
  return happened(...abandoned(call, now, "no_answer", cause, "platform"))
}

const cutOff: CallRules["CoverRanOut"] = (call, { minutes }, now) => {
  const due = cutOffAt(call)
  if (minutes !== call.covered_minutes || now < due) return nothing
  if (call.refused_minute === null && wasAway(due, now)) return happened({ _tag: "Resumed", at: now })
  return happened(completed(call, { at: coverEnds(call), now, cause: "balance_exhausted", source: "platform" }))
}

/** Nothing more can be paid, for now. */
const coverRefused: CallRules["CoverRefused"] = (call, { minutes }, now) => {
  if (call.refused_minute === minutes || minutes <= call.covered_minutes) return nothing
  const remaining_seconds = Math.max(0, Math.ceil((coverEnds(call) - now) / 1000))
  return happened(
    { _tag: "BalanceWentLow", at: now, minutes, remaining_seconds },
    ...limited(call, { at: now, available_minor: 0 })
  )
}

const lost: CallRules["SessionLost"] = (call, _command, now) => {
  const due = lostAt(call)
  if (now < due) return nothing
  // Back so shortly before that the PBX has not said a word, the engine cannot know that there is none to come.
  if (wasAway(due, now) || call.pbx.recalled === true) return happened({ _tag: "Resumed", at: now })
  return happened(completed(call, { at: call.pbx.proof_at, now, cause: "session_lost", source: "carrier" }))
}

/** A heartbeat speaks for the sessions of its own tenant. */
const isOfTenant = ({ facts }: PlacedCall, { tenant_pbx_id }: CallMessage<"ProofOfLife">): boolean =>
  facts.tenant_pbx_id === tenant_pbx_id

const proof: CallRules["ProofOfLife"] = (call, command) =>
  !isOfTenant(call, command)
    ? nothing
    : Result.succeed({ events: [{ _tag: "Proved", at: command.at }], reply: undefined, volatile: true })

/** The session outlived the call, by a hang-up that was given up or by an answer that crossed it: it is ended again. */
/** Before the PBX has said anything of a session it may not have been told to set it up. */
const doubted: CallRules["Doubted"] = (call, { at }) => {
  const lives = call.phase === "ringing" || call.phase === "answered"
  return lives && call.pbx.seq > 0 && call.pbx.proof_at < at
    ? Result.succeed({ events: [{ _tag: "Doubted", at }], reply: undefined, volatile: true })
    : nothing
}

const hangUpAgain: CallRules["ProofOfLife"] = (call, command) =>
  isOfTenant(call, command) && call.pbx.closed && command.at > givesUpAt(call)
    ? happened({ _tag: "AnswerIgnored", at: command.at })
    : nothing

const unconfirmed: CallRules["HangupUnconfirmed"] = (call, _command, now) => {
  const due = givesUpAt(call)
  if (call.pbx.closed || now < due) return nothing
  return happened(wasAway(due, now) ? { _tag: "Resumed", at: now } : { _tag: "PbxClosed" })
}

const watched: CallRules["Watch"] = (call, { by, stream_id }, at) =>
  isWatching(call, stream_id)
    ? nothing
    : Result.succeed({ events: [{ _tag: "Watched", at, stream_id, by }], reply: undefined, volatile: true })

const unwatched: CallRules["Unwatch"] = (call, { stream_id }, at) =>
  isWatching(call, stream_id)
    ? Result.succeed({ events: [{ _tag: "Unwatched", at, stream_id }], reply: undefined, volatile: true })
    : nothing

const recordingTold: CallRules["RecordingTold"] = (call, { recording_id, told }) =>
  recordingsOf(call).some(
    (recording) => recording.id === recording_id && recording.told !== told && recording.told !== "outcome"
  )
    ? happened({ _tag: "RecordingTold", recording_id, told })
    : nothing

const recordingChanged: CallRules["RecordingChanged"] = (call, command, now) =>
  recordingsOf(call).some(({ id, status }) => id === command.recording_id && status !== command.status)
    ? happened({ ...command, at: now })
    : nothing

const unreported: CallRules["RecordingUnreported"] = (call, { recording_id }) =>
  recordingsOf(call).some(({ id, outcome }) => id === recording_id && outcome === null)
    ? happened({ _tag: "RecordingEnded", recording_id, outcome: { error: "unreported" } })
    : nothing

type Row = CallRules

const always = {
  Incoming: (call: PlacedCall, { event }: CallMessage<"Incoming">, now: number) => decidePbxEvent(call, event, now),
  Listen: (call: PlacedCall) => Result.succeed({ events: [], reply: call.said ?? [] }),
  Doubted: doubted,
  Originate: placed,
  PbxReported: (call: PlacedCall, { event }: CallMessage<"PbxReported">, now: number) =>
    decidePbxEvent(call, event, now),
  ParentTold: (call: PlacedCall, { status }: CallMessage<"ParentTold">) =>
    call.told_parent === status ? nothing : happened({ _tag: "ParentTold", status }),
  ChildStopped: childStopped,
  RecordingTold: recordingTold,
  RecordingChanged: recordingChanged,
  RecordingUnreported: unreported,
  ChildPickedUp: childPickedUp,
  SpareHoldReleased: spareHoldReleased
} satisfies Partial<Row>

const ringing: Row = {
  ...always,
  Watch: watched,
  Unwatch: unwatched,
  ProofOfLife: proof,
  Terminate: (call, command, now) => {
    const { cause, source } = command
    return terminated(call, "requested", [...asked(command, now), ...abandoned(call, now, "canceled", cause, source)])
  },
  Update: notAnswered,
  RingTimedOut: rungOut,
  Admitted: admitted,
  NotAdmitted: notAdmitted,
  CallbackSucceeded: toldByCallback,
  CallbackFailed: refusedByCallback,
  ActionOverdue: ignore,
  CoverExtended: ignore,
  CoverRefused: ignore,
  CoverRanOut: ignore,
  MaxDurationReached: ignore,
  SessionLost: ignore,
  HangupUnconfirmed: ignore,
  Settled: ignore,
  HoldReleased: ignore,
  MachineUndetected: ignore,
  DialSurveyed: inReception(dialSurveyed),
  ChildStarted: inReception(childStarted),
  ChildRefused: inReception(childRefused),
  ChildChanged: inReception(childChanged),
  PickUpClaimed: pickUpClaimed
}

const answered: Row = {
  ...always,
  Watch: watched,
  Unwatch: unwatched,
  ProofOfLife: proof,
  Terminate: (call, command, now) => {
    const cause = command.cause === "canceled_by_workspace" ? "normal_clearing" : command.cause
    return terminated(call, "requested", [
      ...asked(command, now),
      completed(call, { at: now, now, cause, source: command.source })
    ])
  },
  Update: updateCall,
  Admitted: ignore,
  NotAdmitted: ignore,
  RingTimedOut: ignore,
  CallbackSucceeded: callbackSucceeded,
  CallbackFailed: callbackFailed,
  ActionOverdue: actionOverdue,
  MachineUndetected: (call, _command, now) =>
    call.detect_until === null ? nothing : happened(...machineDetected(call, "unknown", null, now)),
  CoverExtended: (call, { available_minor, minutes }, now) =>
    minutes <= call.covered_minutes
      ? nothing
      : happened(
          { _tag: "CoverExtended", minutes },
          ...limited(call, { at: now, available_minor, covered_minutes: minutes })
        ),
  CoverRefused: coverRefused,
  CoverRanOut: cutOff,
  MaxDurationReached: (call, _command, now) =>
    happened(
      completed(call, {
        at: call.answered_at! + call.facts.max_duration_seconds * 1000,
        now,
        cause: "max_duration",
        source: "platform"
      })
    ),
  SessionLost: lost,
  HangupUnconfirmed: ignore,
  Settled: ignore,
  HoldReleased: ignore,
  DialSurveyed: dialSurveyed,
  ChildStarted: childStarted,
  ChildRefused: childRefused,
  ChildChanged: childChanged,
  PickUpClaimed: ignore
}

const over = {
  ...always,
  Watch: ignore,
  Unwatch: ignore,
  Admitted: ignore,
  NotAdmitted: ignore,
  Update: notAnswered,
  RingTimedOut: ignore,
  CallbackSucceeded: ignore,
  CallbackFailed: ignore,
  ActionOverdue: ignore,
  CoverExtended: ignore,
  CoverRefused: ignore,
  CoverRanOut: ignore,
  MaxDurationReached: ignore,
  SessionLost: ignore,
  HangupUnconfirmed: unconfirmed,
  MachineUndetected: ignore,
  DialSurveyed: ignore,
  ChildStarted: childStarted,
  ChildRefused: ignore,
  ChildChanged: childChanged,
  PickUpClaimed: ignore
} satisfies Partial<Row>

const settling: Row = {
  ...over,
  ProofOfLife: hangUpAgain,
  Terminate: (call) => terminated(call, "already_requested"),
  Settled: ({ turns }, { cost_minor }, now) => {
    const transcribed: ReadonlyArray<CallEvent> = turns === undefined ? [] : [{ _tag: "Transcribed", at: now }]
    return happened({ _tag: "Settled", at: now, cost_minor }, ...transcribed)
  },
  HoldReleased: ignore
}

const ended: Row = {
  ...over,
  ProofOfLife: hangUpAgain,
  Terminate: (call) => terminated(call, "already_ended"),
  Settled: ignore,
  HoldReleased: (call) => (call.hold_open ? happened({ _tag: "HoldReleased" }) : nothing)
}

const table = { ringing, answered, settling, ended }

const none = () => nothing

/** Asked of a call that was never placed: the PBX may speak of sessions that the engine does not know. */
const absent: Rules<Call, CallCommands, CallEvent> = {
  ...allBut(CallCommands, ["Originate", "Incoming", "PbxReported", "ProofOfLife", "Doubted"], () =>
    refuse(new CallNotFound())
  ),
  Originate: originate,
  Incoming: received,
  PbxReported: () => Result.succeed({ events: [], reply: "ignored_late" }),
  ProofOfLife: none,
  Doubted: none
}

const rulesOf = (call: Call) =>
  (!isPlaced(call) || call.phase === "absent" ? absent : table[call.phase]) as Rules<Call, CallCommands, CallEvent>

export const decideCall = decideBy<Call, CallCommands, CallEvent>(rulesOf)
