// The body of `POST /v1/calls/originate` (docs/calls.md). Shape alone: what the values mean is checked after it.
import { Schema } from "effect"
import { RecordValue } from "../recordings/RecordMode.ts"
import { MachineDetection } from "./LegOptions.ts"
import { Metadata } from "./Metadata.ts"
import { Digits } from "./VoiceVerbs.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Url = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2048))

export const OriginateRequest = Schema.Struct({
  to: Schema.String.check(Schema.isMaxLength(64)).annotate({ description: "The number to call, E.164." }),
  from: Schema.String.check(Schema.isMaxLength(64)).annotate({
    description: "An active number of the workspace, E.164."
  }),
  voice_callback_url: Url.annotate({
    description: "Asked what to do when the remote party answers. Absolute https URL; it has 10 seconds to answer."
  }),
  voice_fallback_url: Schema.optionalKey(Url).annotate({
    description: "Asked instead when voice_callback_url cannot be reached or answers 5xx."
  }),
  timeout_seconds: Schema.optionalKey(between(5, 600)).annotate({ description: "How long to ring. Default 30." }),
  max_duration_seconds: Schema.optionalKey(between(60, 14_400)).annotate({
    description: "The call is hung up after so many seconds of talk. Default 14,400."
  }),
  caller_name: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(32), Schema.isPattern(/^\P{Cc}*$/u))
  ).annotate({
    description: "Shown beside the number, where the network shows names."
  }),
  send_digits: Schema.optionalKey(Digits).annotate({
    description: "Pressed when the call is answered; w and W wait half a second and a second."
  }),
  record: Schema.optionalKey(RecordValue).annotate({
    description:
      "What is recorded of the call. `true` is `record-from-answer`; in the `-dual` forms each side has a channel of its own."
  }),
  machine_detection: Schema.optionalKey(MachineDetection).annotate({
    description:
      "Ask who, or what, has answered before the callback is asked; of a machine also wait for the end of its greeting."
  }),
  machine_detection_timeout_seconds: Schema.optionalKey(between(5, 60)).annotate({
    description: "The callback is asked after so long at most. Default 30."
  }),
  events_url: Schema.optionalKey(Url).annotate({
    description: "Where the events of this call go, beside the subscriptions that listen to them. Absolute https URL."
  }),
  metadata: Schema.optionalKey(Metadata).annotate({
    description: "Up to 16 values of your own, repeated in records, events and callbacks."
  }),
  client_reference: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(64))).annotate({
    description: "A reference of your own, by which calls can be listed."
  })
}).annotate({ identifier: "OriginateRequest" })
export type OriginateRequest = typeof OriginateRequest.Type
