// A call's part in a conference, as the call knows it. Instants of events are epoch milliseconds. Its members are
// stored with the call, so they keep their spelling.
import { Schema } from "effect"
import { ConferenceId } from "../BrandedIds.ts"
import { Count, FiniteMs, orNull } from "../kit/Fields.ts"
import { ConferenceAction, ConferenceResult } from "./ConferenceAction.ts"
import { Announcement, ParticipantSettings } from "./ParticipantSettings.ts"

const Joined = Schema.Struct({
  conference_id: ConferenceId,
  at: FiniteMs,
  /** The version of the settings. */
  version: Count,
  settings: ParticipantSettings,
  /** When the call was told the announcement. */
  announced_at: FiniteMs,
  announcement: orNull(Announcement)
})

export const ConferencePart = Schema.Struct({
  /** The step of the script that joins. */
  step: Count,
  since: FiniteMs,
  action: ConferenceAction,
  /** Null until the conference has let the call in. */
  joined: orNull(Joined),
  left: orNull(Schema.Struct({ at: FiniteMs, result: ConferenceResult })),
  /** The conference knows that the call has left. */
  told: Schema.Boolean
})
export type ConferencePart = typeof ConferencePart.Type

export type ConferencePartEvent =
  /** The conference has let the call in, or has changed its settings. */
  | {
      readonly _tag: "ConferenceChanged"
      readonly at: number
      readonly step: number
      readonly conference_id: ConferenceId
      readonly version: number
      readonly settings: ParticipantSettings
      readonly announcement: Announcement | null
    }
  /** `told`: the conference knows it already. */
  | {
      readonly _tag: "ConferenceLeft"
      readonly at: number
      readonly step: number
      readonly result: ConferenceResult
      readonly told: boolean
    }
  | { readonly _tag: "ConferenceTold"; readonly step: number }

/** Whether nothing is left to do for the part. */
const isDone = ({ joined, left, told }: ConferencePart): boolean => left !== null && (told || joined === null)

/** Ends the parts that are still open: the call does something else, or is over. */
export const leaveConferences = (parts: ReadonlyArray<ConferencePart>, at: number): ReadonlyArray<ConferencePart> =>
  parts.map((part) => (part.left === null ? { ...part, left: { at, result: "left" } } : part))

/** Begins a part. Parts with nothing left to do are forgotten. */
export const beginConference = (
  parts: ReadonlyArray<ConferencePart>,
  action: ConferenceAction,
  { at, step }: { readonly at: number; readonly step: number }
): ReadonlyArray<ConferencePart> => [
  ...leaveConferences(parts, at).filter((part) => !isDone(part)),
  { step, since: at, action, joined: null, left: null, told: false }
]

const changed = (part: ConferencePart, event: Extract<ConferencePartEvent, { _tag: "ConferenceChanged" }>) => {
  const { announcement, at, conference_id, settings, version } = event
  const before = part.joined
  const isNew = announcement !== null && announcement.number !== before?.announcement?.number
  return {
    ...part,
    joined: {
      conference_id,
      at: before?.at ?? at,
      version,
      settings,
      announced_at: isNew ? at : (before?.announced_at ?? 0),
      announcement
    }
  }
}

const evolvePart = (part: ConferencePart, event: ConferencePartEvent): ConferencePart => {
  switch (event._tag) {
    case "ConferenceChanged":
      return changed(part, event)
    case "ConferenceLeft":
      return part.left === null
        ? { ...part, left: { at: event.at, result: event.result }, told: event.told }
        : { ...part, told: part.told || event.told }
    case "ConferenceTold":
      return { ...part, told: true }
  }
}

export const evolveConferences = (
  parts: ReadonlyArray<ConferencePart> = [],
  event: ConferencePartEvent
): ReadonlyArray<ConferencePart> => parts.map((part) => (part.step === event.step ? evolvePart(part, event) : part))

/** What `action_url` is told. */
export const conferenceResult = ({ action: { name }, joined, left }: ConferencePart) => ({
  status: left?.result ?? "left",
  name,
  conference_id: joined?.conference_id ?? null,
  duration_seconds: joined === null || left === null ? 0 : Math.ceil(Math.max(0, left.at - joined.at) / 1000)
})
