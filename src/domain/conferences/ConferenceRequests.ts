// The bodies of requests about conferences (docs/conferences.md).
import { Schema } from "effect"
import { Metadata } from "../kit/Metadata.ts"
import { Digits } from "../calls/verbs/VoiceVerbs.ts"
import { ConferenceAction, KnownCallId } from "./ConferenceAction.ts"
import type { AnnouncementMedia } from "./ParticipantSettings.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const Text = (max: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(max))
const optional = Schema.optionalKey

const { name: _name, ...how } = ConferenceAction.fields

export const ParticipantRequest = Schema.Struct({
  to: Schema.String.check(Schema.isMaxLength(64)),
  from: Schema.String.check(Schema.isMaxLength(64)),
  timeout_seconds: optional(between(5, 600)),
  max_duration_seconds: optional(between(60, 14_400)),
  send_digits: optional(Digits),
  metadata: optional(Metadata),
  client_reference: optional(Schema.String.check(Schema.isMaxLength(64))),
  conference: optional(Schema.Struct(how))
}).annotate({ identifier: "ConferenceParticipantRequest" })
export type ParticipantRequest = typeof ParticipantRequest.Type

const Loop = optional(between(1, 100))
const announced = { call_id: optional(KnownCallId) }

export const AnnouncementRequest = Schema.Union([
  Schema.Struct({
    say: Schema.Struct({ text: Text(3000), voice: optional(Text(64)), language: optional(Text(35)), loop: Loop }),
    ...announced
  }),
  Schema.Struct({
    play: Schema.Struct({
      url: Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s/]/u), Schema.isMaxLength(2048)),
      loop: Loop
    }),
    ...announced
  })
]).annotate({ identifier: "ConferenceAnnouncement" })
export type AnnouncementRequest = typeof AnnouncementRequest.Type

export const mediaOf = (request: AnnouncementRequest): AnnouncementMedia =>
  "say" in request ? { kind: "say", loop: 1, ...request.say } : { kind: "play", loop: 1, ...request.play }
