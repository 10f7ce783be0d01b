// The body of `POST /v1/calls/originate` (docs/calls.md). Shape alone: what the values mean is checked after it.
import { Schema } from "effect"
import { AnyJson } from "../../json/AnyJson.ts"
import { RecordValue } from "../../recordings/RecordMode.ts"
import { between, Digits } from "../../kit/CallFields.ts"
import { MachineDetection } from "./LegOptions.ts"
import { Metadata } from "../../kit/Metadata.ts"
import { maxActions } from "./VoiceAction.ts"

const Url = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2048))

/** What happens when the call is answered comes from one place. */
const oneSource = Schema.makeFilter(
  ({ actions, voice_callback_url }: { readonly actions?: unknown; readonly voice_callback_url?: unknown }) => {
    if (actions === undefined && voice_callback_url === undefined)
      return { path: ["voice_callback_url"], issue: "Missing key" }
    const both = actions !== undefined && voice_callback_url !== undefined
    return !both || { path: ["actions"], issue: "Only one of voice_callback_url and actions is allowed." }
  }
)

export const OriginateRequest = Schema.Struct({
  to: Schema.String.check(Schema.isMaxLength(64)).annotate({
    description: "The number to call, E.164; after `chatapp:` that of a user of the chat app."
  }),
  from: Schema.String.check(Schema.isMaxLength(64)).annotate({
    description: "An active number of the workspace, E.164."
  }),
  voice_callback_url: Schema.optionalKey(Url).annotate({
    description:
      "Absolute https URL that is asked what to do when the remote party answers. It must respond within 10 seconds. Exactly one of voice_callback_url and actions is required."
  }),
  actions: Schema.optionalKey(Schema.Array(AnyJson).check(Schema.isBetweenLength(1, maxActions))).annotate({
    description:
      "What to do when the remote party answers, instead of asking voice_callback_url. Same format as the response of a voice callback; see GET /v1/voice-actions/schema."
  }),
  voice_fallback_url: Schema.optionalKey(Url).annotate({
    description: "URL that is asked instead if voice_callback_url cannot be reached or responds with 5xx."
  }),
  timeout_seconds: Schema.optionalKey(between(5, 600)).annotate({ description: "How long to ring. Default 30." }),
  max_duration_seconds: Schema.optionalKey(between(60, 14_400)).annotate({
    description: "Maximum duration of the call in seconds, after which it is hung up. Default 14,400."
  }),
  caller_name: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(32), Schema.isPattern(/^[^\p{Cc}]*$/u))
  ).annotate({
    description: "Caller name, shown with the number if the network supports names."
  }),
  send_digits: Schema.optionalKey(Digits).annotate({
    description: "DTMF digits to send when the call is answered; w waits half a second, W a second."
  }),
  record: Schema.optionalKey(RecordValue).annotate({
    description:
      "What to record. `true` means `record-from-answer`. The `-dual` forms record each side in its own channel."
  }),
  machine_detection: Schema.optionalKey(MachineDetection).annotate({
    description:
      "Detect whether a person or a machine has answered before the callback is asked, and optionally wait for the end of a machine's greeting."
  }),
  machine_detection_timeout_seconds: Schema.optionalKey(between(5, 60)).annotate({
    description: "Maximum time to wait for machine detection before the callback is asked. Default 30."
  }),
  events_url: Schema.optionalKey(Url).annotate({
    description: "URL that receives the events of this call, in addition to webhook subscriptions. Absolute https URL."
  }),
  metadata: Schema.optionalKey(Metadata).annotate({
    description: "Up to 16 values of your own, which records, events and callbacks repeat."
  }),
  client_reference: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(64))).annotate({
    description: "Your own reference, by which calls can be filtered."
  })
})
  .check(oneSource)
  .annotate({ identifier: "OriginateRequest" })
export type OriginateRequest = typeof OriginateRequest.Type
