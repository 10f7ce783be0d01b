// The document that a voice callback answers with (docs/voice-actions.md). Strict: an unknown key is a fault.
import { Schema } from "effect"
import { RecordValue } from "../recordings/RecordMode.ts"
import { Metadata } from "./Metadata.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
/** Patterns are those of Unicode, which alone JSON Schema knows. */
const matching = (pattern: RegExp, max: number) =>
  Schema.String.check(Schema.isPattern(pattern), Schema.isMaxLength(max))
const Text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max))
const optional = Schema.optionalKey

const E164 = matching(/^\+[1-9]\d{6,14}$/u, 16)
const Url = matching(/^https?:\/\/[^\s/]/u, 2048)
/** A user and a host, and no password between them (RFC 3261, section 19.1). */
const SipUri = matching(
  /^sips?:[A-Za-z0-9._~!$&'()*+,;=%-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]{0,250}[A-Za-z0-9])?(:\d{1,5})?$/u,
  400
)
/** `w` and `W` wait half a second and a second. */
export const Digits = matching(/^[0-9A-D*#wW]+$/u, 64)

const Say = Schema.Struct({
  text: Text(3000),
  voice: optional(Text(64)),
  language: optional(Text(35)),
  loop: optional(between(1, 100))
})
const Play = Schema.Struct({ url: Url, loop: optional(between(1, 100)) })
const Pause = Schema.Struct({ seconds: between(1, 60) })
const Hangup = Schema.Struct({ reason: optional(Schema.Literals(["normal", "busy", "rejected"])) })
const Reject = Schema.Struct({ reason: optional(Schema.Literals(["busy", "rejected"])) })
const Redirect = Schema.Struct({ url: Url })
const SendDigits = Schema.Struct({ digits: Digits })
const Record = Schema.Struct({
  max_length: optional(between(1, 14_400)),
  finish_on_key: optional(matching(/^[0-9*#]?$/u, 1)),
  silence_timeout: optional(between(1, 60)),
  play_beep: optional(Schema.Boolean),
  action_url: optional(Url)
})
export type RecordAction = typeof Record.Type
const Tag = Schema.Struct({ metadata: Metadata })

const Gather = Schema.Struct({
  input: optional(
    Schema.Array(Schema.Literals(["dtmf", "speech"])).check(Schema.isBetweenLength(1, 2), Schema.isUnique())
  ),
  language: optional(Text(35)),
  num_digits: optional(between(1, 64)),
  min_digits: optional(between(0, 64)),
  finish_on_key: optional(matching(/^[0-9*#]?$/u, 1)),
  timeout: optional(between(1, 60)),
  inter_digit_timeout: optional(between(1, 60)),
  action_url: optional(Url),
  prompt: optional(Schema.Union([Schema.Struct({ say: Say }), Schema.Struct({ play: Play })]))
})
export type Gather = typeof Gather.Type

const dialOptions = {
  callerId: optional(E164),
  timeout: optional(between(5, 600)),
  time_limit: optional(between(1, 14_400)),
  record: optional(RecordValue),
  sequential: optional(Schema.Boolean),
  first_answer_wins: optional(Schema.Boolean),
  action_url: optional(Url),
  ringback_url: optional(Url),
  sip_headers: optional(
    Schema.Record(matching(/^[Xx]-[A-Za-z0-9-]+$/u, 64), matching(/^[\x20-\x7e]*$/u, 256)).check(
      Schema.isMaxProperties(16)
    )
  ),
  metadata: optional(Metadata)
}
const DialNumber = Schema.Struct({ number: E164, ...dialOptions })
const DialNumbers = Schema.Struct({
  numbers: Schema.Array(E164).check(Schema.isBetweenLength(1, 10), Schema.isUnique()),
  ...dialOptions
})
const DialSip = Schema.Struct({ sip: SipUri, ...dialOptions })
/** One of three, told apart by the key that names the destination. */
export const dialShapes = { number: DialNumber, numbers: DialNumbers, sip: DialSip }
const Dial = Schema.Union([DialNumber, DialNumbers, DialSip])
export type DialAction = typeof Dial.Type

/** Every action by its key. */
export const actionShapes = {
  say: Say,
  play: Play,
  pause: Pause,
  gather: Gather,
  record: Record,
  dial: Dial,
  redirect: Redirect,
  reject: Reject,
  send_digits: SendDigits,
  tag: Tag,
  hangup: Hangup
}

export const VoiceAction = Schema.Union([
  Schema.Struct({ say: Say }),
  Schema.Struct({ play: Play }),
  Schema.Struct({ pause: Pause }),
  Schema.Struct({ gather: Gather }),
  Schema.Struct({ record: Record }),
  Schema.Struct({ dial: Dial }),
  Schema.Struct({ redirect: Redirect }),
  Schema.Struct({ reject: Reject }),
  Schema.Struct({ send_digits: SendDigits }),
  Schema.Struct({ tag: Tag }),
  Schema.Struct({ hangup: Hangup })
])
export type VoiceAction = typeof VoiceAction.Type

export const actions_max = 100

export const VoiceActions = Schema.Struct({ actions: Schema.Array(VoiceAction).check(Schema.isMaxLength(actions_max)) })
export type VoiceActions = typeof VoiceActions.Type

/** A call that is answered can no longer be rejected. */
export const misplacedReject = (actions: ReadonlyArray<VoiceAction>) => {
  const index = actions.findIndex((action) => "reject" in action)
  if (index === -1) return undefined
  return {
    pointer: `/actions/${index}/reject`,
    detail: "Only an inbound call can be rejected, and only before it is answered."
  }
}
