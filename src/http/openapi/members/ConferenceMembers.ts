import { type Members, sample } from "./Members.ts"

const id = "01981d5e-0000-7000-8000-000000000020"

/** The members of conferences (docs/conferences.md). */
export const conferenceMembers: Members = {
  conference_id: "The id of the conference.",
  "Conference.id": { example: id },
  "Conference.name": { example: "team" },
  "Conference.status": { example: "in_progress" },
  "Conference.started_at": { example: sample.earlier },
  "Conference.ended_at": { example: null },
  ended_by: ["Why it ended; `null` while it lives.", null],
  participant_count: ["How many calls take part now.", 2],
  joined_count: ["How many times a call has joined.", 3],
  peak_participants: ["How many calls took part at once at most.", 3],
  participants: "The calls that take part now, in the order in which they joined.",
  participant: "How the call takes part.",
  "ConferenceParticipant.joined_at": { example: sample.earlier },
  muted: ["Whether the others do not hear it.", false],
  deaf: ["Whether it does not hear the others.", false],
  "ConferenceParticipant.hold": { example: false },
  "ConferenceParticipantChange.hold": { example: true },
  coach: ["The id of the call that alone hears this one; `null`: all hear it.", null],
  "conference.coach": ["The id of the call that alone hears this one.", sample.call],
  start_on_enter: ["Whether the conference starts when it joins. Default true.", true],
  end_on_exit: ["Whether the conference ends when it leaves. Default false.", false],
  "conference.name": "The name of the conference.",
  max_participants: ["If so many take part, the call is told `full`. Default 10.", 10],
  wait: ["What it hears until the conference starts: `music`, `silence`, or the URL of a sound.", "music"],
  "conference.beep": ["When the others hear a beep: as it joins, as it leaves, at both, or never.", "none"],
  "conference.time_limit": ["The longest time in the conference, in seconds. Default 14,400.", 3_600],
  "ConferenceParticipantRequest.to": { example: "+254711000001" },
  "ConferenceParticipantRequest.from": { example: sample.from },
  "ConferenceAnnouncement.call_id": ["The participant who alone hears it; absent: all do.", sample.call],
  held: "Whether it hears music instead of the others, and they do not hear it.",
  waiting: "Whether the conference has not started, so that it hears `wait`.",
  coach_session_id: "The session that alone hears this one; `null`: all hear it."
}
