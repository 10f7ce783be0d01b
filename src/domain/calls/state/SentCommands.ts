// The PBX commands of a call and when the call decided them: kept with the call for its timeline. Snapshots are left
// out.
import { recordWish } from "../../recordings/RecordMode.ts"
import type { Call, PlacedCall, SentCommand } from "./Call.ts"
import { isOpen } from "../../streams/CallStream.ts"
import type { CallEvent } from "./CallEvent.ts"
import { actionCommandId } from "./PbxCommands.ts"

/** Older entries are dropped. */
const maxCommands = 50
const none: ReadonlyArray<never> = []

/** What the plan tells the PBX about the streams of the call. */
const streamCommands = ({ phase, streams = [] }: Call): ReadonlyArray<string> =>
  phase === "answered"
    ? streams
        .filter(isOpen)
        .flatMap(({ step, stopping_since }) => [
          `stream:${step}`,
          ...(stopping_since === null ? [] : [`stop_stream:${step}`])
        ])
    : []

/** What the plan tells the PBX about the conferences of the call. */
const conferenceCommandIds = ({ conferences = [], phase }: Call): ReadonlyArray<string> =>
  phase === "answered"
    ? conferences.flatMap(({ joined, left, step }) => {
        if (joined === null) return []
        const { announcement, version } = joined
        if (left !== null) return [`leave_conference:${step}`]
        return [
          `conference:${step}:${version}`,
          ...(announcement === null ? [] : [`announcement:${step}:${announcement.number}`])
        ]
      })
    : []

const newCommands = (before: Call, after: Call): ReadonlyArray<string> => {
  if (after.streams === undefined && after.conferences === undefined) return none
  const earlier = [...streamCommands(before), ...conferenceCommandIds(before)]
  return [...streamCommands(after), ...conferenceCommandIds(after)].filter((id) => !earlier.includes(id))
}

const isLive = ({ phase }: Call): boolean => phase === "ringing" || phase === "answered"

const actionCommands = (call: Call): ReadonlyArray<string> => {
  const id = call.phase === "answered" ? actionCommandId(call) : undefined
  return id === undefined ? [] : [id.slice(call.id.length + 1)]
}

/** For legs that were accepted before the call itself was answered. */
const bridges = ({ dial }: Call): ReadonlyArray<string> =>
  (dial?.legs ?? []).flatMap(({ call_id, phase }) => (phase === "joined" ? [`bridge:${call_id}`] : []))

/** Ids of the commands that the plan contains from this event on, without the call's own id. */
const commandsSince = (before: Call, after: Call, event: CallEvent): ReadonlyArray<string> => {
  switch (event._tag) {
    case "Originated":
      return ["originate"]
    case "PbxApplied":
      return before.pbx.seq === 0 && isLive(before) && recordWish(before.facts?.record) !== undefined ? ["record"] : []
    case "Answering":
      return ["answer"]
    case "Answered":
      return event.question === null ? [...actionCommands(after), ...bridges(after)] : []
    case "DialRefused":
    case "CallbackAnswered":
    case "ActionDone":
      return actionCommands(after)
    case "ActionsReplaced":
      return event.cut_command_id === null
        ? actionCommands(after)
        : [`cut:${after.script?.step ?? 0}`, ...actionCommands(after)]
    case "ChildJoined":
      return after.phase === "answered" ? [`bridge:${event.child_call_id}`] : []
    case "Switched":
      return [`${event.what}:${after[event.what]?.count ?? 0}`]
    case "TalkLimited": {
      const { count } = after.talk_limit ?? { count: 0 }
      return count === 0 ? [] : [`limit:${count}`]
    }
    case "HungUp":
      return after.pbx.closed ? [] : ["hangup"]
    case "AnswerIgnored":
    case "StartedLate":
      return [`hangup:${event.at}`]
    default:
      return none
  }
}

const decidedAt = (event: CallEvent): number => {
  if (event._tag === "Originated") return event.facts.created_at
  return event._tag === "HungUp" ? (event.decided_at ?? event.at) : "at" in event ? event.at : 0
}

/** A hang-up that another one replaces at the same instant is never sent. */
const withoutReplaced = (commands: ReadonlyArray<SentCommand>, event: CallEvent): ReadonlyArray<SentCommand> => {
  const last = commands.at(-1)
  const replaces = event._tag === "AnswerIgnored" || event._tag === "StartedLate"
  return replaces && last?.[0] === "hangup" && last[1] === event.at ? commands.slice(0, -1) : commands
}

/** The commands of the call after the event, or undefined if the event adds none. */
export const sentCommands = (
  before: Call,
  after: PlacedCall,
  event: CallEvent
): ReadonlyArray<SentCommand> | undefined => {
  const ids = commandsSince(before, after, event)
  const ofMedia = newCommands(before, after)
  if (ids.length === 0 && ofMedia.length === 0) return undefined
  const at = decidedAt(event)
  const earlier = withoutReplaced(after.commands ?? none, event)
  const sent = [...ids, ...ofMedia].map((id): SentCommand => [id, at])
  return [...earlier, ...sent].slice(-maxCommands)
}
