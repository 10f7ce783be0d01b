// Which entry of a timeline caused which: followed through the ids that entries share, and where they share none,
// through what a call can only do because of something else.
import type { CallId } from "../../BrandedIds.ts"
import type { TimelineEntry } from "./TimelineEntry.ts"

/** What is needed of an entry to find its cause. */
export type CausedEntry = Pick<TimelineEntry, "id" | "call_id" | "kind" | "detail">

/** The entries of a timeline in order, by what they are looked up by. Only what stands before `here` is found. */
class Entries {
  private readonly places: ReadonlyMap<string, number>
  private readonly byKind: ReadonlyMap<string, ReadonlyArray<readonly [place: number, entry: CausedEntry]>>
  private here = 0

  /** The call that dialled a leg. */
  readonly parentOf: (call_id: CallId) => CallId | null

  /** `unseen`: ids of entries that stand before all that name them, and are not among the entries. */
  constructor(
    entries: ReadonlyArray<CausedEntry>,
    unseen: ReadonlySet<string>,
    parentOf: (call_id: CallId) => CallId | null
  ) {
    this.parentOf = parentOf
    this.places = new Map([
      ...[...unseen].map((id) => [id, -1] as const),
      ...entries.map(({ id }, place) => [id, place] as const)
    ])
    this.byKind = Map.groupBy(
      entries.map((entry, place) => [place, entry] as const),
      ([, { call_id, kind }]) => `${call_id} ${kind}`
    )
  }

  causeOf(entry: CausedEntry, here: number): string | null {
    this.here = here
    return causes[entry.kind]?.(entry, this) ?? null
  }

  /** The first of these ids that an entry has. */
  firstOf(...ids: ReadonlyArray<string | null>): string | null {
    return ids.find((id) => id !== null && (this.places.get(id) ?? Infinity) < this.here) ?? null
  }

  last(call_id: CallId | null, kind: string, fits: (entry: CausedEntry) => boolean = () => true): string | null {
    const found = this.byKind.get(`${call_id} ${kind}`)?.findLast(([place, entry]) => place < this.here && fits(entry))
    return found?.[1].id ?? null
  }

  /** The dial that placed a leg. */
  dialOf(call_id: CallId): string | null {
    return this.last(this.parentOf(call_id), "action.started", ({ detail }) => detail["verb"] === "dial")
  }

  hangup(call_id: CallId): string | null {
    return this.firstOf(`${call_id}:hangup`)
  }
}

type CauseOf = (entry: CausedEntry, entries: Entries) => string | null

const stepOf = ({ detail }: CausedEntry): number => Number(detail["step"])

const lineOf = (call_id: CallId, key: string): string => `${call_id}:${key}`

const questionCause: CauseOf = (entry, entries) => {
  const { call_id, detail } = entry
  if (detail["reason"] === "answered") return entries.last(call_id, "call.answered")
  if (detail["reason"] === "incoming") return entries.last(call_id, "call.ringing")
  const step = stepOf(entry) - 1
  return entries.firstOf(lineOf(call_id, `action:${step}:end`), lineOf(call_id, `action:${step}`))
}

const actionCause: CauseOf = (entry, entries) => {
  const { call_id } = entry
  const step = stepOf(entry)
  return entries.firstOf(lineOf(call_id, `callback:${step}:answer`), lineOf(call_id, `action:${step - 1}:end`))
}

const isStep = (step: number) => (entry: CausedEntry) => stepOf(entry) === step

/** What ended a call that the engine hung up. */
const hangupCause = (call_id: CallId, entries: Entries): string | null =>
  entries.firstOf(
    entries.last(call_id, "call.callback_failed"),
    entries.last(call_id, "action.started", ({ detail }) => detail["verb"] === "hangup" || detail["verb"] === "reject")
  )

const commandCause: CauseOf = ({ call_id, detail }, entries) => {
  const command_id = String(detail["command_id"])
  const [kind, of = ""] = command_id.slice(call_id.length + 1).split(":")
  switch (kind) {
    case "originate":
      return entries.last(call_id, "call.ringing")
    case "record":
      return of === "" ? entries.last(call_id, "call.ringing") : entries.firstOf(lineOf(call_id, `action:${of}`))
    case "answer":
      return entries.firstOf(entries.last(call_id, "callback.answered"), entries.last(call_id, "call.ringing"))
    case "bridge":
      return entries.last(of as CallId, "call.answered")
    case "limit":
      return entries.firstOf(entries.last(call_id, "hold.extended"), entries.last(call_id, "hold.placed"))
    case "hangup":
      return hangupCause(call_id, entries)
    default:
      return entries.firstOf(lineOf(call_id, `action:${of}:announcement`), lineOf(call_id, `action:${of}`))
  }
}

const endCause: CauseOf = ({ call_id }, entries) =>
  entries.firstOf(entries.hangup(call_id), hangupCause(call_id, entries))

const progressCause: CauseOf = ({ call_id, detail }, entries) => {
  if (detail["step"] === "dial_refused")
    return entries.last(call_id, "action.started", (action) => action.detail["verb"] === "dial")
  return detail["step"] === "ringing" || detail["step"] === "early_media"
    ? entries.firstOf(`${call_id}:originate`)
    : null
}

const bridgeCause: CauseOf = ({ call_id }, entries) => {
  const isBridge = ({ detail }: CausedEntry) => String(detail["command_id"]).startsWith(`${call_id}:bridge:`)
  const parent = entries.parentOf(call_id)
  return parent === null
    ? entries.last(call_id, "pbx.command", isBridge)
    : entries.firstOf(`${parent}:bridge:${call_id}`)
}

const causes: Readonly<Record<string, CauseOf>> = {
  "call.ringing": ({ call_id }, entries) => entries.dialOf(call_id),
  "call.progress": progressCause,
  "call.answered": ({ call_id }, entries) => entries.firstOf(`${call_id}:answer`, `${call_id}:originate`),
  "call.machine_detected": ({ call_id }, entries) => entries.last(call_id, "call.answered"),
  "call.bridged": bridgeCause,
  "call.callback_failed": ({ call_id }, entries) =>
    entries.firstOf(entries.last(call_id, "callback.attempt"), entries.last(call_id, "callback.asked")),
  "call.completed": ({ call_id }, entries) =>
    entries.firstOf(entries.last(call_id, "charge.booked"), entries.hangup(call_id)),
  "call.no_answer": endCause,
  "call.busy": endCause,
  "call.failed": endCause,
  "call.canceled": endCause,
  "callback.asked": questionCause,
  "callback.attempt": (entry, entries) => entries.firstOf(lineOf(entry.call_id, `callback:${stepOf(entry)}`)),
  "callback.answered": (entry, entries) =>
    entries.firstOf(
      entries.last(entry.call_id, "callback.attempt", isStep(stepOf(entry))),
      lineOf(entry.call_id, `callback:${stepOf(entry)}`)
    ),
  "action.started": actionCause,
  "action.finished": (entry, entries) => entries.firstOf(lineOf(entry.call_id, `action:${stepOf(entry)}`)),
  announcement: ({ call_id }, entries) =>
    entries.last(call_id, "call.progress", ({ detail }) => detail["step"] === "dial_refused"),
  "hold.placed": ({ call_id }, entries) => entries.dialOf(call_id),
  "hold.extended": ({ call_id }, entries) => entries.last(call_id, "call.answered"),
  "hold.captured": ({ call_id }, entries) => entries.hangup(call_id),
  "hold.released": ({ call_id }, entries) => entries.hangup(call_id),
  "charge.booked": ({ call_id }, entries) => entries.hangup(call_id),
  "pbx.command": commandCause,
  "stream.closed": ({ detail }, entries) => entries.firstOf(`stream:${String(detail["stream_id"])}:opened`),
  "webhook.queued": ({ detail }, entries) => entries.firstOf(String(detail["event_id"])),
  "webhook.attempt": ({ detail }, entries) => entries.firstOf(String(detail["delivery_id"]))
}

/**
 * The entries, each with the id of the entry that caused it; null where that is not known or not listed. Entries are
 * in order. `parentOf`: the call that dialled a leg. `before`: what stands before them, in order. `unseen`: ids of
 * entries that stand before those that name them, though neither list has them.
 */
export const withCauses = <E extends CausedEntry>(
  listed: ReadonlyArray<E>,
  parentOf: (call_id: CallId) => CallId | null,
  before: ReadonlyArray<CausedEntry> = [],
  unseen: ReadonlySet<string> = new Set()
): ReadonlyArray<E & { readonly caused_by: string | null }> => {
  const entries = new Entries([...before, ...listed], unseen, parentOf)
  return listed.map((entry, index) => ({ ...entry, caused_by: entries.causeOf(entry, before.length + index) }))
}
