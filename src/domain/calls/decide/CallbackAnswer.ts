// An answer of a voice callback that cannot be carried out counts as a failed question.
import type { CallMessage } from "../state/CallCommand.ts"
import type { MisplacedAction } from "../verbs/VoiceAction.ts"

/** The failure of the question whose answer has an action that cannot be carried out. */
export const refusedAnswer = (
  { attempts, step }: CallMessage<"CallbackSucceeded">,
  misplaced: MisplacedAction
): CallMessage<"CallbackFailed"> => ({
  _tag: "CallbackFailed",
  step,
  cause: "voice_action_invalid",
  http_status: null,
  ...misplaced,
  ...(attempts && { attempts })
})
