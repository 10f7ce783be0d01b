// The rules of a conference: what each command does.
import { Result } from "effect"
import { decideByPresence, refuse } from "../Command.ts"
import { ConferenceEnded, ConferenceNotFound, ParticipantNotFound } from "../errors/ConferenceErrors.ts"
import {
  type AbsentConference,
  type ConferenceEnd,
  type Expelled,
  isPresent,
  type Participant,
  participantOf,
  type PresentConference
} from "./Conference.ts"
import { type ConferenceResult, defaultMaxParticipants } from "./ConferenceAction.ts"
import type { ConferenceCommands, ConferenceMessage, ConferenceRules } from "./ConferenceCommand.ts"
import { type ConferenceEvent, createConference, evolveConference } from "./ConferenceEvent.ts"
import { conferenceRecord, participantRecord } from "./ConferenceRecord.ts"

type Events = ReadonlyArray<ConferenceEvent>

const done = (...events: Events) => Result.succeed({ events, reply: undefined })
const nothing = done()

const after = (conference: PresentConference, events: Events): PresentConference =>
  events.reduce<PresentConference>((state, event) => {
    const next = evolveConference(state, event)
    return isPresent(next) ? next : state
  }, conference)

/** How long a conference waits for its first participant. */
export const firstParticipant_ms = 60_000

/** Everybody who is in is expelled. */
const ended = ({ participants }: PresentConference, by: ConferenceEnd, at: number): Events => [
  ...participants.map(({ call_id }) => ({ _tag: "Left", at, call_id, result: "ended", expelled: "ended" }) as const),
  { _tag: "Ended", at, by }
]

/** A participant goes. The conference ends with the last one, and with one whose `end_on_exit` says so. */
const leaves = (
  conference: PresentConference,
  { call_id, end_on_exit }: Participant,
  {
    at,
    expelled,
    result
  }: { readonly at: number; readonly result: ConferenceResult; readonly expelled?: Expelled["result"] }
): Events => {
  const left: ConferenceEvent = { _tag: "Left", at, call_id, result, ...(expelled && { expelled }) }
  const rest = after(conference, [left])
  if (rest.participants.length === 0) return [left, ...ended(rest, end_on_exit ? "host_left" : "everyone_left", at)]
  return end_on_exit ? [left, ...ended(rest, "host_left", at)] : [left]
}

const newParticipant = (
  { action, call_id, session_id, step }: ConferenceMessage<"Join">,
  joined_at: number
): Participant => ({
  call_id,
  session_id,
  step,
  joined_at,
  muted: action.muted ?? false,
  deaf: action.deaf ?? false,
  held: false,
  start_on_enter: action.start_on_enter ?? true,
  end_on_exit: action.end_on_exit ?? false,
  beep: action.beep ?? "none",
  wait: action.wait ?? "music",
  coach: action.coach ?? null,
  announcement: null,
  version: 1,
  known_version: 0
})

const joins = (conference: PresentConference, command: ConferenceMessage<"Join">, at: number): Events => {
  const participant = newParticipant(command, at)
  const joined: ConferenceEvent = { _tag: "Joined", at, gateway_id: command.gateway_id, participant }
  return participant.start_on_enter && conference.status === "waiting" ? [joined, { _tag: "Started", at }] : [joined]
}

const join: ConferenceRules["Join"] = (conference, command, now) => {
  const { action, call_id, gateway_id, step, workspace_id } = command
  const answer = <Reply extends string>(reply: Reply, events: Events = []) => Result.succeed({ events, reply })
  if (conference.status === "ended" || conference.workspace_id !== workspace_id) return answer("gone")
  const present = participantOf(conference, call_id)
  if (present !== undefined && present.step >= step) return answer("joined")
  // The same call has come again before the conference has heard that it had left.
  const leaving: Events = present === undefined ? [] : [{ _tag: "Left", at: now, call_id, result: "left" }]
  const rest = after(conference, leaving)
  if (rest.participants.length > 0 && rest.gateway_id !== gateway_id) return answer("other_gateway", leaving)
  if (rest.participants.length >= (action.max_participants ?? defaultMaxParticipants)) return answer("full", leaving)
  return answer("joined", [...leaving, ...joins(rest, command, now)])
}

/** The participant that an event of this step is about. */
const inStep = (
  conference: PresentConference,
  { call_id, step }: Pick<Participant, "call_id" | "step">
): Participant | undefined => {
  const participant = participantOf(conference, call_id)
  return participant?.step === step ? participant : undefined
}

const settingsKnown: ConferenceRules["SettingsKnown"] = (conference, command, now) => {
  const participant = inStep(conference, command)
  if (participant === undefined) return nothing
  if (!command.present) return done(...leaves(conference, participant, { at: now, result: "left" }))
  return command.version > participant.known_version
    ? done({ _tag: "SettingsKnown", call_id: command.call_id, version: command.version })
    : nothing
}

/** The conference, if customers of this workspace may change it now. */
const changeable = (conference: PresentConference, { workspace_id }: Pick<PresentConference, "workspace_id">) => {
  if (conference.workspace_id !== workspace_id) return new ConferenceNotFound()
  return conference.status === "ended" ? new ConferenceEnded() : undefined
}

const change: ConferenceRules["Change"] = (conference, command, now) => {
  const refusal = changeable(conference, command)
  if (refusal !== undefined) return refuse(refusal)
  const { call_id } = command
  const { hold: held, ...rest } = command.change
  const participant = participantOf(conference, call_id)
  if (participant === undefined || rest.coach === call_id) return refuse(new ParticipantNotFound())
  if (rest.coach !== undefined && rest.coach !== null && participantOf(conference, rest.coach) === undefined)
    return refuse(new ParticipantNotFound())
  const wanted = { ...rest, ...(held !== undefined && { held }) }
  const next = { ...participant, ...wanted }
  const same = (["muted", "deaf", "held", "coach"] as const).every((name) => next[name] === participant[name])
  return Result.succeed({
    events: same ? [] : [{ _tag: "Changed", at: now, call_id, change: wanted }],
    reply: participantRecord(next)
  })
}

const remove: ConferenceRules["Remove"] = (conference, command, now) => {
  const refusal = changeable(conference, command)
  if (refusal !== undefined) return refuse(refusal)
  const { call_id, origin } = command
  const participant = participantOf(conference, call_id)
  if (participant === undefined) return refuse(new ParticipantNotFound())
  return done(
    ...(origin === undefined ? [] : [{ _tag: "RemovalRequested", at: now, origin, call_id } as const]),
    ...leaves(conference, participant, { at: now, result: "removed", expelled: "removed" })
  )
}

const announce: ConferenceRules["Announce"] = (conference, command, now) => {
  const refusal = changeable(conference, command)
  if (refusal !== undefined) return refuse(refusal)
  const { call_id, media } = command
  if (call_id !== undefined && participantOf(conference, call_id) === undefined)
    return refuse(new ParticipantNotFound())
  const call_ids = call_id === undefined ? conference.participants.map((each) => each.call_id) : [call_id]
  return done({ _tag: "Announced", at: now, media, call_ids })
}

const end: ConferenceRules["End"] = (conference, { origin, workspace_id }, now) => {
  if (conference.workspace_id !== workspace_id) return refuse(new ConferenceNotFound())
  if (conference.status === "ended") return Result.succeed({ events: [], reply: conferenceRecord(conference) })
  const events: Events = [
    ...(origin === undefined ? [] : [{ _tag: "EndRequested", at: now, origin } as const]),
    ...ended(conference, "requested", now)
  ]
  return Result.succeed({ events, reply: conferenceRecord(after(conference, events)) })
}

const present: ConferenceRules = {
  Begin: () => nothing,
  Join: join,
  Leave: (conference, command, now) => {
    const participant = inStep(conference, command)
    return participant === undefined
      ? nothing
      : done(...leaves(conference, participant, { at: now, result: command.result }))
  },
  SettingsKnown: settingsKnown,
  ExpulsionKnown: (conference, { call_id, step }) =>
    conference.expelled.some((each) => each.call_id === call_id && each.step === step)
      ? done({ _tag: "ExpulsionKnown", call_id, step })
      : nothing,
  RoomClosed: (conference) => (conference.room_closed ? nothing : done({ _tag: "RoomClosed" })),
  Get: (conference) => Result.succeed({ events: [], reply: conferenceRecord(conference) }),
  Change: change,
  Remove: remove,
  Announce: announce,
  End: end,
  NobodyCame: (conference, _command, now) =>
    conference.joined === 0 && conference.status !== "ended"
      ? done(...ended(conference, "everyone_left", now))
      : nothing
}

const notFound = () => refuse(new ConferenceNotFound())

const absent: ConferenceRules<AbsentConference> = {
  Begin: (_conference, { name, workspace_id }, now) => done({ _tag: "Created", at: now, workspace_id, name }),
  Join: (conference, command, now) => {
    const { action, workspace_id } = command
    const created: ConferenceEvent = { _tag: "Created", at: now, workspace_id, name: action.name }
    return Result.map(join(createConference(conference, created), command, now), (decision) => ({
      ...decision,
      events: [created, ...decision.events]
    }))
  },
  Leave: () => nothing,
  SettingsKnown: () => nothing,
  ExpulsionKnown: () => nothing,
  RoomClosed: () => nothing,
  Get: notFound,
  Change: notFound,
  Remove: notFound,
  Announce: notFound,
  End: notFound,
  NobodyCame: () => nothing
}

export const decideConference = decideByPresence<
  AbsentConference,
  PresentConference,
  ConferenceCommands,
  ConferenceEvent
>({ isPresent, absent, present })
