// What must be going on while a call is in its present state: tasks and deadlines. Nothing else starts or stops work.
import type { CallId, GatewayId, WorkspaceId } from "../../BrandedIds.ts"
import { deadline, task, type Work } from "../../Decision.ts"
import type { PbxCommand } from "../../pbx/PbxCommand.ts"
import { billOf, isWaivable } from "../state/Bill.ts"
import {
  type AnsweredCall,
  type Call,
  currentAction,
  type EndedCall,
  isKnown,
  type PlacedCall,
  type RingingCall,
  type SettlingCall,
  statusOf
} from "../state/Call.ts"
import type { CallMessage } from "../state/CallCommand.ts"
import type { CallStatus, HangupCause } from "../state/CallRecord.ts"
import { type ConferenceWork, planConferences } from "./CallConferences.ts"
import { type NotifyRecording, planRecordings, recordingWanted } from "../state/CallRecordings.ts"
import {
  backAfterRinging,
  confirmationEnds,
  cutOffAt,
  hangupAwaitedUntil,
  lostAt,
  maxDurationAt,
  prepaidUntil,
  ringEnds,
  ringTimeoutAt,
  snapshotAt
} from "../state/Deadlines.ts"
import { planStreams } from "./CallStreams.ts"
import { type Dial, type DialLeg, dueLegs } from "../state/Dial.ts"
import {
  actionCommand,
  answerCommand,
  bridgeCommand,
  conferenceCommands,
  cutCommand,
  hangupCommand,
  limitCommand,
  originateCommand,
  recordCommand,
  snapshotCommand,
  switchCommand
} from "../state/PbxCommands.ts"
import type { Question } from "../state/Script.ts"
import { unspoken } from "../state/Refusal.ts"
import { actionTimeout_ms, verbOf, type VoiceAction } from "../verbs/VoiceAction.ts"

/** A task of a call. Each may be done twice: its id or key travels with it. */
export type CallWork =
  /** Sent until the gateway acknowledges the command, but not begun after `until`. */
  | {
      readonly _tag: "SendToPbx"
      readonly gateway_id: GatewayId
      readonly command: PbxCommand
      readonly until?: number
    }
  | { readonly _tag: "AskCallback"; readonly step: number; readonly question: Question }
  /** Extends the call's hold to `amount_minor`, which pays for `minutes` minutes. */
  | {
      readonly _tag: "PrepayMinute"
      readonly workspace_id: WorkspaceId
      readonly minutes: number
      readonly amount_minor: number
    }
  | {
      readonly _tag: "Settle"
      readonly workspace_id: WorkspaceId
      readonly cost_minor: number
      readonly description: string
      /** The operator may waive the charge. */
      readonly waivable?: true
    }
  /** `failed`: an outbound call that failed, which the wallet counts. */
  | { readonly _tag: "ReleaseHold"; readonly workspace_id: WorkspaceId; readonly failed?: true }
  /** Holds the first minute of an inbound call. */
  | { readonly _tag: "Admit" }
  /** Checks every destination of the dial. */
  | { readonly _tag: "SurveyDial"; readonly step: number }
  | { readonly _tag: "StartChild"; readonly step: number; readonly leg: DialLeg }
  | { readonly _tag: "StopChild"; readonly child_call_id: CallId; readonly cause: HangupCause }
  | { readonly _tag: "ReleaseSpareHold"; readonly workspace_id: WorkspaceId; readonly hold_id: string }
  /** Asks the parent call to accept this leg. */
  | { readonly _tag: "ClaimPickUp"; readonly parent_call_id: CallId }
  | { readonly _tag: "NotifyParent"; readonly parent_call_id: CallId; readonly status: CallStatus }
  | NotifyRecording
  | ConferenceWork

type Plan = ReadonlyArray<Work<CallMessage, CallWork>>

/** How long before a minute begins it is paid for. */
const prepayAhead_ms = 10_000
/** How long a missing event of the PBX is waited for before a snapshot is requested. */
const gapTimeout_ms = 2_000

const when = (condition: boolean, plan: () => Plan): Plan => (condition ? plan() : [])

const send = (call: PlacedCall, command: PbxCommand, at?: number): Work<CallMessage, CallWork> =>
  task(command.id, { _tag: "SendToPbx", gateway_id: call.facts.gateway_id, command }, at)

const gap = (call: PlacedCall): Plan => {
  const { gap_since, seq } = call.pbx
  return gap_since === null ? [] : [send(call, snapshotCommand(call, `after:${seq}`), gap_since + gapTimeout_ms)]
}

/** An unlisted session is gone, or its gateway has not listed it correctly: a snapshot tells. */
const unlisted = (call: PlacedCall): Plan => {
  const { doubted_at = 0, proof_at } = call.pbx
  return doubted_at > proof_at ? [send(call, snapshotCommand(call, `doubted:${doubted_at}`))] : []
}

/** The parent call must know each status, beginning with `ringing`: it may have ended, and must then stop this leg. */
const parent = (call: PlacedCall): Plan => {
  const { parent_call_id } = call.facts
  const status = statusOf(call)
  if (parent_call_id === null || call.told_parent === status) return []
  return [task(`parent:${status}`, { _tag: "NotifyParent", parent_call_id, status })]
}

/**
 * Stops legs. A leg that was not found is stopped again once it is known to exist. Spare holds are released when no leg
 * is left that could take them.
 */
const stopLegs = (call: PlacedCall): Plan => [
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

/** If the engine was away until the ringing should have ended, the phone is not rung late. */
const originate = (call: RingingCall): Plan => {
  const command = originateCommand(call)
  return [task(command.id, { _tag: "SendToPbx", gateway_id: call.facts.gateway_id, command, until: ringEnds(call) })]
}

/** Sent while the call rings, so that the PBX can start with the answer and misses nothing. */
const recording = (call: PlacedCall): Plan => {
  const wish = recordingWanted(call)
  return wish === undefined ? [] : [send(call, recordCommand(call, wish))]
}

const inboundSetup = (call: RingingCall): Plan => {
  switch (call.reception?.step) {
    case undefined:
      return []
    case "admitting":
      return [task("admit", { _tag: "Admit" })]
    case "asking":
    case "forwarding":
      return [...script(call), ...stopLegs(call)]
    case "answering":
      return [send(call, answerCommand(call)), ...stopLegs(call)]
  }
}

const ringing = (call: RingingCall): Plan => {
  const back_at = backAfterRinging(call)
  const { parent_call_id } = call.facts
  return [
    ...when(back_at !== null, () => [send(call, snapshotCommand(call, `rang:${back_at}`))]),
    ...when(call.pbx.seq === 0 && back_at === null, () => originate(call)),
    deadline("ring", ringTimeoutAt(call), { _tag: "RingTimedOut" }),
    ...inboundSetup(call),
    ...recording(call),
    ...(call.picked_up === null || parent_call_id === null
      ? []
      : [task("claim", { _tag: "ClaimPickUp" as const, parent_call_id })]),
    ...gap(call),
    ...unlisted(call),
    ...parent(call)
  ]
}

/** Pays for the next minute shortly before it begins, and ends the call if that fails. */
const prepayment = (call: AnsweredCall): Plan => {
  const { max_duration_seconds, rate_per_min_minor, workspace_id } = call.facts
  const minutes = call.covered_minutes
  if (rate_per_min_minor === 0 || minutes * 60 >= max_duration_seconds) return []
  const amount_minor = (minutes + 1) * rate_per_min_minor
  return [
    task(
      `prepay:${minutes + 1}`,
      { _tag: "PrepayMinute", workspace_id, minutes: minutes + 1, amount_minor },
      prepaidUntil(call) - prepayAhead_ms
    ),
    deadline(`cutoff:${minutes}`, cutOffAt(call), { _tag: "PrepaidTimeEnded", minutes })
  ]
}

const dialled = (call: PlacedCall, dial: Dial, step: number): Plan => {
  if (!dial.surveyed) return [task(`survey:${step}`, { _tag: "SurveyDial", step })]
  return [
    ...dueLegs(dial).map((leg) => task(`dial:${leg.call_id}`, { _tag: "StartChild" as const, step, leg })),
    ...dial.legs.flatMap(({ call_id, phase, session_id }, nth) =>
      phase === "joined" && session_id !== null ? [send(call, bridgeCommand(call, { call_id, session_id }, nth))] : []
    )
  ]
}

/** How long the current action may take. A dial that was refused takes as long as its announcement. */
const stepTimeout_ms = ({ dial }: PlacedCall, action: VoiceAction): number => {
  const text = unspoken(dial)
  return actionTimeout_ms(text === undefined ? action : { say: { text } })
}

const hasOwnDeadline = (action: VoiceAction): boolean => ["stream", "conference"].includes(verbOf(action).verb.run.by)

const script = (call: PlacedCall): Plan => {
  if (call.script === null) return []
  const { cut_command_id, question, since, step } = call.script
  const cut: Plan = cut_command_id === null ? [] : [send(call, cutCommand(call, cut_command_id))]
  if (question !== null) {
    return question.answer_by === null
      ? cut
      : [...cut, task(`callback:${step}`, { _tag: "AskCallback", step, question })]
  }
  if (call.dial !== null && unspoken(call.dial) === undefined) return [...cut, ...dialled(call, call.dial, step)]
  const action = currentAction(call)
  if (action === undefined || hasOwnDeadline(action)) return cut
  const command = actionCommand(call)
  const overdue = deadline(`overdue:${step}`, since + stepTimeout_ms(call, action), {
    _tag: "ActionOverdue" as const,
    step
  })
  return [...cut, ...(command === undefined ? [] : [send(call, command)]), overdue]
}

/** Changes the talk-time limit of the PBX, if the funds have changed it. */
const talkLimit = (call: AnsweredCall): Plan => {
  const command = limitCommand(call)
  return command === undefined ? [] : [send(call, command)]
}

const machineDetection = (call: AnsweredCall): Plan =>
  call.detect_until === null ? [] : [deadline("detect", call.detect_until, { _tag: "MachineUndetected" })]

const switches = (call: AnsweredCall): Plan =>
  (["mute", "hold"] as const).flatMap((kind) => {
    const switched = call[kind]
    return switched === null ? [] : [send(call, switchCommand(call, kind, switched))]
  })

const answered = (call: AnsweredCall): Plan => {
  const proof_at = String(call.pbx.proof_at)
  return [
    ...script(call),
    ...machineDetection(call),
    ...switches(call),
    ...talkLimit(call),
    ...recording(call),
    ...planStreams(call, (command) => ({ _tag: "SendToPbx" as const, gateway_id: call.facts.gateway_id, command })),
    ...prepayment(call),
    deadline("max", maxDurationAt(call), { _tag: "MaxDurationReached" }),
    send(call, snapshotCommand(call, proof_at), snapshotAt(call)),
    deadline("lost", lostAt(call), { _tag: "SessionLost" }),
    ...gap(call),
    ...unlisted(call),
    ...stopLegs(call),
    ...parent(call)
  ]
}

/** The PBX must end the session and report how long the talk was. */
const awaitingHangup = (call: SettlingCall, awaited_until: number): Plan => [
  send(call, hangupCommand(call)),
  deadline("hangup", awaited_until, { _tag: "HangupOverdue" }),
  ...stopLegs(call)
]

/** The PBX must end the session, unless it reported the end itself; legs that were dialled must end too. */
const afterTheEnd = (call: SettlingCall | EndedCall): Plan => [
  ...when(!call.pbx.closed, () => [
    send(call, hangupCommand(call)),
    deadline("unconfirmed", confirmationEnds(call), { _tag: "HangupUnconfirmed" })
  ]),
  ...stopLegs(call)
]

const settling = (call: SettlingCall): Plan => {
  const awaited_until = hangupAwaitedUntil(call)
  if (awaited_until !== undefined) return awaitingHangup(call, awaited_until)
  const { billed_seconds, cost_minor } = billOf(call)
  const { direction, from, kind, to } = call.facts
  const what = kind === "chatapp" ? "Chat-app call" : "Call"
  const description = `${what} ${direction === "inbound" ? `from ${from}` : `to ${to}`}, ${billed_seconds} s`
  const settle: CallWork = {
    _tag: "Settle",
    workspace_id: call.facts.workspace_id,
    cost_minor,
    description,
    ...(isWaivable(call) && { waivable: true })
  }
  return [task("settle", settle), ...afterTheEnd(call)]
}

const releaseHold = ({ ending, facts: { direction, workspace_id } }: EndedCall): CallWork => ({
  _tag: "ReleaseHold",
  workspace_id,
  ...(direction === "outbound" && ending.status === "failed" && { failed: true })
})

const ended = (call: EndedCall): Plan => [
  ...when(call.hold_open, () => [task("release", releaseHold(call))]),
  ...afterTheEnd(call),
  ...parent(call)
]

const planOf = (call: PlacedCall): Plan => {
  switch (call.phase) {
    case "ringing":
      return ringing(call)
    case "answered":
      return answered(call)
    case "settling":
      return settling(call)
    case "ended":
      return ended(call)
  }
}

const conferences = (call: PlacedCall): Plan =>
  call.conferences === undefined
    ? []
    : planConferences(call, conferenceCommands(call), (command, until) => ({
        _tag: "SendToPbx" as const,
        gateway_id: call.facts.gateway_id,
        command,
        ...(until !== undefined && { until })
      }))

export const planCall = (call: Call): Plan => {
  if (call.phase === "absent") return []
  const plan = [...planOf(call), ...conferences(call)]
  return call.recordings === undefined ? plan : [...plan, ...planRecordings(call)]
}
