// What can happen to a conference, and how it changes its state. Instants are epoch milliseconds.
import type { Origin } from "../access/Origin.ts"
import type { CallId, GatewayId, WorkspaceId } from "../BrandedIds.ts"
import {
  type Conference,
  type ConferenceEnd,
  type Expelled,
  isPresent,
  type Participant,
  type PresentConference,
  settingsOf
} from "./Conference.ts"
import type { ConferenceResult } from "./ConferenceAction.ts"
import type { AnnouncementMedia, ParticipantSettings } from "./ParticipantSettings.ts"

export type ConferenceEvent =
  | { readonly _tag: "Created"; readonly at: number; readonly workspace_id: WorkspaceId; readonly name: string }
  | {
      readonly _tag: "Joined"
      readonly at: number
      readonly gateway_id: GatewayId
      readonly participant: Participant
    }
  | { readonly _tag: "Started"; readonly at: number }
  | {
      readonly _tag: "Left"
      readonly at: number
      readonly call_id: CallId
      readonly result: ConferenceResult
      /** The call does not know it yet. */
      readonly expelled?: Expelled["result"]
    }
  | {
      readonly _tag: "Changed"
      readonly at: number
      readonly call_id: CallId
      readonly change: Partial<Pick<Participant, "muted" | "deaf" | "held" | "coach">>
    }
  | {
      readonly _tag: "Announced"
      readonly at: number
      readonly media: AnnouncementMedia
      readonly call_ids: ReadonlyArray<CallId>
    }
  /** A customer requested the removal that follows. For the audit log. */
  | { readonly _tag: "RemovalRequested"; readonly at: number; readonly origin: Origin; readonly call_id: CallId }
  /** A customer requested the end that follows. For the audit log. */
  | { readonly _tag: "EndRequested"; readonly at: number; readonly origin: Origin }
  | { readonly _tag: "Ended"; readonly at: number; readonly by: ConferenceEnd }
  | { readonly _tag: "SettingsKnown"; readonly call_id: CallId; readonly version: number }
  | { readonly _tag: "ExpulsionKnown"; readonly call_id: CallId; readonly step: number }
  | { readonly _tag: "RoomClosed" }

type EventOf<Tag extends ConferenceEvent["_tag"]> = Extract<ConferenceEvent, { readonly _tag: Tag }>

/** The events that webhooks tell of. */
export const isPublished = ({ _tag }: ConferenceEvent): boolean =>
  ["Joined", "Started", "Left", "Changed", "Ended"].includes(_tag)

/** The conference that this event creates. */
export const createConference = (
  { id }: Conference,
  { at, name, workspace_id }: EventOf<"Created">
): PresentConference => ({
  status: "waiting",
  id,
  workspace_id,
  name,
  gateway_id: null,
  created_at: at,
  started_at: null,
  ended_at: null,
  ended_by: null,
  participants: [],
  expelled: [],
  joined: 0,
  peak: 0,
  announcements: 0,
  room_closed: false,
  sequence: 0
})

const withParticipant = (
  conference: PresentConference,
  call_id: CallId,
  change: (participant: Participant) => Participant
): PresentConference => ({
  ...conference,
  participants: conference.participants.map((each) => (each.call_id === call_id ? change(each) : each))
})

const joined = (conference: PresentConference, { gateway_id, participant }: EventOf<"Joined">): PresentConference => {
  const participants = [...conference.participants, participant]
  return {
    ...conference,
    gateway_id,
    participants,
    joined: conference.joined + 1,
    peak: Math.max(conference.peak, participants.length)
  }
}

const left = (conference: PresentConference, { call_id, expelled: result }: EventOf<"Left">): PresentConference => ({
  ...conference,
  participants: conference.participants.filter((each) => each.call_id !== call_id),
  expelled: [
    ...conference.expelled,
    ...conference.participants.flatMap(({ call_id: id, step }) =>
      result === undefined || id !== call_id ? [] : [{ call_id, step, result }]
    )
  ]
})

const announced = (conference: PresentConference, { call_ids, media }: EventOf<"Announced">): PresentConference => {
  const number = conference.announcements + 1
  return {
    ...conference,
    announcements: number,
    participants: conference.participants.map((each) =>
      call_ids.includes(each.call_id) ? { ...each, announcement: { number, media }, version: each.version + 1 } : each
    )
  }
}

const evolve = (conference: PresentConference, event: ConferenceEvent): PresentConference => {
  switch (event._tag) {
    case "Created":
    case "RemovalRequested":
    case "EndRequested":
      return conference
    case "Joined":
      return joined(conference, event)
    case "Started":
      return { ...conference, status: "in_progress", started_at: event.at }
    case "Left":
      return left(conference, event)
    case "Changed":
      return withParticipant(conference, event.call_id, (each) => ({ ...each, ...event.change }))
    case "Announced":
      return announced(conference, event)
    case "Ended":
      return { ...conference, status: "ended", ended_at: event.at, ended_by: event.by }
    case "SettingsKnown":
      return withParticipant(conference, event.call_id, (each) => ({ ...each, known_version: event.version }))
    case "ExpulsionKnown":
      return {
        ...conference,
        expelled: conference.expelled.filter(({ call_id, step }) => call_id !== event.call_id || step !== event.step)
      }
    case "RoomClosed":
      return { ...conference, room_closed: true }
  }
}

const isSame = (one: ParticipantSettings, other: ParticipantSettings): boolean =>
  one.muted === other.muted &&
  one.held === other.held &&
  one.deaf === other.deaf &&
  one.waiting === other.waiting &&
  one.coach_session_id === other.coach_session_id

/** Raises the version of each participant whose settings have changed: by its own change, or that of another. */
const withVersions = (before: PresentConference, after: PresentConference): PresentConference => {
  const earlier = new Map(before.participants.map((each) => [each.call_id, settingsOf(before, each)]))
  return {
    ...after,
    participants: after.participants.map((each) => {
      const settings = earlier.get(each.call_id)
      return settings === undefined || isSame(settings, settingsOf(after, each))
        ? each
        : { ...each, version: each.version + 1 }
    })
  }
}

/** Events that can change the settings of others. */
const ofAll = new Set<ConferenceEvent["_tag"]>(["Joined", "Started", "Left", "Changed"])

export const evolveConference = (conference: Conference, event: ConferenceEvent): Conference => {
  if (!isPresent(conference)) return event._tag === "Created" ? createConference(conference, event) : conference
  const evolved = evolve(conference, event)
  const after = ofAll.has(event._tag) ? withVersions(conference, evolved) : evolved
  return isPublished(event) ? { ...after, sequence: conference.sequence + 1 } : after
}
