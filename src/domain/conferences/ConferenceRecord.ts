// A conference as customers see it.
import { Schema } from "effect"
import { CallId, ConferenceId } from "../BrandedIds.ts"
import { ConferenceEnd, ConferenceStatus, type Participant, type PresentConference } from "./Conference.ts"
import { IsoInstant, orNull } from "../kit/Fields.ts"
import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { recordOf } from "../kit/RecordOf.ts"

export const ParticipantRecord = Schema.Struct({
  call_id: CallId,
  joined_at: IsoInstant.annotate({ description: "When the call joined." }),
  muted: Schema.Boolean,
  deaf: Schema.Boolean,
  hold: Schema.Boolean.annotate({
    description: "Whether it hears music instead of the others, and they do not hear it."
  }),
  coach: Schema.NullOr(CallId),
  start_on_enter: Schema.Boolean,
  end_on_exit: Schema.Boolean
}).annotate({ identifier: "ConferenceParticipant" })
export type ParticipantRecord = typeof ParticipantRecord.Type

export const ConferenceRecord = Schema.Struct({
  id: ConferenceId.annotate({ description: "The id of the conference." }),
  name: Schema.String.annotate({ description: "The name by which calls join." }),
  status: ConferenceStatus.annotate({
    description:
      "`waiting`: nobody with `start_on_enter` has come. `in_progress`: its participants hear each other. `ended`: it is over."
  }),
  created_at: IsoInstant,
  started_at: orNull(IsoInstant).annotate({ description: "When it started; `null` while it waits." }),
  ended_at: orNull(IsoInstant).annotate({ description: "When it ended; `null` while it lives." }),
  ended_by: Schema.NullOr(ConferenceEnd),
  participant_count: Schema.Int,
  joined_count: Schema.Int,
  peak_participants: Schema.Int,
  participants: Schema.Array(ParticipantRecord)
}).annotate({ identifier: "Conference" })
export type ConferenceRecord = typeof ConferenceRecord.Type

export interface ConferenceFilter {
  readonly status?: typeof ConferenceStatus.Type
  readonly name?: string
}

export const participantRecord = (participant: Participant): ParticipantRecord =>
  recordOf(ParticipantRecord, participant, { joined_at: isoInstant(participant.joined_at), hold: participant.held })

export const conferenceRecord = (conference: PresentConference): ConferenceRecord => {
  const { created_at, ended_at, joined, participants, peak, started_at } = conference
  return recordOf(ConferenceRecord, conference, {
    created_at: isoInstant(created_at),
    started_at: instantOrNull(started_at),
    ended_at: instantOrNull(ended_at),
    participant_count: participants.length,
    joined_count: joined,
    peak_participants: peak,
    participants: participants.map(participantRecord)
  })
}
