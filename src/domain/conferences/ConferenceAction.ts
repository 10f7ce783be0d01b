// The payload of the action `conference` (docs/conferences.md), and how a call's part in a conference ends.
import { Schema } from "effect"
import { CallId } from "../BrandedIds.ts"
import { between, HttpUrl, matching } from "../kit/CallFields.ts"
import { optional } from "../kit/Fields.ts"

export const maxConference_seconds = 14_400
export const defaultMaxParticipants = 10
/** No conference has more participants, whatever its participants ask for. */
export const participantsMax = 100

/** Any text of one line: it is only ever compared and shown. */
export const ConferenceName = matching(/^[^\p{Cc}\p{Surrogate}]+$/u, 64)

/** The id of a call as a customer writes it: lower case, as the engine makes it. */
export const KnownCallId = CallId.check(Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u))

/** When the others hear a beep. */
export const ConferenceBeep = Schema.Literals(["both", "enter", "exit", "none"])
export type ConferenceBeep = typeof ConferenceBeep.Type

/** What a participant hears until the conference starts: `music`, `silence`, or the URL of a sound. */
export const ConferenceWait = Schema.Union([Schema.Literals(["music", "silence"]), HttpUrl])
export type ConferenceWait = typeof ConferenceWait.Type

export const ConferenceAction = Schema.Struct({
  name: ConferenceName,
  muted: optional(Schema.Boolean),
  deaf: optional(Schema.Boolean),
  start_on_enter: optional(Schema.Boolean),
  end_on_exit: optional(Schema.Boolean),
  max_participants: optional(between(2, participantsMax)),
  wait: optional(ConferenceWait),
  beep: optional(ConferenceBeep),
  coach: optional(KnownCallId),
  time_limit: optional(between(1, maxConference_seconds)),
  action_url: optional(HttpUrl)
}).annotate({ description: "Connects the call with the others of a conference." })
export type ConferenceAction = typeof ConferenceAction.Type

/**
 * How a call's part in a conference ended. `left`: the call hung up or got new actions. `ended`: the conference ended.
 * `removed`: by `DELETE /v1/conferences/{id}/participants/{call_id}`. `full`: the conference had `max_participants`.
 * `limit_reached`: the workspace has too many conferences. `other_gateway`: the conference is on another PBX gateway.
 * `media_failed`: the PBX could not connect the call.
 */
export const ConferenceResult = Schema.Literals([
  "left",
  "ended",
  "removed",
  "full",
  "time_limit",
  "limit_reached",
  "other_gateway",
  "media_failed"
])
export type ConferenceResult = typeof ConferenceResult.Type
