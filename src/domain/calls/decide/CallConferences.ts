// The conferences of a call: what must be under way for them, what the conference tells the call, and how the script
// goes on.
import { Result } from "effect"
import type { ConferenceId } from "../../BrandedIds.ts"
import { deadline, type Deadline, type Task, task } from "../../Decision.ts"
import {
  type ConferenceAction,
  type ConferenceResult,
  maxConference_seconds
} from "../../conferences/ConferenceAction.ts"
import type { ConferencePart } from "../../conferences/ConferencePart.ts"
import type { PbxCommand } from "../../pbx/PbxCommand.ts"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import { advanced } from "./AdvanceScript.ts"
import type { Call, PlacedCall } from "../state/Call.ts"
import type { CallRules } from "../state/CallCommand.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import { happened, nothing } from "../state/Decided.ts"

const none: ReadonlyArray<ConferencePart> = []
const partsOf = (call: Call): ReadonlyArray<ConferencePart> => call.conferences ?? none
const openPart = (call: Call, step: number): ConferencePart | undefined =>
  partsOf(call).find((part) => part.step === step && part.left === null)

/** The call is out of the conference, and its script goes on. */
const leave = (call: PlacedCall, step: number, result: ConferenceResult, told: boolean, now: number) =>
  openPart(call, step) === undefined
    ? nothing
    : happened(...advanced(call, [{ _tag: "ConferenceLeft", at: now, step, result, told }], now))

export const conferenceRules = {
  /** The conference exists, but does not let the call in: there is nothing to tell it. */
  ConferenceRefused: (call, { result, step }, now) => leave(call, step, result, true, now),
  ConferenceSettings: (call, { _tag: _, ...told }, now) => {
    const part = openPart(call, told.step)
    if (part === undefined || call.phase !== "answered") return Result.succeed({ events: [], reply: false })
    const isNew = part.joined === null || part.joined.version < told.version
    return Result.succeed({
      events: isNew ? [{ _tag: "ConferenceChanged", at: now, ...told }] : [],
      reply: true
    })
  },
  ConferenceExpelled: (call, { result, step }, now) => leave(call, step, result, true, now),
  ConferenceTold: (call, { step }) =>
    partsOf(call).some((part) => part.step === step && !part.told)
      ? happened({ _tag: "ConferenceTold", step })
      : nothing,
  ConferenceTimeUp: (call, { step }, now) => leave(call, step, "time_limit", false, now)
} satisfies Partial<CallRules>

/** The PBX could not connect the call with its conference. */
export const conferenceFailed = (call: PlacedCall, { data }: PbxEvent, now: number): ReadonlyArray<CallEvent> => {
  const part = partsOf(call).find(({ joined, left }) => left === null && joined?.conference_id === data.conference_id)
  return part === undefined
    ? []
    : advanced(call, [{ _tag: "ConferenceLeft", at: now, step: part.step, result: "media_failed", told: false }], now)
}

/** How long an announcement may be late. */
const announcementLate_ms = 30_000

/** A task of a call in a conference. */
export type ConferenceWork =
  | { readonly _tag: "JoinConference"; readonly step: number; readonly action: ConferenceAction }
  | {
      readonly _tag: "LeaveConference"
      readonly step: number
      readonly conference_id: ConferenceId
      readonly result: ConferenceResult
    }

type TimeUp = { readonly _tag: "ConferenceTimeUp"; readonly step: number }

interface ConferenceCommandsOfCall {
  readonly join: (part: ConferencePart) => PbxCommand | undefined
  readonly leave: (part: ConferencePart) => PbxCommand | undefined
  readonly announce: (part: ConferencePart) => PbxCommand | undefined
}

const planOpen = <Send>(
  part: ConferencePart,
  commands: ConferenceCommandsOfCall,
  send: (command: PbxCommand, until?: number) => Send
): ReadonlyArray<Task<Send | ConferenceWork> | Deadline<TimeUp>> => {
  const { action, joined, since, step } = part
  const join = commands.join(part)
  const announce = commands.announce(part)
  return [
    ...(join === undefined
      ? [task(`conference:${step}`, { _tag: "JoinConference" as const, step, action })]
      : [task(join.id, send(join))]),
    ...(announce === undefined || joined === null
      ? []
      : [task(announce.id, send(announce, joined.announced_at + announcementLate_ms))]),
    deadline<TimeUp>(`conference:${step}:end`, since + (action.time_limit ?? maxConference_seconds) * 1000, {
      _tag: "ConferenceTimeUp",
      step
    })
  ]
}

/**
 * While the call is answered it is in its newest conference, or is taken out of it. Whatever the call does, it tells
 * each conference that it has left.
 */
export const planConferences = <Send>(
  call: PlacedCall,
  commands: ConferenceCommandsOfCall,
  send: (command: PbxCommand, until?: number) => Send
): ReadonlyArray<Task<Send | ConferenceWork> | Deadline<TimeUp>> => {
  const parts = partsOf(call)
  const newest = parts.at(-1)
  const leaving = newest === undefined || newest.left === null ? undefined : commands.leave(newest)
  return [
    ...(call.phase === "answered" && newest?.left === null ? planOpen(newest, commands, send) : []),
    ...(call.phase === "answered" && leaving !== undefined ? [task(leaving.id, send(leaving))] : []),
    ...parts.flatMap(({ joined, left, step, told }) =>
      joined === null || left === null || told
        ? []
        : [
            task(`left:${step}`, {
              _tag: "LeaveConference" as const,
              step,
              conference_id: joined.conference_id,
              result: left.result
            })
          ]
    )
  ]
}
