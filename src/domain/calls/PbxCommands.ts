// What a call wants of its PBX, with ids that are the same however often a command is sent.
import type { PbxAction, PbxCommand } from "../pbx/PbxCommand.ts"
import { recordingId } from "../recordings/RecordingId.ts"
import type { RecordWish } from "../recordings/RecordMode.ts"
import { type Call, currentAction, type PlacedCall, type Switch } from "./Call.ts"
import type { DialLeg } from "./Dial.ts"
import { rejectionCode } from "./InboundSetup.ts"
import { limitOf } from "./MaxTalkTime.ts"
import type { Gather, RecordAction, VoiceAction } from "./VoiceAction.ts"

const command = (call: PlacedCall, id: string, seq: number, action: PbxAction): PbxCommand => ({
  id,
  session_id: call.facts.session_id,
  tenant_pbx_id: call.facts.tenant_pbx_id,
  seq,
  action
})

/** The commands of one step of the script lie between it and the next, in this order. */
const parts = { cut: 0, action: 1, bridge: 2, switch: 19 }
const seqOf = (call: Call, part: keyof typeof parts, nth = 0): number =>
  10 + (call.script?.step ?? 0) * 20 + parts[part] + nth
const snapshot_seq = 2_000_000_000
const hangup_seq = 2_000_000_001

/** The engine's own timer ends the ringing; the PBX's, a little later, ends it should the engine be away. */
const pbx_patience_seconds = 5

export const originateCommand = (call: PlacedCall): PbxCommand => {
  const { caller_id, endpoint, from, parent_session_id, timeout_seconds, to, trunk_id } = call.facts
  const { caller_name, first_answer_wins, ringback_url, send_digits, sequential, sip_headers } = call.facts
  const { machine_detection: mode = "off", machine_detection_timeout_seconds: detect_seconds } = call.facts
  return command(call, `${call.id}:originate`, 1, {
    kind: "originate",
    to,
    from,
    caller_id,
    timeout_seconds: timeout_seconds + pbx_patience_seconds,
    talk_limit_seconds: limitOf(call),
    ...(parent_session_id !== null && { parent_session_id }),
    ...(endpoint !== undefined && { endpoint }),
    ...(trunk_id !== undefined && { trunk_id }),
    ...(caller_name !== undefined && { caller_name }),
    ...(send_digits !== undefined && { send_digits }),
    ...(mode !== "off" && {
      machine_detection: { mode, timeout_seconds: detect_seconds ?? default_detection_seconds }
    }),
    ...(sequential !== undefined && { sequential }),
    ...(first_answer_wins !== undefined && { first_answer_wins }),
    ...(ringback_url !== undefined && { ringback_url }),
    ...(sip_headers !== undefined && { sip_headers })
  })
}

export const default_detection_seconds = 30

type Say = Extract<VoiceAction, { readonly say: unknown }>["say"]
type Play = Extract<VoiceAction, { readonly play: unknown }>["play"]

const sayAction = ({ language, loop = 1, text, voice }: Say) => ({
  kind: "say" as const,
  text,
  ...(voice !== undefined && { voice }),
  ...(language !== undefined && { language }),
  loop
})

const playAction = ({ loop = 1, url }: Play) => ({ kind: "play" as const, url, loop })

export const hearsSpeech = ({ input }: Gather): boolean => input?.includes("speech") === true

const gatherAction = (gather: Gather): PbxAction => {
  const {
    finish_on_key = "#",
    inter_digit_timeout = 3,
    language,
    min_digits = 0,
    num_digits,
    prompt,
    timeout = 5
  } = gather
  return {
    kind: "gather",
    ...(hearsSpeech(gather) && { input: gather.input!, ...(language !== undefined && { language }) }),
    min_digits,
    max_digits: num_digits ?? 64,
    finish_on_key,
    timeout_ms: timeout * 1000,
    inter_digit_timeout_ms: inter_digit_timeout * 1000,
    ...(prompt !== undefined && { prompt: "say" in prompt ? sayAction(prompt.say) : playAction(prompt.play) })
  }
}

export const record_seconds = 3_600

/** What an action records has an id of its own; 0 is that of the whole call. */
export const actionRecordingId = (call: Call): string => recordingId(call.id, (call.script?.step ?? 0) + 1)

const recordAction = (call: Call, record: RecordAction): PbxAction => {
  const { finish_on_key = "#", max_length = record_seconds, play_beep = true, silence_timeout = 5 } = record
  return {
    kind: "record.start",
    recording_id: actionRecordingId(call),
    channels: 1,
    from: "answer",
    max_seconds: max_length,
    silence_seconds: silence_timeout,
    finish_on_key,
    beep: play_beep
  }
}

/** What the PBX is to do for an action. Undefined: nothing, or more than one thing. */
const pbxAction = (call: Call, action: VoiceAction): PbxAction | undefined => {
  if ("say" in action) return sayAction(action.say)
  if ("play" in action) return playAction(action.play)
  if ("gather" in action) return gatherAction(action.gather)
  if ("record" in action) return recordAction(call, action.record)
  return "send_digits" in action ? { kind: "send_digits", digits: action.send_digits.digits } : undefined
}

const idOf = (call: Call, kind: string): string => `${call.id}:${kind}:${call.script?.step ?? 0}`

/** The command of the action under way, where it has one. */
export const actionCommand = (call: PlacedCall): PbxCommand | undefined => {
  const action = currentAction(call)
  const wanted = action && pbxAction(call, action)
  return wanted && command(call, idOf(call, wanted.kind), seqOf(call, "action"), wanted)
}

export const actionCommandId = (call: Call): string | undefined => {
  const action = currentAction(call)
  const wanted = action && pbxAction(call, action)
  return wanted && idOf(call, wanted.kind)
}

export const cutCommand = (call: PlacedCall, command_id: string): PbxCommand =>
  command(call, idOf(call, "cut"), seqOf(call, "cut"), { kind: "cut", command_id })

export const bridgeCommand = (call: PlacedCall, { call_id, session_id }: DialLeg, nth: number): PbxCommand =>
  command(call, `${call.id}:bridge:${call_id}`, seqOf(call, "bridge", nth), {
    kind: "bridge",
    peer_session_id: session_id!
  })

export const switchCommand = (call: PlacedCall, kind: "mute" | "hold", { count, on }: Switch): PbxCommand =>
  command(call, `${call.id}:${kind}:${count}`, seqOf(call, "switch"), { kind, on })

/** Undefined while it holds what the PBX was told with the command to call or to answer. */
export const limitCommand = (call: PlacedCall): PbxCommand | undefined => {
  const { answered_at, talk_limit } = call
  if (talk_limit === undefined || talk_limit.count === 0 || answered_at === null) return undefined
  const action: PbxAction = {
    kind: "limit",
    seconds: talk_limit.seconds,
    answered_at: new Date(answered_at).toISOString()
  }
  return command(call, `${call.id}:limit:${talk_limit.count}`, seqOf(call, "switch"), action)
}

/** Records the session from its answer, or from now, until it ends. */
export const recordCommand = (call: PlacedCall, { channels, from }: RecordWish): PbxCommand =>
  command(call, `${call.id}:record`, 2, { kind: "record.start", recording_id: recordingId(call.id, 0), channels, from })

/** An inbound call that is to be talked to. */
export const answerCommand = (call: PlacedCall): PbxCommand =>
  command(call, `${call.id}:answer`, 2, { kind: "answer", talk_limit_seconds: limitOf(call) })

/** A call that the PBX has received, from without or from a device, and that was not answered and is not to be. */
const rejectAction = ({ ending, reception }: PlacedCall): PbxAction => {
  const announcement = ending!.cause === "insufficient_funds" ? (reception?.no_funds_message ?? undefined) : undefined
  return { kind: "reject", sip_code: rejectionCode(ending!), ...(announcement !== undefined && { announcement }) }
}

const isRejected = ({ answered_at, ending, reception }: PlacedCall): boolean =>
  reception !== null && answered_at === null && ending !== null

/** The last command of a session, whatever came before it. A session that lives on all the same gets another one. */
export const hangupCommand = (call: PlacedCall): PbxCommand => {
  const { revived_at } = call.pbx
  const id = revived_at === null ? `${call.id}:hangup` : `${call.id}:hangup:${revived_at}`
  const rejects = revived_at === null && isRejected(call)
  return command(
    call,
    id,
    hangup_seq,
    rejects ? rejectAction(call) : { kind: "hangup", cause: call.ending?.cause ?? "normal_clearing" }
  )
}

/** `why` tells one question from the next. */
export const snapshotCommand = (call: PlacedCall, why: string): PbxCommand =>
  command(call, `${call.id}:snapshot:${why}`, snapshot_seq, { kind: "snapshot" })
