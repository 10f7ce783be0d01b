// What the voice callback of a call was asked, and how soon it answered: kept for the timeline.
import type { Question, QuestionReason } from "./Script.ts"

export interface CallbackLogEntry {
  readonly reason: QuestionReason
  readonly url: string
  readonly asked_at: number
  /** Null while it has not answered, or where it failed. */
  readonly answered_at: number | null
  /** How many actions it answered with. */
  readonly actions: number | null
}

/** Of a call that asks again and again the last are kept. */
const kept_max = 20

/** No conversation asks so often in so little time: callbacks that lead to one another and to nothing else do. */
const circle_ms = 10_000

/** Whether a further question would be one of a script that goes in circles, as fast as its server answers. */
export const goesInCircles = (consulted: ReadonlyArray<CallbackLogEntry> | undefined, now: number): boolean => {
  const first = consulted?.at(-kept_max)
  return first !== undefined && now - first.asked_at < circle_ms
}

export const consultedAbout = (
  consulted: ReadonlyArray<CallbackLogEntry> | undefined,
  { reason, url }: Question,
  asked_at: number
): ReadonlyArray<CallbackLogEntry> =>
  [...(consulted ?? []), { reason, url, asked_at, answered_at: null, actions: null }].slice(-kept_max)

/** The last that was asked is the one that is answered. A call of an older engine has not kept what it asked. */
export const consultedWith = (
  consulted: ReadonlyArray<CallbackLogEntry> | undefined,
  actions: number,
  answered_at: number
): ReadonlyArray<CallbackLogEntry> => {
  const last = consulted?.at(-1)
  return last === undefined ? [] : [...consulted!.slice(0, -1), { ...last, answered_at, actions }]
}
