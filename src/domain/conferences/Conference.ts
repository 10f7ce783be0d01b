// The state of a conference. Instants are epoch milliseconds. Its members are stored, so they keep their spelling.
import type { CallId, ConferenceId, GatewayId, SessionId, WorkspaceId } from "../BrandedIds.ts"
import type { ConferenceBeep, ConferenceResult, ConferenceWait } from "./ConferenceAction.ts"
import type { Announcement, ParticipantSettings } from "./ParticipantSettings.ts"

/** A call that takes part. */
export interface Participant {
  readonly call_id: CallId
  readonly session_id: SessionId
  /** The step of the call's script that joined: a call that comes again has another one. */
  readonly step: number
  readonly joined_at: number
  readonly muted: boolean
  readonly deaf: boolean
  readonly held: boolean
  readonly start_on_enter: boolean
  readonly end_on_exit: boolean
  readonly beep: ConferenceBeep
  readonly wait: ConferenceWait
  /** The participant who alone hears this one. */
  readonly coach: CallId | null
  readonly announcement: Announcement | null
  /** Raised by every change of the settings. */
  readonly version: number
  /** The version that the call knows. 0: the call does not know yet that it is in. */
  readonly known_version: number
}

/** A call that is no longer in, and must be told why. */
export interface Expelled {
  readonly call_id: CallId
  readonly step: number
  readonly result: Extract<ConferenceResult, "ended" | "removed">
}

/** `waiting`: nobody with `start_on_enter` has come yet. */
export type ConferenceStatus = "waiting" | "in_progress" | "ended"

/** `everyone_left`: also if nobody came at all. `host_left`: a participant with `end_on_exit`. */
export type ConferenceEnd = "everyone_left" | "host_left" | "requested"

export interface PresentConference {
  readonly status: ConferenceStatus
  readonly id: ConferenceId
  readonly workspace_id: WorkspaceId
  readonly name: string
  /** The gateway of its participants; null before the first. */
  readonly gateway_id: GatewayId | null
  readonly created_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly ended_by: ConferenceEnd | null
  /** In the order in which they came. */
  readonly participants: ReadonlyArray<Participant>
  readonly expelled: ReadonlyArray<Expelled>
  /** How many calls have joined, and how many were in at once at most. */
  readonly joined: number
  readonly peak: number
  /** How many announcements there were. */
  readonly announcements: number
  /** Whether the name is free again. */
  readonly room_closed: boolean
  /** How many published events there were. */
  readonly sequence: number
}

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
