// What must be going on while a conference is in its present state.
import type { CallId, ConferenceId, WorkspaceId } from "../BrandedIds.ts"
import { deadline, task, type Work } from "../Decision.ts"
import { type Conference, isPresent, settingsOf } from "./Conference.ts"
import type { ConferenceMessage } from "./ConferenceCommand.ts"
import type { ConferenceResult } from "./ConferenceAction.ts"
import { firstParticipant_ms } from "./DecideConference.ts"
import type { Announcement, ParticipantSettings } from "./ParticipantSettings.ts"

export type ConferenceWork =
  /** Tells the call its settings, until it knows them. */
  | {
      readonly _tag: "TellSettings"
      readonly call_id: CallId
      readonly step: number
      readonly version: number
      readonly settings: ParticipantSettings
      readonly announcement: Announcement | null
    }
  /** Tells the call that it is out, until it knows. */
  | {
      readonly _tag: "TellExpulsion"
      readonly call_id: CallId
      readonly step: number
      readonly result: ConferenceResult
    }
  /** Frees the name. */
  | { readonly _tag: "CloseRoom"; readonly workspace_id: WorkspaceId; readonly conference_id: ConferenceId }

type Plan = ReadonlyArray<Work<ConferenceMessage, ConferenceWork>>

export const planConference = (conference: Conference): Plan => {
  if (!isPresent(conference)) return []
  const { created_at, expelled, id, joined, participants, room_closed, status, workspace_id } = conference
  return [
    ...participants
      .filter(({ known_version, version }) => known_version < version)
      .map((participant) => {
        const { announcement, call_id, step, version } = participant
        const settings = settingsOf(conference, participant)
        const work = { _tag: "TellSettings", call_id, step, version, settings, announcement } as const
        return task(`settings:${call_id}:${step}:${version}`, work)
      }),
    ...expelled.map(({ call_id, result, step }) =>
      task(`expelled:${call_id}:${step}`, { _tag: "TellExpulsion", call_id, step, result } as const)
    ),
    ...(status === "ended" && !room_closed
      ? [task("close", { _tag: "CloseRoom", workspace_id, conference_id: id } as const)]
      : []),
    ...(status !== "ended" && joined === 0
      ? [deadline("nobody", created_at + firstParticipant_ms, { _tag: "NobodyCame" } as const)]
      : [])
  ]
}
