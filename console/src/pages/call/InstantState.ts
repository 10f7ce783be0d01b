// The state of a call at an instant, from the entries of its timeline until then.
import type { TimelineEntry } from "../../api/Types.ts"

export interface InstantState {
  readonly status: string
  readonly answered_ms: number | undefined
  readonly ended: boolean
  readonly muted: boolean
  readonly on_hold: boolean
  readonly legs: ReadonlyArray<{ readonly call_id: string; readonly status: string }>
  /** The action or the question under way. */
  readonly doing: { readonly what: string; readonly since_ms: number } | undefined
  readonly actions_done: number
  /** By call and leg, minor units. */
  readonly held: ReadonlyMap<string, number>
  readonly charged_minor: number
  readonly viewers: number
}

/** Money that is set aside, one step after the other: after each entry of money, the sum over the call and its legs. */
export interface HeldStep {
  readonly ms: number
  readonly call_minor: number
  readonly legs_minor: number
}

const minor = (entry: TimelineEntry, member: string): number => {
  const value = entry.detail[member]
  return typeof value === "number" ? value : 0
}

const applyMoney = (held: Map<string, number>, entry: TimelineEntry): void => {
  const key = String(entry.detail["hold_id"] ?? entry.call_id)
  if (entry.kind === "hold.placed" || entry.kind === "hold.extended") held.set(key, minor(entry, "amount_minor"))
  if (entry.kind === "hold.captured" || entry.kind === "hold.released") held.delete(key)
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0)

export const heldSteps = (
  entries: ReadonlyArray<TimelineEntry>,
  call_id: string,
  began_at: number
): ReadonlyArray<HeldStep> => {
  const own = new Map<string, number>()
  const legs = new Map<string, number>()
  const steps: Array<HeldStep> = []
  for (const entry of entries) {
    if (!entry.kind.startsWith("hold.")) continue
    applyMoney(entry.call_id === call_id ? own : legs, entry)
    steps.push({
      ms: Date.parse(entry.at) - began_at,
      call_minor: sum(own.values()),
      legs_minor: sum(legs.values())
    })
  }
  return steps
}

const statusByEvent: Readonly<Record<string, string>> = {
  "call.ringing": "ringing",
  "call.answered": "answered",
  "call.completed": "completed",
  "call.no_answer": "no_answer",
  "call.busy": "busy",
  "call.failed": "failed",
  "call.canceled": "canceled"
}

const words: Readonly<Record<string, string>> = {
  say: "Speaks",
  play: "Plays a sound",
  pause: "Waits",
  gather: "Waits for keys",
  record: "Records",
  send_digits: "Presses keys",
  dial: "Dials",
  hangup: "Hangs up"
}

type Draft = { -readonly [K in keyof InstantState]: InstantState[K] } & {
  readonly legStatus: Map<string, string>
  readonly held: Map<string, number>
}

const applyOwn = (state: Draft, entry: TimelineEntry, ms: number): void => {
  const { detail, kind } = entry
  const status = statusByEvent[kind]
  if (status !== undefined) {
    state.status = status
    if (status === "answered") state.answered_ms = ms
    state.ended = status !== "ringing" && status !== "answered"
    if (state.ended) state.doing = undefined
  }
  if (kind === "callback.asked") state.doing = { what: "Asks the callback", since_ms: ms }
  if (kind === "callback.answered") state.doing = undefined
  if (kind === "action.started") {
    const verb = String(detail["verb"])
    state.doing = { what: words[verb] ?? verb, since_ms: ms }
  }
  if (kind === "action.finished") {
    state.doing = undefined
    state.actions_done += 1
  }
  if (kind === "call.progress") {
    if (detail["step"] === "muted" || detail["step"] === "unmuted") state.muted = detail["step"] === "muted"
    if (detail["step"] === "held" || detail["step"] === "resumed") state.on_hold = detail["step"] === "held"
  }
}

/** `ms`: since `began_at`. */
export const stateAt = (
  entries: ReadonlyArray<TimelineEntry>,
  call_id: string,
  began_at: number,
  ms: number
): InstantState => {
  const state: Draft = {
    status: "ringing",
    answered_ms: undefined,
    ended: false,
    muted: false,
    on_hold: false,
    legs: [],
    doing: undefined,
    actions_done: 0,
    held: new Map(),
    legStatus: new Map(),
    charged_minor: 0,
    viewers: 0
  }
  for (const entry of entries) {
    const at = Date.parse(entry.at) - began_at
    if (at > ms) continue
    applyMoney(state.held, entry)
    if (entry.kind === "charge.booked") state.charged_minor -= minor(entry, "amount_minor")
    if (entry.kind === "stream.opened") state.viewers += 1
    if (entry.kind === "stream.closed") state.viewers -= 1
    if (entry.call_id === call_id) applyOwn(state, entry, at)
    else if (statusByEvent[entry.kind] !== undefined)
      state.legStatus.set(entry.call_id, statusByEvent[entry.kind] ?? "ringing")
  }
  const { legStatus, ...rest } = state
  return { ...rest, legs: [...legStatus].map(([id, status]) => ({ call_id: id, status })) }
}
