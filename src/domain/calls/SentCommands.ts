// What the PBX was told to do for a call, and when the call decided it: kept with the call, for the timeline. Questions
// after the state of a session (snapshots) are left out.
import { recordWish } from "../recordings/RecordMode.ts"
import type { Call, SentCommand } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import { actionCommandId } from "./PbxCommands.ts"

/** Of a call that goes on and on the last are kept. */
const kept_max = 50

const isLive = ({ phase }: Call): boolean => phase === "ringing" || phase === "answered"

const action = (call: Call): ReadonlyArray<string> => {
  const id = call.phase === "answered" ? actionCommandId(call) : undefined
  return id === undefined ? [] : [id.slice(call.id.length + 1)]
}

/** The legs that were taken before the call itself was answered. */
const bridges = ({ dial }: Call): ReadonlyArray<string> =>
  (dial?.legs ?? []).flatMap(({ call_id, phase }) => (phase === "joined" ? [`bridge:${call_id}`] : []))

/** The commands that the plan asks for from this event on. */
const begunBy = (before: Call, after: Call, event: CallEvent): ReadonlyArray<string> => {
  switch (event._tag) {
    case "Originated":
      return ["originate"]
    case "PbxApplied":
      return before.pbx.seq === 0 && isLive(before) && recordWish(before.facts?.record) !== undefined ? ["record"] : []
    case "Answering":
      return ["answer"]
    case "Answered":
      return event.question === null ? [...action(after), ...bridges(after)] : []
    case "CallbackAnswered":
    case "ActionDone":
      return action(after)
    case "ActionsReplaced":
      return event.cut_command_id === null ? action(after) : [`cut:${after.script!.step}`, ...action(after)]
    case "ChildJoined":
      return after.phase === "answered" ? [`bridge:${event.child_call_id}`] : []
    case "Switched":
      return [`${event.what}:${after[event.what]!.count}`]
    case "TalkLimited":
      return after.talk_limit!.count === 0 ? [] : [`limit:${after.talk_limit!.count}`]
    case "HungUp":
      return after.pbx.closed ? [] : ["hangup"]
    case "AnswerIgnored":
      return [`hangup:${event.at}`]
    default:
      return []
  }
}

const at = (event: CallEvent): number => {
  if (event._tag === "Originated") return event.facts.created_at
  return event._tag === "HungUp" ? (event.decided_at ?? event.at) : "at" in event ? event.at : 0
}

/** A hang-up that another one takes the place of in the same instant was never sent. */
const earlier = (commands: ReadonlyArray<SentCommand>, event: CallEvent): ReadonlyArray<SentCommand> => {
  const last = commands.at(-1)
  return event._tag === "AnswerIgnored" && last?.[0] === "hangup" && last[1] === event.at
    ? commands.slice(0, -1)
    : commands
}

export const withSentCommands = (before: Call, after: Call, event: CallEvent): Call => {
  const begun = begunBy(before, after, event)
  if (begun.length === 0) return after
  const told_at = at(event)
  const before_it = earlier(after.commands ?? [], event)
  return { ...after, commands: [...before_it, ...begun.map((id): SentCommand => [id, told_at])].slice(-kept_max) }
}
