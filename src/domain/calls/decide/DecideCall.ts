// The rules of a call: what each command does in each phase. docs/calls.md has the same table for customers.
import { Result } from "effect"
import { allBut, type Decide, decideBy, refuse, type Rules } from "../../Command.ts"
import { CallNotFound, CallNotInProgress } from "../../errors/CallErrors.ts"
import { ServiceUnavailable } from "../../errors/GeneralErrors.ts"
import {
  type AbsentCall,
  type AnsweredCall,
  type Call,
  type EndedCall,
  type PlacedCall,
  type RingingCall,
  type SettlingCall
} from "../state/Call.ts"
import {
  CallCommands,
  type CallMessage,
  type CallRules,
  type RulesFor,
  type Termination
} from "../state/CallCommand.ts"
import type { CallEvent, CallEventOf } from "../state/CallEvent.ts"
import { conferenceRules } from "./CallConferences.ts"
import { endStreams, streamUnreported } from "./CallStreams.ts"
import { advanced } from "./AdvanceScript.ts"
import { callRecord } from "../views/CallView.ts"
import {
  actionOverdue,
  callbackFailed,
  callbackSucceeded,
  cutOff,
  machineUndetected,
  maxDurationReached,
  minutePrepaid,
  minuteRefused,
  sessionLost
} from "./DecideAnswered.ts"
import { happened, nothing } from "../state/Decided.ts"
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
import {
  admitted,
  inSetup,
  notAdmitted,
  received,
  setupCallbackFailed,
  setupCallbackSucceeded
} from "./DecideInbound.ts"
import { decidePbxEvent } from "./DecidePbxEvent.ts"
import {
  hangUpAgain,
  hangupOverdue,
  hangupUnconfirmed,
  recordingChanged,
  recordingNotified,
  recordingUnreported,
  sessionConfirmed,
  sessionUnlisted,
  viewerJoined,
  viewerLeft
} from "./DecideSession.ts"
import { isPlacedLate, ringTimeoutAt, wasAway } from "../state/Deadlines.ts"
import { abandoned, completed } from "./EndCall.ts"
import { evolveAll, originateCall } from "./EvolveCall.ts"
import { limitTalk } from "../state/MaxTalkTime.ts"
import { updateCall } from "./UpdateCall.ts"

const ignore = () => nothing

const originate = (call: AbsentCall, { available_minor, facts }: CallMessage<"Originate">, now: number) => {
  if (isPlacedLate(facts, now)) return refuse(new ServiceUnavailable())
  const event: CallEventOf<"Originated"> = { _tag: "Originated", facts }
  const placed = originateCall(call, event)
  return Result.succeed({
    events: [event, ...limitTalk(placed, { at: facts.created_at, available_minor })],
    reply: callRecord(placed)
  })
}

const terminated = (call: PlacedCall, termination: Termination, events: ReadonlyArray<CallEvent> = []) =>
  Result.succeed({ events, reply: { termination, record: callRecord(evolveAll(call, events)) } })

/** For the audit log, before the end itself. */
const requested = ({ origin, reason }: CallMessage<"Terminate">, at: number): ReadonlyArray<CallEvent> =>
  origin === undefined ? [] : [{ _tag: "TerminationRequested", at, origin, reason: reason ?? null }]

const notInProgress = () => refuse(new CallNotInProgress())

const ringTimedOut: RulesFor<RingingCall>["RingTimedOut"] = (call, _command, now) => {
  const due = ringTimeoutAt(call)
  if (now < due) return nothing
  if (wasAway(due, now)) return happened({ _tag: "Resumed", at: now })
  const cause = call.picked_up === null ? "ring_timeout" : "normal_clearing"
  return happened(...abandoned(call, now, "no_answer", cause, "platform"))
}

const inEveryPhase = {
  Incoming: (call, { event }, now) => decidePbxEvent(call, event, now),
  ClockSet: (_call, { by_ms }) => happened({ _tag: "ClockSet", by_ms }),
  RecentTranscript: (call) => Result.succeed({ events: [], reply: call.said ?? [] }),
  SessionUnlisted: sessionUnlisted,
  Originate: (call) => Result.succeed({ events: [], reply: callRecord(call) }),
  PbxReported: (call, { event }, now) => decidePbxEvent(call, event, now),
  ParentNotified: (call, { status }) =>
    call.told_parent === status ? nothing : happened({ _tag: "ParentNotified", status }),
  ChildStopped: childStopped,
  RecordingNotified: recordingNotified,
  RecordingChanged: recordingChanged,
  RecordingUnreported: recordingUnreported,
  StreamUnreported: (call, { stream_id }, now) =>
    happened(...advanced(call, streamUnreported(call, stream_id, now), now)),
  ...conferenceRules,
  ChildPickedUp: childPickedUp,
  SpareHoldReleased: spareHoldReleased
} satisfies Partial<CallRules>

const ringing: RulesFor<RingingCall> = {
  ...inEveryPhase,
  AddViewer: viewerJoined,
  RemoveViewer: viewerLeft,
  ProofOfLife: sessionConfirmed,
  Terminate: (call, command, now) => {
    const { cause, source } = command
    const events = [...requested(command, now), ...abandoned(call, now, "canceled", cause, source)]
    return terminated(call, "requested", events)
  },
  Update: notInProgress,
  RingTimedOut: ringTimedOut,
  Admitted: admitted,
  NotAdmitted: notAdmitted,
  CallbackSucceeded: setupCallbackSucceeded,
  CallbackFailed: setupCallbackFailed,
  ActionOverdue: ignore,
  MinutePrepaid: ignore,
  MinuteRefused: ignore,
  PrepaidTimeEnded: ignore,
  MaxDurationReached: ignore,
  SessionLost: ignore,
  HangupUnconfirmed: ignore,
  HangupOverdue: ignore,
  Settled: ignore,
  HoldReleased: ignore,
  MachineUndetected: ignore,
  DialSurveyed: inSetup(dialSurveyed),
  ChildStarted: inSetup(childStarted),
  ChildRefused: inSetup(childRefused),
  ChildChanged: inSetup(childChanged),
  PickUpClaimed: pickUpClaimed
}

const answered: RulesFor<AnsweredCall> = {
  ...inEveryPhase,
  AddViewer: viewerJoined,
  RemoveViewer: viewerLeft,
  ProofOfLife: sessionConfirmed,
  Terminate: (call, command, now) => {
    const cause = command.cause === "canceled_by_workspace" ? "normal_clearing" : command.cause
    const end = completed(call, { at: now, now, cause, source: command.source })
    return terminated(call, "requested", [...requested(command, now), end])
  },
  Update: updateCall,
  Admitted: ignore,
  NotAdmitted: ignore,
  RingTimedOut: ignore,
  CallbackSucceeded: callbackSucceeded,
  CallbackFailed: callbackFailed,
  ActionOverdue: actionOverdue,
  MachineUndetected: machineUndetected,
  MinutePrepaid: minutePrepaid,
  MinuteRefused: minuteRefused,
  PrepaidTimeEnded: cutOff,
  MaxDurationReached: maxDurationReached,
  SessionLost: sessionLost,
  HangupUnconfirmed: ignore,
  HangupOverdue: ignore,
  Settled: ignore,
  HoldReleased: ignore,
  DialSurveyed: dialSurveyed,
  ChildStarted: childStarted,
  ChildRefused: childRefused,
  ChildChanged: childChanged,
  PickUpClaimed: ignore
}

const afterTheEnd = {
  ...inEveryPhase,
  AddViewer: ignore,
  RemoveViewer: ignore,
  ProofOfLife: hangUpAgain,
  Admitted: ignore,
  NotAdmitted: ignore,
  Update: notInProgress,
  RingTimedOut: ignore,
  CallbackSucceeded: ignore,
  CallbackFailed: ignore,
  ActionOverdue: ignore,
  MinutePrepaid: ignore,
  MinuteRefused: ignore,
  PrepaidTimeEnded: ignore,
  MaxDurationReached: ignore,
  SessionLost: ignore,
  HangupUnconfirmed: hangupUnconfirmed,
  HangupOverdue: ignore,
  MachineUndetected: ignore,
  DialSurveyed: ignore,
  ChildStarted: childStarted,
  ChildRefused: ignore,
  ChildChanged: childChanged,
  PickUpClaimed: ignore
} satisfies Partial<RulesFor<SettlingCall | EndedCall>>

const settling: RulesFor<SettlingCall> = {
  ...afterTheEnd,
  Terminate: (call) => terminated(call, "already_requested"),
  HangupOverdue: hangupOverdue,
  Settled: (call, { cost_minor }, now) => {
    const transcribed: ReadonlyArray<CallEvent> = call.turns === undefined ? [] : [{ _tag: "Transcribed", at: now }]
    return happened(...endStreams(call, call.ended_at), { _tag: "Settled", at: now, cost_minor }, ...transcribed)
  },
  HoldReleased: ignore
}

const ended: RulesFor<EndedCall> = {
  ...afterTheEnd,
  ClockSet: ignore,
  Terminate: (call) => terminated(call, "already_ended"),
  Settled: ignore,
  HoldReleased: (call) => (call.hold_open ? happened({ _tag: "HoldReleased" }) : nothing)
}

/** A PBX may report sessions that the engine does not know: those reports are not errors. */
const absent: RulesFor<AbsentCall> = {
  ...allBut(CallCommands, ["Originate", "Incoming", "PbxReported", "ProofOfLife", "SessionUnlisted"], () =>
    refuse(new CallNotFound())
  ),
  Originate: originate,
  Incoming: received,
  PbxReported: () => Result.succeed({ events: [], reply: "ignored_late" }),
  ProofOfLife: ignore,
  SessionUnlisted: ignore
}

const byPhase = { absent, ringing, answered, settling, ended }

export const decideCall: Decide<Call, CallCommands, CallEvent> = decideBy<Call, CallCommands, CallEvent>(
  // The compiler cannot follow that the rules of a phase only ever get a call in that phase.
  ({ phase }) => byPhase[phase] as Rules<Call, CallCommands, CallEvent>
)
