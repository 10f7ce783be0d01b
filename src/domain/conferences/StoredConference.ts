// The stored state of a conference.
import { Schema } from "effect"
import { CallId, ConferenceId, GatewayId, SessionId, WorkspaceId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import type { PresentConference } from "./Conference.ts"
import { ConferenceBeep, ConferenceWait } from "./ConferenceAction.ts"
import { ConferenceStatus, EndedBy } from "./ConferenceRecord.ts"
import { Announcement } from "./ParticipantSettings.ts"

const Count = Schema.Int
const Instant = Schema.Int
const orNull = Schema.NullOr

const StoredParticipant = Schema.Struct({
  call_id: CallId,
  session_id: SessionId,
  step: Count,
  joined_at: Instant,
  muted: Schema.Boolean,
  deaf: Schema.Boolean,
  held: Schema.Boolean,
  start_on_enter: Schema.Boolean,
  end_on_exit: Schema.Boolean,
  beep: ConferenceBeep,
  wait: ConferenceWait,
  coach: orNull(CallId),
  announcement: orNull(Announcement),
  version: Count,
  known_version: Count
})

const StoredConference = Schema.Struct({
  status: ConferenceStatus,
  id: ConferenceId,
  workspace_id: WorkspaceId,
  name: Schema.String,
  gateway_id: orNull(GatewayId),
  created_at: Instant,
  started_at: orNull(Instant),
  ended_at: orNull(Instant),
  ended_by: orNull(EndedBy),
  participants: Schema.Array(StoredParticipant),
  expelled: Schema.Array(
    Schema.Struct({ call_id: CallId, step: Count, result: Schema.Literals(["ended", "removed"]) })
  ),
  joined: Count,
  peak: Count,
  announcements: Count,
  room_closed: Schema.Boolean,
  sequence: Count
})

export const conferenceState = storedState({ schema: StoredConference, upgrades: [] })

export const restoreConference = conferenceState.restore((stored): PresentConference => stored)
