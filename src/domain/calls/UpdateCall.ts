// What a customer changes of a call in mid-talk.
import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { advanced } from "./AdvanceScript.ts"
import type { PlacedCall } from "./Call.ts"
import type { CallRules } from "./CallCommand.ts"
import type { CallEvent } from "./CallEvent.ts"
import { evolveCall } from "./EvolveCall.ts"
import { callRecord } from "./CallView.ts"
import { mergedMetadata } from "./Metadata.ts"
import { actionCommandId } from "./PbxCommands.ts"
import { misplacedReject, type VoiceAction } from "./VoiceAction.ts"

type Events = ReadonlyArray<CallEvent>

const refused = (field: string, code: string, message: string) =>
  Result.fail(new BadRequest({ message, details: [{ field, code, message }] }))

const switched = (call: PlacedCall, what: "mute" | "hold", on: boolean | undefined, at: number): Events =>
  on === undefined || on === (call[what]?.on ?? false) ? [] : [{ _tag: "Switched", at, what, on }]

/** Nothing that is under way waits for the new actions: speech is cut short, and whoever was dialled is let go. */
const replaced = (call: PlacedCall, actions: ReadonlyArray<VoiceAction> | undefined, at: number): Events =>
  actions === undefined ? [] : [{ _tag: "ActionsReplaced", at, actions, cut_command_id: actionCommandId(call) ?? null }]

/** Of an answered call. All of it happens, or nothing. */
export const updateCall: CallRules["Update"] = (call, command, now) => {
  const { actions, hold, metadata = {}, mute } = command
  const merged = mergedMetadata(call.facts.metadata, metadata)
  if (merged === undefined) return refused("/metadata", "too_many_keys", "The call would have more than 16 values.")
  const misplaced = misplacedReject(actions ?? [])
  if (misplaced !== undefined) return refused(misplaced.pointer, "misplaced", misplaced.detail)
  const tagged: Events = Object.keys(metadata).length === 0 ? [] : [{ _tag: "Tagged", at: now, metadata: merged }]
  const changes = [
    ...tagged,
    ...switched(call, "mute", mute, now),
    ...switched(call, "hold", hold, now),
    ...replaced(call, actions, now)
  ]
  const events = advanced(call, changes, now)
  return Result.succeed({ events, reply: callRecord(events.reduce(evolveCall, call) as PlacedCall) })
}
