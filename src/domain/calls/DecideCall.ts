// The call's rules: for each phase, what each command makes happen. docs/calls.md tells the same table to customers.
import { Result } from "effect"
import type { Decided } from "../Decision.ts"
import { CallNotFound } from "../errors/CallErrors.ts"
import { type Call, isKnown, isPlaced, type PlacedCall } from "./Call.ts"
import type { CallCommand } from "./CallCommand.ts"
import { type CallEvent, evolveCall } from "./CallEvent.ts"
import type { CallStatus } from "./CallRecord.ts"
import { recordingsOf } from "./CallRecordings.ts"
import type { CallReply, Termination } from "./CallReply.ts"
import { callRecord } from "./CallView.ts"
import { coverEnds, cutOffAt, givesUpAt, lostAt, ringTimeoutAt, wasAway } from "./Deadlines.ts"
import { decidePbxEvent } from "./DecidePbxEvent.ts"
import { abandoned, advanced, completed } from "./EndCall.ts"

type Answer = Decided<CallEvent, CallReply>
type CommandOf<Tag extends CallCommand["_tag"]> = Extract<CallCommand, { readonly _tag: Tag }>
type Rule<Tag extends CallCommand["_tag"]> = (call: PlacedCall, command: CommandOf<Tag>, now: number) => Answer

const noted: CallReply = { _tag: "Noted" }
const happened = (...events: ReadonlyArray<CallEvent>): Answer => Result.succeed({ events, reply: noted })
const nothing: Answer = Result.succeed({ events: [], reply: noted })
const ignore = () => nothing

const placed = (call: PlacedCall): Answer =>
  Result.succeed({ events: [], reply: { _tag: "Placed", record: callRecord(call) } })

const originate = (call: Call, { facts }: CommandOf<"Originate">): Answer => {
  const event: CallEvent = { _tag: "Originated", facts }
  return Result.succeed({
    events: [event],
    reply: { _tag: "Placed", record: callRecord(evolveCall(call, event) as PlacedCall) }
  })
}

const terminated = (call: PlacedCall, termination: Termination, events: ReadonlyArray<CallEvent> = []): Answer =>
  Result.succeed({
    events,
    reply: { _tag: "Terminated", termination, record: callRecord(events.reduce(evolveCall, call as Call) as PlacedCall) }
  })

const callbackFailed: Rule<"CallbackFailed"> = (call, command, now) => {
  if (call.script === null || call.script.actions !== null) return nothing
  const { _tag, ...failure } = command
  return happened(
    { _tag, at: now, ...failure },
    completed(call, { at: now, now, cause: command.cause, source: "platform" })
  )
}

const childChanged: Rule<"ChildChanged"> = (call, { child_call_id, session_id, status }, now) => {
  if (call.dial?.call_id !== child_call_id) return stray(call, child_call_id, status)
  const added: ReadonlyArray<CallEvent> = call.dial.started ? [] : [{ _tag: "ChildAdded", child_call_id }]
  if (status === "ringing") return happened(...added)
  if (status !== "answered") return happened(...advanced(call, [...added, { _tag: "ActionDone", at: now }], now))
  return call.dial.session_id === null ? happened(...added, { _tag: "ChildAnswered", session_id }) : nothing
}

/** A leg that this call does not wait for, because it ended or went on meanwhile, is taken down. */
const orphaned = (call: PlacedCall, child_call_id: string): Answer =>
  call.stopping_call_ids.includes(child_call_id) && isKnown(call, child_call_id)
    ? nothing
    : happened({ _tag: "ChildOrphaned", child_call_id })

const stray = (call: PlacedCall, child_call_id: string, status: CallStatus): Answer => {
  if (status === "ringing" || status === "answered") return orphaned(call, child_call_id)
  return isKnown(call, child_call_id) ? nothing : happened({ _tag: "ChildAdded", child_call_id })
}

/** A leg that was not found and has been heard of since is looked for again. */
const childStopped: Rule<"ChildStopped"> = (call, { child_call_id, found }) =>
  call.stopping_call_ids.includes(child_call_id) && (found || !isKnown(call, child_call_id))
    ? happened({ _tag: "ChildStopped", child_call_id })
    : nothing

const rungOut: Rule<"RingTimedOut"> = (call, _command, now) => {
  const due = ringTimeoutAt(call)
  if (now < due) return nothing
  if (wasAway(due, now)) return happened({ _tag: "Resumed", at: now })
  return happened(abandoned(now, "no_answer", "ring_timeout", "platform"))
}

const cutOff: Rule<"CoverRanOut"> = (call, { minutes }, now) => {
  const due = cutOffAt(call)
  if (minutes !== call.covered_minutes || now < due) return nothing
  if (call.refused_minute === null && wasAway(due, now)) return happened({ _tag: "Resumed", at: now })
  return happened(completed(call, { at: coverEnds(call), now, cause: "balance_exhausted", source: "platform" }))
}

const lost: Rule<"SessionLost"> = (call, _command, now) => {
  const due = lostAt(call)
  if (now < due) return nothing
  if (wasAway(due, now)) return happened({ _tag: "Resumed", at: now })
  return happened(completed(call, { at: call.pbx.proof_at, now, cause: "session_lost", source: "carrier" }))
}

const proof: Rule<"ProofOfLife"> = (_call, { at }) =>
  Result.succeed({ events: [{ _tag: "Proved", at }], reply: noted, volatile: true })

/** The session outlived the call, by a hang-up that was given up or by an answer that crossed it: it is ended again. */
/** Before the PBX has said anything of a session it may not have been told to set it up. */
const doubted: Rule<"Doubted"> = (call, { at }) => {
  const lives = call.phase === "ringing" || call.phase === "answered"
  return lives && call.pbx.seq > 0 && call.pbx.proof_at < at
    ? Result.succeed({ events: [{ _tag: "Doubted", at }], reply: noted, volatile: true })
    : nothing
}

const zombie: Rule<"ProofOfLife"> = (call, { at }) =>
  call.pbx.closed && at > givesUpAt(call) ? happened({ _tag: "AnswerIgnored", at }) : nothing

const unconfirmed: Rule<"HangupUnconfirmed"> = (call, _command, now) => {
  const due = givesUpAt(call)
  if (call.pbx.closed || now < due) return nothing
  return happened(wasAway(due, now) ? { _tag: "Resumed", at: now } : { _tag: "PbxClosed" })
}

const recordingTold: Rule<"RecordingTold"> = (call, { recording_id, told }) =>
  recordingsOf(call).some((recording) => recording.id === recording_id && recording.told !== told && recording.told !== "outcome")
    ? happened({ _tag: "RecordingTold", recording_id, told })
    : nothing

const recordingChanged: Rule<"RecordingChanged"> = (call, command, now) =>
  recordingsOf(call).some(({ id, status }) => id === command.recording_id && status !== command.status)
    ? happened({ ...command, at: now })
    : nothing

const unreported: Rule<"RecordingUnreported"> = (call, { recording_id }) =>
  recordingsOf(call).some(({ id, outcome }) => id === recording_id && outcome === null)
    ? happened({ _tag: "RecordingEnded", recording_id, outcome: { error: "unreported" } })
    : nothing

type Row = { readonly [Tag in CallCommand["_tag"]]: Rule<Tag> }

const always = {
  Doubted: doubted,
  Originate: placed,
  PbxReported: (call: PlacedCall, { event }: CommandOf<"PbxReported">, now: number) => decidePbxEvent(call, event, now),
  ParentTold: (call: PlacedCall, { status }: CommandOf<"ParentTold">) =>
    call.told_parent === status ? nothing : happened({ _tag: "ParentTold", status }),
  ChildStopped: childStopped,
  RecordingTold: recordingTold,
  RecordingChanged: recordingChanged,
  RecordingUnreported: unreported
} satisfies Partial<Row>

const ringing: Row = {
  ...always,
  ProofOfLife: proof,
  Terminate: (call, { cause, source }, now) =>
    terminated(call, "requested", [abandoned(now, "canceled", cause, source)]),
  RingTimedOut: rungOut,
  CallbackSucceeded: ignore,
  CallbackFailed: ignore,
  ActionOverdue: ignore,
  CoverExtended: ignore,
  CoverRefused: ignore,
  CoverRanOut: ignore,
  MaxDurationReached: ignore,
  SessionLost: ignore,
  HangupUnconfirmed: ignore,
  Settled: ignore,
  HoldReleased: ignore,
  ChildStarted: ignore,
  ChildRefused: ignore,
  ChildChanged: ignore
}

const answered: Row = {
  ...always,
  ProofOfLife: proof,
  Terminate: (call, { cause, source }, now) =>
    terminated(call, "requested", [completed(call, {
      at: now,
      now,
      cause: cause === "canceled_by_workspace" ? "normal_clearing" : cause,
      source
    })]),
  RingTimedOut: ignore,
  CallbackSucceeded: (call, { actions }, now) =>
    call.script === null || call.script.actions !== null
      ? nothing
      : happened(...advanced(call, [{ _tag: "CallbackAnswered", at: now, actions }], now)),
  CallbackFailed: callbackFailed,
  ActionOverdue: (call, { index }, now) =>
    call.script?.index === index && call.script.actions !== null
      ? happened(...advanced(call, [{ _tag: "ActionDone", at: now }], now))
      : nothing,
  CoverExtended: (call, { minutes }) =>
    minutes > call.covered_minutes ? happened({ _tag: "CoverExtended", minutes }) : nothing,
  CoverRefused: (call, { minutes }, now) =>
    call.refused_minute === minutes || minutes <= call.covered_minutes ? nothing : happened({
      _tag: "BalanceWentLow",
      at: now,
      minutes,
      remaining_seconds: Math.max(0, Math.ceil((coverEnds(call) - now) / 1000))
    }),
  CoverRanOut: cutOff,
  MaxDurationReached: (call, _command, now) =>
    happened(completed(call, {
      at: call.answered_at! + call.facts.max_duration_seconds * 1000,
      now,
      cause: "max_duration",
      source: "platform"
    })),
  SessionLost: lost,
  HangupUnconfirmed: ignore,
  Settled: ignore,
  HoldReleased: ignore,
  ChildStarted: (call, { child_call_id }) =>
    call.dial?.call_id === child_call_id && !call.dial.started ? happened({ _tag: "ChildAdded", child_call_id }) : nothing,
  ChildRefused: (call, { cause, detail, index }, now) =>
    call.dial !== null && !call.dial.started && call.script?.index === index
      ? happened(...advanced(call, [{ _tag: "DialRefused", at: now, cause, detail }, { _tag: "ActionDone", at: now }], now))
      : nothing,
  ChildChanged: childChanged
}

const over = {
  ...always,
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
  ChildStarted: (call: PlacedCall, { child_call_id }: CommandOf<"ChildStarted">) => orphaned(call, child_call_id),
  ChildRefused: ignore,
  ChildChanged: (call: PlacedCall, { child_call_id, status }: CommandOf<"ChildChanged">) =>
    stray(call, child_call_id, status)
} satisfies Partial<Row>

const settling: Row = {
  ...over,
  ProofOfLife: ignore,
  Terminate: (call) => terminated(call, "already_requested"),
  Settled: (_call, { cost_minor }, now) => happened({ _tag: "Settled", at: now, cost_minor }),
  HoldReleased: ignore
}

const ended: Row = {
  ...over,
  ProofOfLife: zombie,
  Terminate: (call) => terminated(call, "already_ended"),
  Settled: ignore,
  HoldReleased: (call) => (call.hold_open ? happened({ _tag: "HoldReleased" }) : nothing)
}

const table = { ringing, answered, settling, ended }

/** Asked of a call that was never placed: the PBX may speak of sessions that the engine does not know. */
const absent = (call: Call, command: CallCommand): Answer => {
  if (command._tag === "Originate") return originate(call, command)
  if (command._tag === "PbxReported") return Result.succeed({ events: [], reply: { _tag: "Reported", outcome: "ignored_late" } })
  return command._tag === "ProofOfLife" || command._tag === "Doubted" ? nothing : Result.fail(new CallNotFound())
}

export const decideCall = (call: Call, command: CallCommand, now: number): Answer => {
  if (!isPlaced(call) || call.phase === "absent") return absent(call, command)
  // A heartbeat speaks for the sessions of its own tenant.
  if (command._tag === "ProofOfLife" && command.tenant_pbx_id !== call.facts.tenant_pbx_id) return nothing
  const rule = table[call.phase][command._tag] as (call: PlacedCall, command: CallCommand, now: number) => Answer
  return rule(call, command, now)
}
