// What the conference tells the call of a participant, and the call its PBX.
import { Schema } from "effect"
import { SessionId } from "../BrandedIds.ts"
import { Text } from "../kit/CallFields.ts"
import { ConferenceBeep, ConferenceWait } from "./ConferenceAction.ts"

export const ParticipantSettings = Schema.Struct({
  /** The others do not hear this one. */
  muted: Schema.Boolean,
  /** This one does not hear the others. */
  deaf: Schema.Boolean,
  /** This one hears music, and nobody hears it. */
  held: Schema.Boolean,
  /** The conference has not started: this one hears `wait`. */
  waiting: Schema.Boolean,
  wait: ConferenceWait,
  beep: ConferenceBeep,
  /** The session of the participant who alone hears this one. Null: all hear it. */
  coach_session_id: Schema.NullOr(SessionId)
})
export type ParticipantSettings = typeof ParticipantSettings.Type

/** What an announcement says or plays. */
export const AnnouncementMedia = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("say"),
    text: Text(3000),
    voice: Schema.optionalKey(Text(64)),
    language: Schema.optionalKey(Text(35)),
    loop: Schema.Int
  }),
  Schema.Struct({ kind: Schema.Literal("play"), url: Text(2048), loop: Schema.Int })
])
export type AnnouncementMedia = typeof AnnouncementMedia.Type

/** The newest announcement for a participant. */
export const Announcement = Schema.Struct({ number: Schema.Int, media: AnnouncementMedia })
export type Announcement = typeof Announcement.Type
