import { voicemailActions } from "../../chatapp/Reachability.ts"
import type { CallEvent } from "../state/CallEvent.ts"

/** The call is answered, and its caller is asked for a message. Nobody else rings for it any more. */
export const takeMessage = (at: number): ReadonlyArray<CallEvent> => [
  { _tag: "ActionsReplaced", at, actions: voicemailActions, cut_command_id: null },
  { _tag: "Answering", at }
]
