// What must be going on while a call is as it is. Nothing else starts or stops anything.
import { deadline, task, type Work } from "../Decision.ts"
import type { PbxCommand } from "../pbx/PbxCommand.ts"
import { billOf } from "./Bill.ts"
import { type Call, currentAction, isKnown, isPlaced, type PlacedCall, statusOf } from "./Call.ts"
import type { CallCommand } from "./CallCommand.ts"
import type { CallStatus } from "./CallRecord.ts"
import { planRecordings, recordingWanted, type TellRecording } from "./CallRecordings.ts"
import { askAt, coverEnds, cutOffAt, givesUpAt, lostAt, rangUnseen, ringEnds, ringTimeoutAt } from "./Deadlines.ts"
import { bridgeCommand, hangupCommand, originateCommand, recordCommand, sayCommand, snapshotCommand } from "./PbxCommands.ts"

export type CallWork =
  /** Sent until the gateway acknowledges it; not begun after `until`. */
  | { readonly _tag: "SendToPbx"; readonly gateway_id: string; readonly command: PbxCommand; readonly until?: number }
  | { readonly _tag: "AskCallback"; readonly answer_by: number }
  | { readonly _tag: "ExtendCover"; readonly workspace_id: string; readonly minutes: number; readonly amount_minor: number }
  | { readonly _tag: "Settle"; readonly workspace_id: string; readonly cost_minor: number; readonly description: string }
  | { readonly _tag: "ReleaseHold"; readonly workspace_id: string }
  | { readonly _tag: "StartChild"; readonly index: number; readonly child_call_id: string }
  | { readonly _tag: "StopChild"; readonly child_call_id: string }
  | { readonly _tag: "TellParent"; readonly parent_call_id: string; readonly session_id: string; readonly status: CallStatus }
  | TellRecording

type Plan = ReadonlyArray<Work<CallCommand, CallWork>>

/** The next minute is paid for so long before it begins. */
const cover_ahead_ms = 10_000
/** A gap in the PBX's events is waited for so long before the PBX is asked. */
const gap_patience_ms = 2_000
/** Speech that the PBX does not report the end of is taken to be over after this and 100 ms a character. */
const say_patience_ms = 60_000

const when = (wanted: boolean, plan: () => Plan): Plan => (wanted ? plan() : [])

const send = (call: PlacedCall, command: PbxCommand, at?: number): Work<CallCommand, CallWork> =>
  task(command.id, { _tag: "SendToPbx", gateway_id: call.facts.gateway_id, command }, at)

const gap = (call: PlacedCall): Plan => {
  const { gap_since, seq } = call.pbx
  return gap_since === null ? [] : [send(call, snapshotCommand(call, `after:${seq}`), gap_since + gap_patience_ms)]
}

/** Asked at once: the session is gone, or its gateway has not counted it. */
const doubt = (call: PlacedCall): Plan => {
  const { doubted_at = 0, proof_at } = call.pbx
  return doubted_at > proof_at ? [send(call, snapshotCommand(call, `doubted:${doubted_at}`))] : []
}

/** What the call that dialled this one must still hear: from its birth on, lest it ring for a call that is over. */
const parent = (call: PlacedCall): Plan => {
  const { parent_call_id, session_id } = call.facts
  const status = statusOf(call)
  if (parent_call_id === null || call.told_parent === status) return []
  return [task(`parent:${status}`, { _tag: "TellParent", parent_call_id, session_id, status })]
}

/** Asked once more when a leg that was not found turns out to exist. */
const stop = (call: PlacedCall): Plan =>
  call.stopping_call_ids.map((child_call_id) =>
    task(`stop:${child_call_id}${isKnown(call, child_call_id) ? "" : ":unheard"}`, { _tag: "StopChild", child_call_id })
  )

/** A phone that the engine never rang, because it was away, is not rung late. */
const dialling = (call: PlacedCall): Plan => {
  const command = originateCommand(call)
  return [task(command.id, { _tag: "SendToPbx", gateway_id: call.facts.gateway_id, command, until: ringEnds(call) })]
}

/** Asked for while it rings: the PBX itself begins with the answer, if that is wanted, and misses nothing. */
const recording = (call: PlacedCall): Plan => {
  const wish = recordingWanted(call)
  return wish === undefined ? [] : [send(call, recordCommand(call, wish))]
}

const ringing = (call: PlacedCall): Plan => [
  ...when(rangUnseen(call), () => [send(call, snapshotCommand(call, `rang:${call.resumed_at}`))]),
  ...when(call.pbx.seq === 0 && !rangUnseen(call), () => dialling(call)),
  deadline("ring", ringTimeoutAt(call), { _tag: "RingTimedOut" }),
  ...recording(call),
  ...gap(call),
  ...doubt(call),
  ...parent(call)
]

const cover = (call: PlacedCall): Plan => {
  const { max_duration_seconds, rate_per_min_minor, workspace_id } = call.facts
  const minutes = call.covered_minutes
  if (rate_per_min_minor === 0 || minutes * 60 >= max_duration_seconds) return []
  const amount_minor = (minutes + 1) * rate_per_min_minor
  return [
    task(`cover:${minutes + 1}`, { _tag: "ExtendCover", workspace_id, minutes: minutes + 1, amount_minor }, coverEnds(call) - cover_ahead_ms),
    deadline(`cutoff:${minutes}`, cutOffAt(call), { _tag: "CoverRanOut", minutes })
  ]
}

const script = (call: PlacedCall): Plan => {
  if (call.script === null) return []
  const { actions, answer_by, index, since } = call.script
  if (actions === null) return [task("callback", { _tag: "AskCallback", answer_by })]
  const action = currentAction(call)
  if (action === undefined || "hangup" in action) return []
  if ("say" in action) {
    const { loop = 1, text } = action.say
    return [
      send(call, sayCommand(call, action.say)),
      deadline(`say:${index}`, since + say_patience_ms + text.length * loop * 100, { _tag: "ActionOverdue", index })
    ]
  }
  const { dial } = call
  if (dial === null) return []
  if (!dial.started) return [task(`dial:${index}`, { _tag: "StartChild", index, child_call_id: dial.call_id })]
  return dial.session_id === null ? [] : [send(call, bridgeCommand(call, dial.session_id))]
}

const answered = (call: PlacedCall): Plan => {
  const proof_at = String(call.pbx.proof_at)
  return [
    ...script(call),
    ...recording(call),
    ...cover(call),
    deadline("max", call.answered_at! + call.facts.max_duration_seconds * 1000, { _tag: "MaxDurationReached" }),
    send(call, snapshotCommand(call, proof_at), askAt(call)),
    deadline("lost", lostAt(call), { _tag: "SessionLost" }),
    ...gap(call),
    ...doubt(call),
    ...stop(call),
    ...parent(call)
  ]
}

/** The talk is over; the PBX must end the session unless it said so itself, and so must the leg that was dialled. */
const over = (call: PlacedCall): Plan => {
  const { closed } = call.pbx
  return [
    ...when(!closed, () => [
      send(call, hangupCommand(call)),
      deadline("unconfirmed", givesUpAt(call), { _tag: "HangupUnconfirmed" })
    ]),
    ...stop(call)
  ]
}

const settling = (call: PlacedCall): Plan => {
  const { billed_seconds, cost_minor } = billOf(call)
  const description = `Call to ${call.facts.to}, ${billed_seconds} s`
  const settle: CallWork = { _tag: "Settle", workspace_id: call.facts.workspace_id, cost_minor, description }
  return [task("settle", settle), ...over(call)]
}

const ended = (call: PlacedCall): Plan => [
  ...when(call.hold_open, () => [task("release", { _tag: "ReleaseHold", workspace_id: call.facts.workspace_id })]),
  ...over(call),
  ...parent(call)
]

const plans = { ringing, answered, settling, ended }

const withRecordings = (call: PlacedCall, plan: Plan): Plan =>
  call.recordings === undefined ? plan : [...plan, ...planRecordings(call)]

export const planCall = (call: Call): Plan =>
  isPlaced(call) && call.phase !== "absent" ? withRecordings(call, plans[call.phase](call)) : []
