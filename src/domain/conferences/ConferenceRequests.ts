// The bodies of requests about conferences (docs/conferences.md).
import { Schema } from "effect"
import { Metadata } from "../kit/Metadata.ts"
import { between, Digits } from "../kit/CallFields.ts"
import { optional } from "../kit/Fields.ts"
import { Play, Say } from "../sounds/Prompt.ts"
import { ConferenceAction, KnownCallId } from "./ConferenceAction.ts"
import type { AnnouncementMedia } from "./ParticipantSettings.ts"

const { name: _name, ...how } = ConferenceAction.fields

export const ParticipantRequest = Schema.Struct({
  to: Schema.String.check(Schema.isMaxLength(64)).annotate({ description: "The number to call, in E.164 form." }),
  from: Schema.String.check(Schema.isMaxLength(64)).annotate({
    description: "An active number of the workspace, in E.164 form."
  }),
  timeout_seconds: optional(between(5, 600)),
  max_duration_seconds: optional(between(60, 14_400)),
  send_digits: optional(Digits),
  metadata: optional(Metadata),
  client_reference: optional(Schema.String.check(Schema.isMaxLength(64))),
  conference: optional(Schema.Struct(how)).annotate({
    description: "How it joins: the members of the action but its name."
  })
}).annotate({ identifier: "ConferenceParticipantRequest" })
export type ParticipantRequest = typeof ParticipantRequest.Type

const announced = { call_id: optional(KnownCallId) }

export const AnnouncementRequest = Schema.Union([
  Schema.Struct({ say: Say, ...announced }),
  Schema.Struct({ play: Play, ...announced })
]).annotate({ identifier: "ConferenceAnnouncement" })
export type AnnouncementRequest = typeof AnnouncementRequest.Type

export const mediaOf = (request: AnnouncementRequest): AnnouncementMedia =>
  "say" in request ? { kind: "say", loop: 1, ...request.say } : { kind: "play", loop: 1, ...request.play }
