// The document that a voice callback answers with (docs/voice-actions.md). Strict: an unknown key is a fault.
import { Schema } from "effect"
import { RecordValue } from "../recordings/RecordMode.ts"

const E164 = Schema.String.check(Schema.isPattern(/^\+[1-9]\d{6,14}$/))
const Text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max))

export const Say = Schema.Struct({
  text: Text(3000),
  voice: Schema.optionalKey(Text(64)),
  language: Schema.optionalKey(Text(35)),
  loop: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
})
export const Hangup = Schema.Struct({
  reason: Schema.optionalKey(Schema.Literals(["normal", "busy", "rejected"]))
})
export const Dial = Schema.Struct({
  number: E164,
  callerId: Schema.optionalKey(E164),
  timeout: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 600 }))),
  record: Schema.optionalKey(RecordValue)
})

export const VoiceAction = Schema.Union([
  Schema.Struct({ say: Say }),
  Schema.Struct({ hangup: Hangup }),
  Schema.Struct({ dial: Dial })
])
export type VoiceAction = typeof VoiceAction.Type

export const VoiceActions = Schema.Struct({ actions: Schema.Array(VoiceAction).check(Schema.isMaxLength(100)) })
export type VoiceActions = typeof VoiceActions.Type
