// What must be going on while a call is as it is. Nothing else starts or stops anything.
import { deadline, task, type Work } from "../Decision.ts"
import type { PbxCommand } from "../pbx/PbxCommand.ts"
import { billOf } from "./Bill.ts"
import { actionTimeout_ms } from "./ActionTimeouts.ts"
import { type Call, currentAction, isKnown, isPlaced, type PlacedCall, statusOf } from "./Call.ts"
import type { CallMessage } from "./CallCommand.ts"
import type { CallStatus, HangupCause } from "./CallRecord.ts"
import { planRecordings, recordingWanted, type TellRecording } from "./CallRecordings.ts"
import { askAt, coverEnds, cutOffAt, givesUpAt, lostAt, rangUnseen, ringEnds, ringTimeoutAt } from "./Deadlines.ts"
import { type Dial, type DialLeg, dueLegs } from "./Dial.ts"
import {
  actionCommand,
  answerCommand,
  bridgeCommand,
  cutCommand,
  hangupCommand,
  limitCommand,
  originateCommand,
  recordCommand,
  snapshotCommand,
  switchCommand
} from "./PbxCommands.ts"
import type { Question } from "./Script.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

export type CallWork =
  /** Sent until the gateway acknowledges it; not begun after `until`. */
  | { readonly _tag: "SendToPbx"; readonly gateway_id: string; readonly command: PbxCommand; readonly until?: number }
  | { readonly _tag: "AskCallback"; readonly step: number; readonly question: Question; readonly answer_by: number }
  | {
      readonly _tag: "ExtendCover"
      readonly workspace_id: WorkspaceId
      readonly minutes: number
      readonly amount_minor: number
    }
  | {
      readonly _tag: "Settle"
      readonly workspace_id: WorkspaceId
      readonly cost_minor: number
      readonly description: string
    }
  | { readonly _tag: "ReleaseHold"; readonly workspace_id: WorkspaceId }
  | { readonly _tag: "Admit" }
  | { readonly _tag: "SurveyDial"; readonly step: number }
  | { readonly _tag: "StartChild"; readonly step: number; readonly leg: DialLeg }
  | { readonly _tag: "StopChild"; readonly child_call_id: string; readonly cause: HangupCause }
  | { readonly _tag: "ReleaseSpareHold"; readonly workspace_id: WorkspaceId; readonly hold_id: string }
  | { readonly _tag: "ClaimPickUp"; readonly parent_call_id: string }
  | { readonly _tag: "TellParent"; readonly parent_call_id: string; readonly status: CallStatus }
  | TellRecording

type Plan = ReadonlyArray<Work<CallMessage, CallWork>>

/** The next minute is paid for so long before it begins. */
const cover_ahead_ms = 10_000
/** A gap in the PBX's events is waited for so long before the PBX is asked. */
const gap_patience_ms = 2_000
const when = (wanted: boolean, plan: () => Plan): Plan => (wanted ? plan() : [])

const send = (call: PlacedCall, command: PbxCommand, at?: number): Work<CallMessage, CallWork> =>
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
  const { parent_call_id } = call.facts
  const status = statusOf(call)
  if (parent_call_id === null || call.told_parent === status) return []
  return [task(`parent:${status}`, { _tag: "TellParent", parent_call_id, status })]
}

/** Asked once more when a leg that was not found turns out to exist. The money goes back when no leg is left to take it. */
const letGo = (call: PlacedCall): Plan => [
  ...call.stopping.map(({ call_id: child_call_id, cause }) =>
    task(`stop:${child_call_id}${isKnown(call, child_call_id) ? "" : ":unheard"}`, {
      _tag: "StopChild" as const,
      child_call_id,
      cause
    })
  ),
  ...when(call.stopping.length === 0, () =>
    call.spare_hold_ids.map((hold_id) =>
      task(`spare:${hold_id}`, { _tag: "ReleaseSpareHold", workspace_id: call.facts.workspace_id, hold_id })
    )
  )
]

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

/** An inbound call on its way to an answer. */
const receiving = (call: PlacedCall): Plan => {
  switch (call.reception?.step) {
    case undefined:
      return []
    case "admitting":
      return [task("admit", { _tag: "Admit" })]
    case "asking":
    case "forwarding":
      return [...script(call), ...letGo(call)]
    case "answering":
      return [send(call, answerCommand(call)), ...letGo(call)]
  }
}

const ringing = (call: PlacedCall): Plan => [
  ...when(rangUnseen(call), () => [send(call, snapshotCommand(call, `rang:${call.resumed_at}`))]),
  ...when(call.pbx.seq === 0 && !rangUnseen(call), () => dialling(call)),
  deadline("ring", ringTimeoutAt(call), { _tag: "RingTimedOut" }),
  ...receiving(call),
  ...recording(call),
  ...when(call.picked_up !== null, () => [
    task("claim", { _tag: "ClaimPickUp", parent_call_id: call.facts.parent_call_id! })
  ]),
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
    task(
      `cover:${minutes + 1}`,
      { _tag: "ExtendCover", workspace_id, minutes: minutes + 1, amount_minor },
      coverEnds(call) - cover_ahead_ms
    ),
    deadline(`cutoff:${minutes}`, cutOffAt(call), { _tag: "CoverRanOut", minutes })
  ]
}

const legs = (call: PlacedCall, dial: Dial, step: number): Plan => {
  if (!dial.surveyed) return [task(`survey:${step}`, { _tag: "SurveyDial", step })]
  return [
    ...dueLegs(dial).map((leg) => task(`dial:${leg.call_id}`, { _tag: "StartChild" as const, step, leg })),
    ...dial.legs.flatMap((leg, nth) => (leg.phase === "joined" ? [send(call, bridgeCommand(call, leg, nth))] : []))
  ]
}

const script = (call: PlacedCall): Plan => {
  if (call.script === null) return []
  const { cut_command_id, question, since, step } = call.script
  const cut = when(cut_command_id !== null, () => [send(call, cutCommand(call, cut_command_id!))])
  if (question !== null) {
    const { answer_by } = question
    return answer_by === null
      ? cut
      : [...cut, task(`callback:${step}`, { _tag: "AskCallback", step, question, answer_by })]
  }
  if (call.dial !== null) return [...cut, ...legs(call, call.dial, step)]
  const action = currentAction(call)
  if (action === undefined) return cut
  const command = actionCommand(call)
  const overdue = deadline(`overdue:${step}`, since + actionTimeout_ms(action), {
    _tag: "ActionOverdue" as const,
    step
  })
  return [...cut, ...(command === undefined ? [] : [send(call, command)]), overdue]
}

/** How long the PBX may let it talk by itself, where the money has changed that. */
const limit = (call: PlacedCall): Plan => {
  const command = limitCommand(call)
  return command === undefined ? [] : [send(call, command)]
}

/** Who has answered is awaited no longer than was asked. */
const detection = (call: PlacedCall): Plan =>
  call.detect_until === null ? [] : [deadline("detect", call.detect_until, { _tag: "MachineUndetected" })]

const switches = (call: PlacedCall): Plan =>
  (["mute", "hold"] as const).flatMap((kind) => {
    const switched = call[kind]
    return switched === null ? [] : [send(call, switchCommand(call, kind, switched))]
  })

const answered = (call: PlacedCall): Plan => {
  const proof_at = String(call.pbx.proof_at)
  return [
    ...script(call),
    ...detection(call),
    ...switches(call),
    ...limit(call),
    ...recording(call),
    ...cover(call),
    deadline("max", call.answered_at! + call.facts.max_duration_seconds * 1000, { _tag: "MaxDurationReached" }),
    send(call, snapshotCommand(call, proof_at), askAt(call)),
    deadline("lost", lostAt(call), { _tag: "SessionLost" }),
    ...gap(call),
    ...doubt(call),
    ...letGo(call),
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
    ...letGo(call)
  ]
}

const settling = (call: PlacedCall): Plan => {
  const { billed_seconds, cost_minor } = billOf(call)
  const { direction, from, to } = call.facts
  const description = `Call ${direction === "inbound" ? `from ${from}` : `to ${to}`}, ${billed_seconds} s`
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
