// What a customer changes of an answered call (docs/calls.md).
import { Result } from "effect"
import { BadRequest } from "../../errors/GeneralErrors.ts"
import { advanced } from "./AdvanceScript.ts"
import type { AnsweredCall } from "../state/Call.ts"
import type { RulesFor } from "../state/CallCommand.ts"
import { replaceActions } from "./CallStreams.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import { callRecord } from "../views/CallView.ts"
import { evolveAll } from "./EvolveCall.ts"
import { mergedMetadata } from "../../kit/Metadata.ts"
import { actionCommandId } from "../state/PbxCommands.ts"
import { misplacedOnceAnswered, unsupportedAction, unsupportedBy, type VoiceAction } from "../verbs/VoiceAction.ts"

type Events = ReadonlyArray<CallEvent>

const refused = (field: string, code: string, message: string) =>
  Result.fail(new BadRequest({ message, details: [{ field, code, message }] }))

const switched = (call: AnsweredCall, what: "mute" | "hold", on: boolean | undefined, at: number): Events =>
  on === undefined || on === (call[what]?.on ?? false) ? [] : [{ _tag: "Switched", at, what, on }]

/** The new actions begin at once: the current action is cut short, and legs that were dialled end. */
const replaced = (call: AnsweredCall, actions: ReadonlyArray<VoiceAction> | undefined, at: number): Events =>
  actions === undefined ? [] : replaceActions(call, actions, actionCommandId(call) ?? null, at)

/** Applies all of the changes, or fails with BadRequest and applies none. */
export const updateCall: RulesFor<AnsweredCall>["Update"] = (call, command, now) => {
  const { actions, hold, metadata = {}, mute } = command
  const merged = mergedMetadata(call.facts.metadata, metadata)
  if (merged === undefined) return refused("/metadata", "too_many_keys", "The call would have more than 16 values.")
  const misplaced = misplacedOnceAnswered(actions ?? [])
  if (misplaced !== undefined) return refused(misplaced.pointer, "misplaced", misplaced.detail)
  const unsupported = unsupportedAction(actions ?? [], call.facts.capabilities)
  if (unsupported !== undefined) return Result.fail(unsupportedBy(unsupported))
  const tagged: Events = Object.keys(metadata).length === 0 ? [] : [{ _tag: "Tagged", at: now, metadata: merged }]
  const changes = [
    ...tagged,
    ...switched(call, "mute", mute, now),
    ...switched(call, "hold", hold, now),
    ...replaced(call, actions, now)
  ]
  const events = advanced(call, changes, now)
  return Result.succeed({ events, reply: callRecord(evolveAll(call, events)) })
}
