// The state of a conference. Instants are epoch milliseconds. Its members are stored, so they keep their spelling.
import { Schema } from "effect"
import { CallId, ConferenceId, GatewayId, SessionId, WorkspaceId } from "../BrandedIds.ts"
import { Count, EpochMs, orNull } from "../kit/Fields.ts"
import { ConferenceBeep, ConferenceWait } from "./ConferenceAction.ts"
import { Announcement, type ParticipantSettings } from "./ParticipantSettings.ts"

/** A call that takes part. */
const Participant = Schema.Struct({
  call_id: CallId,
  session_id: SessionId,
  /** The step of the call's script that joined: a call that comes again has another one. */
  step: Count,
  joined_at: EpochMs,
  muted: Schema.Boolean,
  deaf: Schema.Boolean,
  held: Schema.Boolean,
  start_on_enter: Schema.Boolean,
  end_on_exit: Schema.Boolean,
  beep: ConferenceBeep,
  wait: ConferenceWait,
  /** The participant who alone hears this one. */
  coach: orNull(CallId),
  announcement: orNull(Announcement),
  /** Raised by every change of the settings. */
  version: Count,
  /** The version that the call knows. 0: the call does not know yet that it is in. */
  known_version: Count
})
export type Participant = typeof Participant.Type

/** A call that is no longer in, and must be told why. */
const Expelled = Schema.Struct({ call_id: CallId, step: Count, result: Schema.Literals(["ended", "removed"]) })
export type Expelled = typeof Expelled.Type

/** `waiting`: nobody with `start_on_enter` has come yet. */
export const ConferenceStatus = Schema.Literals(["waiting", "in_progress", "ended"])

/** `everyone_left`: also if nobody came at all. `host_left`: a participant with `end_on_exit`. */
export const ConferenceEnd = Schema.Literals(["everyone_left", "host_left", "requested"])
export type ConferenceEnd = typeof ConferenceEnd.Type

export const PresentConference = Schema.Struct({
  status: ConferenceStatus,
  id: ConferenceId,
  workspace_id: WorkspaceId,
  name: Schema.String,
  /** The gateway of its participants; null before the first. */
  gateway_id: orNull(GatewayId),
  created_at: EpochMs,
  started_at: orNull(EpochMs),
  ended_at: orNull(EpochMs),
  ended_by: orNull(ConferenceEnd),
  /** In the order in which they came. */
  participants: Schema.Array(Participant),
  expelled: Schema.Array(Expelled),
  /** How many calls have joined, and how many were in at once at most. */
  joined: Count,
  peak: Count,
  /** How many announcements there were. */
  announcements: Count,
  /** Whether the name is free again. */
  room_closed: Schema.Boolean,
  /** How many published events there were. */
  sequence: Count
})
export type PresentConference = typeof PresentConference.Type

export interface AbsentConference {
  readonly status: "absent"
  readonly id: ConferenceId
}

export type Conference = AbsentConference | PresentConference

export const absentConference = (id: ConferenceId): AbsentConference => ({ status: "absent", id })

export const isPresent = (conference: Conference): conference is PresentConference => conference.status !== "absent"

export const participantOf = ({ participants }: PresentConference, call_id: CallId): Participant | undefined =>
  participants.find((each) => each.call_id === call_id)

/**
 * What the PBX is to do for a participant now. A coach whose participant is not in is heard by nobody; until the
 * conference starts, everybody waits.
 */
export const settingsOf = (conference: PresentConference, participant: Participant): ParticipantSettings => {
  const { beep, coach, deaf, held, muted, wait } = participant
  const coached = coach === null ? undefined : participantOf(conference, coach)
  return {
    muted: muted || (coach !== null && coached === undefined),
    deaf,
    held,
    waiting: conference.status === "waiting",
    wait,
    beep,
    coach_session_id: coached?.session_id ?? null
  }
}
