// How long an action may take before the call goes on without hearing of its end.
import { record_seconds } from "./PbxCommands.ts"
import type { VoiceAction } from "./VoiceAction.ts"

/** What the PBX needs beside the thing itself: to fetch, to render, to report. */
const slack_ms = 60_000
const character_ms = 100
/** Of a file nobody knows the length beforehand; the largest that is allowed is shorter. */
const file_ms = 3_600_000
const digit_ms = 1_000

type Spoken = Extract<VoiceAction, { readonly say: unknown }> | Extract<VoiceAction, { readonly play: unknown }>

const spoken_ms = (action: Spoken): number =>
  "say" in action ? action.say.text.length * (action.say.loop ?? 1) * character_ms : (action.play.loop ?? 1) * file_ms

export const actionTimeout_ms = (action: VoiceAction): number => {
  if ("say" in action || "play" in action) return slack_ms + spoken_ms(action)
  if ("pause" in action) return action.pause.seconds * 1000
  if ("send_digits" in action) return slack_ms + action.send_digits.digits.length * digit_ms
  if ("record" in action) return slack_ms + (action.record.max_length ?? record_seconds) * 1000
  if ("gather" in action) {
    const { inter_digit_timeout = 3, num_digits = 64, prompt, timeout = 5 } = action.gather
    return (
      slack_ms + (prompt === undefined ? 0 : spoken_ms(prompt)) + (timeout + num_digits * inter_digit_timeout) * 1000
    )
  }
  return 0
}
