// Rules on what is known of a call's session, of its recordings and of its viewers.
import type { EndedCall, PlacedCall, SettlingCall } from "../state/Call.ts"
import type { CallMessage, CallRules, RulesFor } from "../state/CallCommand.ts"
import { recordingsOf } from "../state/CallRecordings.ts"
import { happened, happenedInMemory, nothing } from "../state/Decided.ts"
import { awaitedEnd } from "./DecidePbxEvent.ts"
import { confirmationEnds, hangupAwaitedUntil, wasAway } from "../state/Deadlines.ts"
import { isViewing } from "../state/StreamViewer.ts"

type AfterTheEnd = RulesFor<SettlingCall | EndedCall>

/** A heartbeat counts only for sessions of its own tenant. */
const isOfTenant = ({ facts }: PlacedCall, { tenant_pbx_id }: CallMessage<"ProofOfLife">): boolean =>
  facts.tenant_pbx_id === tenant_pbx_id

export const sessionConfirmed: CallRules["ProofOfLife"] = (call, command) =>
  isOfTenant(call, command) ? happenedInMemory({ _tag: "SessionConfirmed", at: command.at }) : nothing

/** A session without any event may be unlisted because the PBX was not told yet to set it up. */
export const sessionUnlisted: CallRules["SessionUnlisted"] = (call, { at }) => {
  const isLive = call.phase === "ringing" || call.phase === "answered"
  return isLive && call.pbx.seq > 0 && call.pbx.proof_at < at
    ? happenedInMemory({ _tag: "SessionUnlisted", at })
    : nothing
}

/** A call that waits for the report of its hang-up. */
const awaitsHangup = (call: SettlingCall | EndedCall): call is SettlingCall =>
  call.phase === "settling" && call.hangup_awaited_until !== undefined

/**
 * The session outlived its call: the hang-up was never confirmed, or an answer crossed it. While its report is waited
 * for, the sign is written, because it proves talk.
 */
export const hangUpAgain: AfterTheEnd["ProofOfLife"] = (call, command) => {
  if (!isOfTenant(call, command)) return nothing
  if (awaitsHangup(call))
    return command.at > call.pbx.proof_at ? happened({ _tag: "SessionConfirmed", at: command.at }) : nothing
  return call.pbx.closed && command.at > confirmationEnds(call)
    ? happened({ _tag: "AnswerIgnored", at: command.at })
    : nothing
}

export const hangupUnconfirmed: AfterTheEnd["HangupUnconfirmed"] = (call, _command, now) => {
  const due = confirmationEnds(call)
  if (call.pbx.closed || awaitsHangup(call) || now < due) return nothing
  return happened(wasAway(due, now) ? { _tag: "Resumed", at: now } : { _tag: "PbxClosed" })
}

export const hangupOverdue: RulesFor<SettlingCall>["HangupOverdue"] = (call, _command, now) => {
  const due = hangupAwaitedUntil(call)
  if (due === undefined || now < due) return nothing
  return happened(wasAway(due, now) ? { _tag: "Resumed", at: now } : awaitedEnd(call, now))
}

export const viewerJoined: CallRules["AddViewer"] = (call, { by, stream_id }, at) =>
  isViewing(call, stream_id) ? nothing : happenedInMemory({ _tag: "ViewerJoined", at, stream_id, by })

export const viewerLeft: CallRules["RemoveViewer"] = (call, { stream_id }, at) =>
  isViewing(call, stream_id) ? happenedInMemory({ _tag: "ViewerLeft", at, stream_id }) : nothing

export const recordingNotified: CallRules["RecordingNotified"] = (call, { recording_id, told }) =>
  recordingsOf(call).some(
    (recording) => recording.id === recording_id && recording.told !== told && recording.told !== "outcome"
  )
    ? happened({ _tag: "RecordingNotified", recording_id, told })
    : nothing

export const recordingChanged: CallRules["RecordingChanged"] = (call, command, now) =>
  recordingsOf(call).some(({ id, status }) => id === command.recording_id && status !== command.status)
    ? happened({ ...command, at: now })
    : nothing

/** The PBX never reported how the recording ended. */
export const recordingUnreported: CallRules["RecordingUnreported"] = (call, { recording_id }) =>
  recordingsOf(call).some(({ id, outcome }) => id === recording_id && outcome === null)
    ? happened({ _tag: "RecordingEnded", recording_id, outcome: { error: "unreported" } })
    : nothing
