// The PBX commands of a call. Their ids follow from the state of the call, so a command that is sent again has the same
// id.
import type { PbxAction, PbxCommand } from "../../pbx/PbxCommand.ts"
import { recordingIdOf } from "../../recordings/RecordingId.ts"
import type { RecordWish } from "../../recordings/RecordMode.ts"
import {
  type AnsweredCall,
  type Call,
  currentAction,
  type Ending,
  type InboundSetup,
  type PlacedCall,
  type Switch
} from "./Call.ts"
import { ringsUntil } from "./Deadlines.ts"
import { rejectionCode } from "./InboundSetup.ts"
import { talkLimitOf } from "./MaxTalkTime.ts"
import { unspoken } from "./Refusal.ts"
import { verbOf } from "../verbs/VoiceAction.ts"
import type { ConferencePart } from "../../conferences/ConferencePart.ts"
import { maxStream_seconds, type CallStream, modeOf, tracksOf } from "../../streams/CallStream.ts"
import type { CallId, RecordingId, SessionId } from "../../BrandedIds.ts"
import { isoInstant } from "../../kit/Instants.ts"

const command = (call: PlacedCall, id: string, seq: number, action: PbxAction): PbxCommand => ({
  id,
  session_id: call.facts.session_id,
  tenant_pbx_id: call.facts.tenant_pbx_id,
  seq,
  action
})

/** Each step of the script has 20 numbers for its commands, in this order. */
const parts = {
  cut: 0,
  action: 1,
  bridge: 2,
  conference: 14,
  announcement: 15,
  leave_conference: 16,
  stream: 17,
  stop_stream: 18,
  switch: 19
}
const seqOf = (call: Call, part: keyof typeof parts, nth = 0): number =>
  10 + (call.script?.step ?? 0) * 20 + parts[part] + nth
const snapshotSeq = 2_000_000_000
const hangupSeq = 2_000_000_001

/**
 * The PBX's ring timeout is longer than the engine's by this, so that the PBX ends the ringing only if the engine is
 * away.
 */
const ringMargin_seconds = 5

/** How long machine detection takes at most, if the request does not say. */
export const defaultDetection_seconds = 30

export const originateCommand = (call: PlacedCall): PbxCommand => {
  const { address, caller_id, endpoint, from, kind, parent_session_id, timeout_seconds, to, trunk_id } = call.facts
  const { caller_name, first_answer_wins, ringback_url, send_digits, sequential, sip_headers } = call.facts
  const { machine_detection: mode = "off", machine_detection_timeout_seconds: detect_seconds } = call.facts
  return command(call, `${call.id}:originate`, 1, {
    kind: "originate",
    to,
    from,
    caller_id,
    timeout_seconds: timeout_seconds + ringMargin_seconds,
    not_after: isoInstant(ringsUntil(call.facts)),
    talk_limit_seconds: talkLimitOf(call),
    ...(parent_session_id !== null && { parent_session_id }),
    ...(endpoint !== undefined && { endpoint }),
    ...(address !== undefined && { address }),
    ...(trunk_id !== undefined && { trunk_id }),
    ...(kind === "chatapp" && { network: kind }),
    ...(caller_name !== undefined && { caller_name }),
    ...(send_digits !== undefined && { send_digits }),
    ...(mode !== "off" && {
      machine_detection: { mode, timeout_seconds: detect_seconds ?? defaultDetection_seconds }
    }),
    ...(sequential !== undefined && { sequential }),
    ...(first_answer_wins !== undefined && { first_answer_wins }),
    ...(ringback_url !== undefined && { ringback_url }),
    ...(sip_headers !== undefined && { sip_headers })
  })
}

/** The id of what the current action records. Number 0 is the recording of the whole call. */
export const actionRecordingId = (call: Call): RecordingId => recordingIdOf(call.id, (call.script?.step ?? 0) + 1)

/** What the PBX is to do for the current action; undefined if it needs no command, or several. */
const currentPbxAction = (call: Call): PbxAction | undefined => {
  const action = currentAction(call)
  if (action === undefined) return undefined
  const { payload, verb } = verbOf(action)
  const text = unspoken(call.dial)
  if (text !== undefined) return { kind: "say", text, loop: 1 }
  return verb.run.by === "pbx" ? verb.run.toPbx(payload, actionRecordingId(call)) : undefined
}

const idOf = (call: Call, kind: string): string => `${call.id}:${kind}:${call.script?.step ?? 0}`

export const actionCommand = (call: PlacedCall): PbxCommand | undefined => {
  const action = currentPbxAction(call)
  return action && command(call, idOf(call, action.kind), seqOf(call, "action"), action)
}

export const actionCommandId = (call: Call): string | undefined => {
  const action = currentPbxAction(call)
  return action && idOf(call, action.kind)
}

export const cutCommand = (call: PlacedCall, command_id: string): PbxCommand =>
  command(call, idOf(call, "cut"), seqOf(call, "cut"), { kind: "cut", command_id })

/** Connects the call with its `nth` leg. */
export const bridgeCommand = (
  call: PlacedCall,
  leg: { readonly call_id: CallId; readonly session_id: SessionId },
  nth: number
): PbxCommand =>
  command(call, `${call.id}:bridge:${leg.call_id}`, seqOf(call, "bridge", nth), {
    kind: "bridge",
    peer_session_id: leg.session_id
  })

export const switchCommand = (call: PlacedCall, kind: "mute" | "hold", { count, on }: Switch): PbxCommand =>
  command(call, `${call.id}:${kind}:${count}`, seqOf(call, "switch"), { kind, on })

/** Changes the talk-time limit. Undefined while the limit sent with the command to call or to answer is in force. */
export const limitCommand = (call: AnsweredCall): PbxCommand | undefined => {
  const { answered_at, talk_limit } = call
  if (talk_limit === undefined || talk_limit.count === 0) return undefined
  const action: PbxAction = {
    kind: "limit",
    seconds: talk_limit.seconds,
    answered_at: isoInstant(answered_at)
  }
  return command(call, `${call.id}:limit:${talk_limit.count}`, seqOf(call, "switch"), action)
}

/** Begins a stream, or begins it again if the gateway has forgotten it. */
export const startStreamCommand = (call: PlacedCall, stream: CallStream): PbxCommand => {
  const { format = "mulaw-8000", parameters = {}, time_limit = maxStream_seconds, url } = stream.action
  return {
    ...command(call, `${call.id}:stream:${stream.step}`, 0, {
      kind: "stream.start",
      stream_id: stream.id,
      call_id: call.id,
      account_id: call.facts.workspace_id,
      name: stream.name,
      url,
      mode: modeOf(stream),
      tracks: tracksOf(stream.action),
      format,
      parameters,
      time_limit_seconds: time_limit,
      resumed: stream.started_at !== null
    }),
    seq: 10 + stream.step * 20 + parts.stream
  }
}

export const stopStreamCommand = (call: PlacedCall, { id, step }: CallStream): PbxCommand =>
  command(call, `${call.id}:stop_stream:${step}`, seqOf(call, "stop_stream"), { kind: "stream.stop", stream_id: id })

/** The commands for a call's part in a conference; undefined where there is nothing to do. */
export const conferenceCommands = (call: PlacedCall) => ({
  join: ({ joined, step }: ConferencePart): PbxCommand | undefined =>
    joined === null
      ? undefined
      : command(call, `${call.id}:conference:${step}:${joined.version}`, seqOf(call, "conference"), {
          kind: "conference.join",
          conference_id: joined.conference_id,
          ...joined.settings
        }),
  leave: ({ joined, step }: ConferencePart): PbxCommand | undefined =>
    joined === null
      ? undefined
      : command(call, `${call.id}:leave_conference:${step}`, seqOf(call, "leave_conference"), {
          kind: "conference.leave",
          conference_id: joined.conference_id
        }),
  announce: ({ joined, step }: ConferencePart): PbxCommand | undefined =>
    joined === null || joined.announcement === null
      ? undefined
      : command(
          call,
          `${call.id}:announcement:${step}:${joined.announcement.number}`,
          seqOf(call, "announcement"),
          joined.announcement.media
        )
})

/** Records the whole session. */
export const recordCommand = (call: PlacedCall, { channels, from }: RecordWish): PbxCommand =>
  command(call, `${call.id}:record`, 2, {
    kind: "record.start",
    recording_id: recordingIdOf(call.id, 0),
    channels,
    from
  })

/** Answers an inbound call. */
export const answerCommand = (call: PlacedCall): PbxCommand =>
  command(call, `${call.id}:answer`, 2, { kind: "answer", talk_limit_seconds: talkLimitOf(call) })

const rejectAction = (ending: Ending, { announcement, no_funds_message }: InboundSetup): PbxAction => {
  const text = announcement ?? (ending.cause === "insufficient_funds" ? no_funds_message : null)
  return { kind: "reject", sip_code: rejectionCode(ending), ...(text !== null && { announcement: text }) }
}

/** Ends the session, after all other commands. A session that is still there afterwards gets another one. */
export const hangupCommand = (call: PlacedCall): PbxCommand => {
  const { answered_at, ending, reception } = call
  const { revived_at } = call.pbx
  const id = revived_at === null ? `${call.id}:hangup` : `${call.id}:hangup:${revived_at}`
  const action: PbxAction =
    revived_at === null && reception !== null && answered_at === null && ending !== null
      ? rejectAction(ending, reception)
      : { kind: "hangup", cause: ending?.cause ?? "normal_clearing" }
  return command(call, id, hangupSeq, action)
}

/** Asks for the state of the session. Each reason to ask has its own `why`, which is part of the id. */
export const snapshotCommand = (call: PlacedCall, why: string): PbxCommand =>
  command(call, `${call.id}:snapshot:${why}`, snapshotSeq, { kind: "snapshot" })
