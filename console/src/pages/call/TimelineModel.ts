// The timeline of a call as things to draw: on which lane and row, from when to when, and where an entry is drawn that
// has no mark of its own.
import type { TimelineEntry } from "../../api/Types.ts"

export type Lane = "pbx" | "script" | "money" | "webhooks" | "viewers"

export const lanes: ReadonlyArray<readonly [lane: Lane, word: string]> = [
  ["pbx", "PBX"],
  ["script", "Script"],
  ["money", "Money"],
  ["webhooks", "Webhooks"],
  ["viewers", "Viewers"]
]

export type Form = "event" | "command" | "bar" | "money" | "span"

/** What is drawn for one entry. Times are milliseconds since the first entry. */
export interface Mark {
  readonly id: string
  readonly entry: TimelineEntry
  readonly lane: Lane
  /** Rows of a lane have names; see `rowsOf`. */
  readonly row: string
  readonly form: Form
  readonly from: number
  /** The same as `from` for what takes no time. Undefined: it is under way. */
  readonly to: number | undefined
  readonly failed: boolean
  readonly label: string
}

/** A leg's time of ringing and of talking. */
export interface Session {
  readonly call_id: string
  readonly rings: number
  readonly answered: number | undefined
  readonly ended: number | undefined
}

export interface TimelineModel {
  /** Epoch milliseconds of the first entry. */
  readonly began_at: number
  readonly entries: ReadonlyArray<TimelineEntry>
  readonly marks: ReadonlyArray<Mark>
  /** The id of the mark at which each entry is drawn. */
  readonly markOf: ReadonlyMap<string, string>
  readonly sessions: ReadonlyArray<Session>
  /** The last entry, or the end of the last mark. */
  readonly last: number
}

const laneByPrefix: Readonly<Record<string, Lane>> = {
  call: "pbx",
  transcript: "pbx",
  pbx: "pbx",
  announcement: "script",
  callback: "script",
  action: "script",
  hold: "money",
  charge: "money",
  webhook: "webhooks",
  stream: "viewers"
}

export const laneOf = ({ kind }: Pick<TimelineEntry, "kind">): Lane =>
  laneByPrefix[kind.split(".", 1)[0] ?? ""] ?? "pbx"

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const finalEvents: ReadonlySet<string> = new Set([
  "call.completed",
  "call.no_answer",
  "call.busy",
  "call.failed",
  "call.canceled"
])

const isRefused = ({ detail }: TimelineEntry): boolean =>
  (detail["error"] ?? null) !== null || (typeof detail["http_status"] === "number" && detail["http_status"] >= 300)

/** Which other entry shows this one: its answer is the end of an attempt, its delivery the attempts. */
const hostKey = (entry: TimelineEntry): string | undefined => {
  const { call_id, detail, kind } = entry
  if (kind === "callback.asked" || kind === "callback.answered") return `callback ${call_id} ${String(detail["step"])}`
  if (kind === "action.finished") return `action ${call_id} ${String(detail["step"])}`
  if (kind === "webhook.queued") return `delivery ${text(detail["delivery_id"])}`
  return kind === "stream.closed" ? `stream ${text(detail["stream_id"])}` : undefined
}

const guestKey = (entry: TimelineEntry): string | undefined => {
  const { call_id, detail, kind } = entry
  if (kind === "callback.attempt") return `callback ${call_id} ${String(detail["step"])}`
  if (kind === "action.started") return `action ${call_id} ${String(detail["step"])}`
  if (kind === "webhook.attempt") return `delivery ${text(detail["delivery_id"])}`
  return kind === "stream.opened" ? `stream ${text(detail["stream_id"])}` : undefined
}

const labelOf = ({ detail, kind }: TimelineEntry): string => {
  if (kind === "pbx.command") return text(detail["command"])
  if (kind === "action.started") return text(detail["verb"])
  if (kind === "call.progress") return text(detail["step"])
  if (kind === "webhook.attempt" || kind === "callback.attempt") return String(detail["http_status"] ?? "no answer")
  return kind.slice(kind.indexOf(".") + 1)
}

const formAndRow = (entry: TimelineEntry): readonly [Form, string] => {
  const { detail, kind } = entry
  switch (kind) {
    case "pbx.command":
      return ["command", "commands"]
    case "callback.attempt":
      return ["bar", "callback"]
    case "action.started":
      return ["bar", "actions"]
    case "webhook.attempt":
    case "webhook.queued":
      return [kind === "webhook.attempt" ? "bar" : "event", text(detail["subscription_id"])]
    case "stream.opened":
      return ["span", text(detail["stream_id"])]
    default: {
      const lane = laneOf(entry)
      if (lane === "money") return ["money", "money"]
      return ["event", lane === "pbx" ? "events" : lane === "script" ? "callback" : lane]
    }
  }
}

/** When what an entry began was over; undefined while it is under way. */
const endOf = (
  entry: TimelineEntry,
  from: number,
  ends: ReadonlyMap<string, number>,
  sessions: ReadonlyArray<Session>
): number | undefined => {
  const { call_id, detail, kind } = entry
  if (typeof detail["duration_ms"] === "number" && kind.endsWith(".attempt")) return from + detail["duration_ms"]
  const key = guestKey(entry)
  if (key === undefined || (kind !== "action.started" && kind !== "stream.opened")) return from
  // What has no end of its own ends with its call.
  return ends.get(key) ?? sessions.find((session) => session.call_id === call_id)?.ended
}

const sessionsOf = (entries: ReadonlyArray<TimelineEntry>, offset: (entry: TimelineEntry) => number) => {
  const sessions = new Map<string, { rings: number; answered: number | undefined; ended: number | undefined }>()
  for (const entry of entries) {
    const session = sessions.get(entry.call_id)
    if (entry.kind === "call.ringing" && session === undefined) {
      sessions.set(entry.call_id, { rings: offset(entry), answered: undefined, ended: undefined })
    } else if (session !== undefined && entry.kind === "call.answered") session.answered = offset(entry)
    else if (session !== undefined && finalEvents.has(entry.kind)) session.ended = offset(entry)
  }
  return [...sessions].map(([call_id, times]): Session => ({ call_id, ...times }))
}

export const timelineModel = (entries: ReadonlyArray<TimelineEntry>): TimelineModel => {
  const began_at = Math.min(...entries.map(({ at }) => Date.parse(at)))
  const offset = ({ at }: TimelineEntry) => Date.parse(at) - began_at
  const ends = new Map(
    entries.flatMap((entry) => {
      const key = hostKey(entry)
      return key === undefined || !/\.(?:finished|closed)$/.test(entry.kind) ? [] : [[key, offset(entry)] as const]
    })
  )
  const hosts = Map.groupBy(
    entries.filter((entry) => guestKey(entry) !== undefined),
    guestKey
  )
  const sessions = sessionsOf(entries, offset)
  const markOf = new Map<string, string>()
  const marks: Array<Mark> = []
  for (const entry of entries) {
    const key = hostKey(entry)
    const guests = key === undefined ? undefined : hosts.get(key)
    // An answer belongs to the last attempt, a question to the first.
    const host = entry.kind === "callback.answered" ? guests?.at(-1) : guests?.[0]
    if (host !== undefined) {
      markOf.set(entry.id, host.id)
      continue
    }
    const from = offset(entry)
    const [form, row] = formAndRow(entry)
    markOf.set(entry.id, entry.id)
    marks.push({
      id: entry.id,
      entry,
      lane: laneOf(entry),
      row,
      form,
      from,
      to: endOf(entry, from, ends, sessions),
      failed: isRefused(entry) || entry.kind === "call.callback_failed",
      label: labelOf(entry)
    })
  }
  const last = Math.max(0, ...entries.map(offset), ...marks.map(({ to = 0 }) => to))
  return { began_at, entries, marks, markOf, sessions, last }
}

/** The entry with all that caused it, the first cause first. */
export const chainOf = (entries: ReadonlyMap<string, TimelineEntry>, id: string): ReadonlyArray<TimelineEntry> => {
  const chain: Array<TimelineEntry> = []
  const seen = new Set<string>()
  for (let next: string | null = id; next !== null && !seen.has(next);) {
    const entry = entries.get(next)
    if (entry === undefined) break
    seen.add(next)
    chain.unshift(entry)
    next = entry.caused_by
  }
  return chain
}

/** The rows of a lane in the order in which they first appear. */
export const rowsOf = ({ marks }: TimelineModel, lane: Lane): ReadonlyArray<string> => [
  ...new Set(marks.filter((mark) => mark.lane === lane).map(({ row }) => row))
]
