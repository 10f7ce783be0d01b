// What a call wants of its PBX, with ids that are the same however often a command is sent.
import type { PbxAction, PbxCommand } from "../pbx/PbxCommand.ts"
import { recordingId } from "../recordings/RecordingId.ts"
import type { RecordWish } from "../recordings/RecordMode.ts"
import type { Call, PlacedCall } from "./Call.ts"

/** The id of the command of the action under way. */
export const commandIdOf = (call: Call, kind: "say" | "bridge"): string => `${call.id}:${kind}:${call.script?.index ?? 0}`

const command = (call: PlacedCall, id: string, seq: number, action: PbxAction): PbxCommand => ({
  id,
  session_id: call.facts.session_id,
  tenant_pbx_id: call.facts.tenant_pbx_id,
  seq,
  action
})

/** The engine's own timer ends the ringing; the PBX's, a little later, ends it should the engine be away. */
const pbx_patience_seconds = 5

export const originateCommand = (call: PlacedCall): PbxCommand => {
  const { caller_id, from, parent_session_id, timeout_seconds, to } = call.facts
  return command(call, `${call.id}:originate`, 1, {
    kind: "originate",
    to,
    from,
    caller_id,
    timeout_seconds: timeout_seconds + pbx_patience_seconds,
    ...(parent_session_id !== null && { parent_session_id })
  })
}

export const sayCommand = (
  call: PlacedCall,
  say: { readonly text: string; readonly voice?: string; readonly language?: string; readonly loop?: number }
): PbxCommand =>
  command(call, commandIdOf(call, "say"), call.script!.index + 2, {
    kind: "say",
    text: say.text,
    ...(say.voice !== undefined && { voice: say.voice }),
    ...(say.language !== undefined && { language: say.language }),
    loop: say.loop ?? 1
  })

export const bridgeCommand = (call: PlacedCall, peer_session_id: string): PbxCommand =>
  command(call, commandIdOf(call, "bridge"), call.script!.index + 2, { kind: "bridge", peer_session_id })

/** Records the session from its answer, or from now, until it ends. */
export const recordCommand = (call: PlacedCall, { channels, from }: RecordWish): PbxCommand =>
  command(call, `${call.id}:record`, 2, { kind: "record.start", recording_id: recordingId(call.id, 0), channels, from })

/** The last command of a session, whatever came before it. A session that lives on all the same gets another one. */
export const hangupCommand = (call: PlacedCall): PbxCommand =>
  command(call, call.pbx.revived_at === null ? `${call.id}:hangup` : `${call.id}:hangup:${call.pbx.revived_at}`, 1_000, { kind: "hangup", cause: call.ending?.cause ?? "normal_clearing" })

/** `why` tells one question from the next. */
export const snapshotCommand = (call: PlacedCall, why: string): PbxCommand =>
  command(call, `${call.id}:snapshot:${why}`, 999, { kind: "snapshot" })
