// The requests to the voice callback of a call and when it answered. Stored with the call for its timeline.
import { Schema } from "effect"
import { Count, FiniteMs, orNull } from "../../kit/Fields.ts"
import { Question } from "./Script.ts"

export const CallbackLogEntry = Schema.Struct({
  reason: Question.fields.reason,
  url: Question.fields.url,
  asked_at: FiniteMs,
  /** Null until it has answered, and if it failed. */
  answered_at: orNull(FiniteMs),
  /** How many actions it answered with. */
  actions: orNull(Count)
})
export type CallbackLogEntry = typeof CallbackLogEntry.Type

type Log = ReadonlyArray<CallbackLogEntry>

/** Older entries are dropped. */
const maxEntries = 20

/** Only callbacks that lead to one another without an action between them ask so often in so little time. */
const loopWindow_ms = 10_000

/** Whether another question would exceed `maxEntries` questions within `loopWindow_ms`. */
export const callbacksLoop = (log: Log | undefined, now: number): boolean => {
  const first = log?.at(-maxEntries)
  return first !== undefined && now - first.asked_at < loopWindow_ms
}

export const withQuestion = (log: Log | undefined, { reason, url }: Question, asked_at: number): Log =>
  [...(log ?? []), { reason, url, asked_at, answered_at: null, actions: null }].slice(-maxEntries)

/** Marks the last question as answered. Calls of older engines have no log. */
export const withCallbackAnswer = (log: Log | undefined, actions: number, answered_at: number): Log => {
  const last = log?.at(-1)
  return log === undefined || last === undefined ? [] : [...log.slice(0, -1), { ...last, answered_at, actions }]
}
