// What a change of a conference writes: its row, the events that webhooks deliver, and the audit log.
import { auditRow } from "../access/Origin.ts"
import type { Change, Step } from "../Decision.ts"
import type { AuditRow, Column, EventRow } from "../journal/Rows.ts"
import { publishedEvent } from "../journal/PublishedEvent.ts"
import { type Conference, isPresent, participantOf, type PresentConference } from "./Conference.ts"
import type { ConferenceEvent } from "./ConferenceEvent.ts"
import { conferenceRecord, participantRecord } from "./ConferenceRecord.ts"
import { conferenceState } from "./StoredConference.ts"
import { isoInstant } from "../kit/Instants.ts"

interface Recorded {
  readonly workspace_id: PresentConference["workspace_id"]
  readonly state: string
  readonly columns: Readonly<Record<string, Column>>
  readonly events: ReadonlyArray<EventRow>
  readonly audit: ReadonlyArray<AuditRow>
}

const facts = ({ id, name, participants, status, workspace_id }: PresentConference, at: number) => ({
  workspace_id,
  conference_id: id,
  name,
  status,
  participant_count: participants.length,
  at: isoInstant(at)
})

/** The payload of the event that webhooks deliver; undefined if they deliver none. */
const payloadOf = (before: Conference, event: ConferenceEvent, after: PresentConference) => {
  switch (event._tag) {
    case "Started":
      return { kind: "conference.started", ...facts(after, event.at) } as const
    case "Joined":
      return {
        kind: "conference.participant_joined",
        ...facts(after, event.at),
        call_id: event.participant.call_id,
        participant: participantRecord(event.participant)
      } as const
    case "Changed": {
      const participant = participantOf(after, event.call_id)
      return participant === undefined
        ? undefined
        : ({
            kind: "conference.participant_updated",
            ...facts(after, event.at),
            call_id: event.call_id,
            participant: participantRecord(participant)
          } as const)
    }
    case "Left": {
      const participant = isPresent(before) ? participantOf(before, event.call_id) : undefined
      const joined_at = participant?.joined_at ?? event.at
      return {
        kind: "conference.participant_left",
        ...facts(after, event.at),
        call_id: event.call_id,
        result: event.result,
        duration_seconds: Math.ceil(Math.max(0, event.at - joined_at) / 1000)
      } as const
    }
    case "Ended": {
      const { joined_count, peak_participants, ended_by } = conferenceRecord(after)
      return {
        kind: "conference.ended",
        ...facts(after, event.at),
        ended_by: ended_by ?? event.by,
        joined_count,
        peak_participants
      } as const
    }
    default:
      return undefined
  }
}

export const conferenceEvents = (
  steps: ReadonlyArray<Step<Conference, ConferenceEvent>>,
  uuid: () => string
): ReadonlyArray<EventRow> =>
  steps.flatMap(({ after, before, event }) => {
    if (!isPresent(after) || !("at" in event)) return []
    const payload = payloadOf(before, event, after)
    const { id: subject_id, sequence, workspace_id } = after
    return payload === undefined
      ? []
      : [publishedEvent(uuid(), { workspace_id, subject_id, sequence, at: event.at, payload })]
  })

/** Which customer removed a participant, or ended the conference. */
const audited = ({ id, name, workspace_id }: PresentConference, event: ConferenceEvent): ReadonlyArray<AuditRow> => {
  const target = { type: "conference", id }
  switch (event._tag) {
    case "RemovalRequested":
      return [
        auditRow(event.origin, {
          workspace_id,
          action_kind: "conference.participant_removed",
          target,
          after: { name, call_id: event.call_id },
          at: event.at
        })
      ]
    case "EndRequested":
      return [
        auditRow(event.origin, {
          workspace_id,
          action_kind: "conference.ended",
          target,
          after: { name, ended_by: "requested" },
          at: event.at
        })
      ]
    default:
      return []
  }
}

export const recordConference = ({
  after,
  steps,
  uuid
}: Change<Conference, ConferenceEvent> & { readonly after: PresentConference }): Recorded => ({
  workspace_id: after.workspace_id,
  state: conferenceState.write(after),
  columns: { name: after.name, status: after.status, created_at: after.created_at },
  events: conferenceEvents(steps, uuid),
  audit: steps.flatMap(({ event }) => audited(after, event))
})
