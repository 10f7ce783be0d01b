// The place of each entry in a timeline. It follows from the entry alone, so that a page can begin where another ended.
import type { LoggedEvent, Place, TrailLine, WebhookTrail } from "./CallTrail.ts"

export const comparePlaces = (a: Place, b: Place): number =>
  a.at - b.at || (a.tie === b.tie ? 0 : a.tie < b.tie ? -1 : 1)

/**
 * What a tie begins with. First digit: money is held before the call is placed, commands and webhooks follow the event.
 * Second digit: from where the entry comes. PostgreSQL makes the same ties of its rows (TrailSql.ts).
 */
export const tiePrefix = {
  heldMoney: "00",
  otherMoney: "10",
  extendedHold: "13",
  event: "21",
  callback: "22",
  line: "23",
  stream: "25",
  command: "34",
  queued: "46a",
  attempt: "46b"
} as const

export const sequence_digits = 10
export const step_digits = 6

export const eventPlace = ({ id, occurred_at, sequence }: LoggedEvent): Place => ({
  at: Date.parse(occurred_at),
  tie: `${tiePrefix.event}${String(sequence).padStart(sequence_digits, "0")}${id}`
})

/** The order of the lines of one step of a script. */
export const lineOrder = [
  "callback.asked",
  "callback.attempt",
  "callback.answered",
  "action.started",
  "announcement",
  "action.finished"
]

/** The step of a script, or the minute, that the key of a line begins with. */
export const numberInKey = /^[a-z]+:([0-9]+)/

export const stepOfKey = (key: string): number => Number(numberInKey.exec(key)?.[1] ?? 0)

export const linePlace = ({ at, call_id, key, kind }: Omit<TrailLine, "detail">): Place => {
  const order = lineOrder.indexOf(kind)
  const prefix = kind === "hold.extended" ? tiePrefix.extendedHold : tiePrefix.line
  const step = String(stepOfKey(key)).padStart(step_digits, "0")
  return { at, tie: `${prefix}${call_id}${step}${order < 0 ? lineOrder.length : order}${key}` }
}

export const webhookPlace = ({ attempt, created_at, id }: WebhookTrail): Place =>
  attempt === null
    ? { at: created_at, tie: `${tiePrefix.queued}${id}` }
    : { at: Date.parse(attempt.at), tie: `${tiePrefix.attempt}${id}${attempt.at}` }

export const earliest = (places: ReadonlyArray<Place | undefined>): Place | null =>
  places.filter((place) => place !== undefined).sort(comparePlaces)[0] ?? null
