import { failure } from "./Failure.ts"

export class ConferenceNotFound extends failure(
  "conferences.not_found",
  404,
  "No conference with this id exists in this workspace."
) {}

export class ParticipantNotFound extends failure(
  "conferences.participant_not_found",
  404,
  "The call is not a participant of this conference.",
  "GET /v1/conferences/{id} lists the participants."
) {}

export class ConferenceEnded extends failure("conferences.ended", 409, "The conference has ended.") {}

export class ConferenceReadFailed extends failure(
  "conferences.read_failed",
  500,
  "The conferences could not be read.",
  "Retry with exponential backoff."
) {}

export const ConferenceErrors = [
  ConferenceNotFound,
  ParticipantNotFound,
  ConferenceEnded,
  ConferenceReadFailed
] as const
