// How a caller from the chat app leaves a message (docs/chat-app.md).
import type { CallEvent } from "../state/CallEvent.ts"
import type { VoiceAction } from "../verbs/VoiceAction.ts"

const prompt = "Nobody can take your call now. Please leave a message after the tone."
const longestMessage_seconds = 180

const actions: ReadonlyArray<VoiceAction> = [
  { say: { text: prompt } },
  { record: { max_length: longestMessage_seconds, silence_timeout: 5, play_beep: true } },
  { hangup: {} }
]

/** The call is answered, and its caller is asked for a message. Nobody else rings for it any more. */
export const takeMessage = (at: number): ReadonlyArray<CallEvent> => [
  { _tag: "ActionsReplaced", at, actions, cut_command_id: null },
  { _tag: "Answering", at }
]
