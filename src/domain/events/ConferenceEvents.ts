import { Schema } from "effect"
import { CallId, ConferenceId, toCallId, toConferenceId } from "../BrandedIds.ts"
import { ConferenceResult } from "../conferences/ConferenceAction.ts"
import { ConferenceEnd, ConferenceStatus } from "../conferences/Conference.ts"
import { ParticipantRecord } from "../conferences/ConferenceRecord.ts"
import { at, workspace_id } from "./ExampleIds.ts"
import { webhookEvent } from "./WebhookEvent.ts"

const { Int, String: Text } = Schema
const Instant = Text.annotate({ format: "date-time" })

const conferenceFields = {
  workspace_id: Text,
  conference_id: ConferenceId,
  name: Text,
  status: ConferenceStatus,
  participant_count: Int,
  at: Instant
}

const conference = {
  workspace_id,
  conference_id: toConferenceId("01981d5e-0000-7000-8000-000000000020"),
  name: "support",
  status: "in_progress",
  participant_count: 2,
  at
} as const

const call_id = toCallId("01981d5e-0000-7000-8000-000000000021")
const participant = {
  call_id,
  joined_at: at,
  muted: false,
  deaf: false,
  hold: false,
  coach: null,
  start_on_enter: true,
  end_on_exit: false
} as const

const ofParticipant = { ...conferenceFields, call_id: CallId, participant: ParticipantRecord }

export const conferenceEvents = [
  webhookEvent("conference.started", { families: [], fields: conferenceFields, example: conference }),
  webhookEvent("conference.participant_joined", {
    families: [],
    fields: ofParticipant,
    example: { ...conference, call_id, participant }
  }),
  webhookEvent("conference.participant_updated", {
    families: [],
    fields: ofParticipant,
    example: { ...conference, call_id, participant: { ...participant, muted: true } }
  }),
  webhookEvent("conference.participant_left", {
    families: [],
    fields: { ...conferenceFields, call_id: CallId, result: ConferenceResult, duration_seconds: Int },
    example: { ...conference, participant_count: 1, call_id, result: "left", duration_seconds: 95 }
  }),
  webhookEvent("conference.ended", {
    families: [],
    fields: { ...conferenceFields, ended_by: ConferenceEnd, joined_count: Int, peak_participants: Int },
    example: {
      ...conference,
      status: "ended",
      participant_count: 0,
      ended_by: "everyone_left",
      joined_count: 3,
      peak_participants: 3
    }
  })
] as const
