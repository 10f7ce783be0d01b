// What a decision of a call writes for its timeline, beside its events: each question to a voice callback with its
// requests, what the script makes the party hear and how each action ended, and each minute that is set aside.
import type { Change, Step } from "../../Decision.ts"
import type { CallTrailRow } from "../../journal/Rows.ts"
import { type Call, currentAction, isPlaced, type PlacedCall } from "../state/Call.ts"
import type { CallbackAttempt } from "../state/CallbackAttempt.ts"
import type { CallEvent, CallEventOf } from "../state/CallEvent.ts"
import { actionCommandId } from "../state/PbxCommands.ts"
import { unspoken } from "../state/Refusal.ts"
import type { Question } from "../state/Script.ts"
import { shown } from "../state/Shown.ts"
import { verbOf, type VoiceAction } from "../verbs/VoiceAction.ts"

/** Scripts with more steps loop; their further steps are left out of the timeline. */
const maxSteps = 500

/** A row without what all rows of a call have in common. */
type Fact = Pick<CallTrailRow, "key" | "kind" | "at"> & { readonly detail: Readonly<Record<string, unknown>> }

type CallStep = Step<Call, CallEvent>

const questionOf = (call: Call): Question | null => call.script?.question ?? null

const stepOf = (call: Call): number => call.script?.step ?? 0

/** A question begins with a step of the script, and keeps its place when machine detection sets its deadline. */
const asked = ({ after, before }: CallStep): ReadonlyArray<Fact> => {
  const question = questionOf(after)
  if (question === null || after.script === null) return []
  if (questionOf(before) !== null && stepOf(before) === stepOf(after)) return []
  const step = stepOf(after)
  const detail = { step, reason: question.reason, url: shown(question.url) }
  return [{ key: `callback:${step}`, kind: "callback.asked", at: after.script.since, detail }]
}

const attempted = (call: Call, attempts: ReadonlyArray<CallbackAttempt> = []): ReadonlyArray<Fact> =>
  attempts.map(({ at, ...attempt }, index) => ({
    key: `callback:${stepOf(call)}:attempt:${index + 1}`,
    kind: "callback.attempt",
    at,
    detail: { step: stepOf(call), reason: questionOf(call)?.reason ?? null, attempt: index + 1, ...attempt }
  }))

const answered = (before: Call, { actions, at, attempts }: CallEventOf<"CallbackAnswered">): ReadonlyArray<Fact> => {
  const { script } = before
  if (script === null || script.question === null) return []
  const detail = {
    step: script.step,
    reason: script.question.reason,
    actions: actions.length,
    duration_ms: at - script.since
  }
  return [
    ...attempted(before, attempts),
    { key: `callback:${script.step}:answer`, kind: "callback.answered", at, detail }
  ]
}

/** An action that needs the answer begins with it, except for the dial that forwards an unanswered call. */
const runningAction = (call: Call): VoiceAction | undefined => {
  const action = currentAction(call)
  if (action === undefined || (call.phase !== "answered" && call.phase !== "ringing")) return undefined
  const begins =
    call.phase === "answered" || call.reception?.step === "forwarding" || verbOf(action).verb.phase !== "answered"
  return begins ? action : undefined
}

const commandOf = (call: Call) => {
  const command_id = call.phase === "answered" ? actionCommandId(call) : undefined
  return command_id === undefined ? {} : { command_id }
}

/** What an action says, plays, asks or dials, as its document has it. */
const started = ({ after, before }: CallStep): ReadonlyArray<Fact> => {
  const action = runningAction(after)
  if (action === undefined || after.script === null) return []
  if (runningAction(before) !== undefined && stepOf(before) === stepOf(after)) return []
  const { name, payload } = verbOf(action)
  const step = stepOf(after)
  const detail = { step, verb: name, ...commandOf(after), action: shown(payload) }
  const at = after.phase === "answered" ? Math.max(after.script.since, after.answered_at) : after.script.since
  return [{ key: `action:${step}`, kind: "action.started", at, detail }]
}

const finished = (before: Call, at: number, result: Readonly<Record<string, unknown>> = {}): ReadonlyArray<Fact> => {
  const action = runningAction(before)
  if (action === undefined) return []
  const step = stepOf(before)
  const detail = { step, verb: verbOf(action).name, ...commandOf(before), result: shown(result) }
  return [{ key: `action:${step}:end`, kind: "action.finished", at, detail }]
}

/** What the engine itself makes a party hear: why its dial or its call is refused. */
const announced = ({ after, before, event }: CallStep): ReadonlyArray<Fact> => {
  if (event._tag === "HungUp" && before.phase === "ringing" && isPlaced(after)) {
    const { reception } = after
    const noFunds = event.ending.cause === "insufficient_funds" ? reception?.no_funds_message : null
    const text = reception?.announcement ?? noFunds ?? null
    const at = event.decided_at ?? event.at
    return text === null ? [] : [{ key: "announcement", kind: "announcement", at, detail: { text: shown(text) } }]
  }
  const text = event._tag === "DialRefused" ? unspoken(after.dial) : undefined
  if (text === undefined || event._tag !== "DialRefused") return []
  const key = `action:${stepOf(after)}:announcement`
  return [{ key, kind: "announcement", at: event.at, detail: { ...commandOf(after), text: shown(text) } }]
}

const prepaid = (call: PlacedCall, minutes: number, now: number): ReadonlyArray<Fact> => {
  const { rate_per_min_minor } = call.facts
  const detail = {
    hold_id: call.id,
    minutes,
    added_minor: (minutes - call.covered_minutes) * rate_per_min_minor,
    amount_minor: minutes * rate_per_min_minor
  }
  return [{ key: `minute:${minutes}`, kind: "hold.extended", at: now, detail }]
}

const ofEvent = ({ before, event }: CallStep, now: number): ReadonlyArray<Fact> => {
  switch (event._tag) {
    case "CallbackAnswered":
      return answered(before, event)
    case "CallbackFailed":
      return attempted(before, event.attempts)
    case "ActionDone":
      return finished(before, event.at, event.result)
    case "CallbackAsked":
      return finished(before, event.at, event.question.result ?? {})
    case "ActionsReplaced":
      return finished(before, event.at, { status: "replaced" })
    case "MinutePrepaid":
      return isPlaced(before) ? prepaid(before, event.minutes, now) : []
    default:
      return []
  }
}

const factsOf = (step: CallStep, now: number): ReadonlyArray<Fact> =>
  stepOf(step.after) >= maxSteps ? [] : [...ofEvent(step, now), ...asked(step), ...started(step), ...announced(step)]

/** The rows of a change, in order. Each has a key of its own within the call. */
export const recordTrail = ({ after, now, steps }: Change<Call, CallEvent>): ReadonlyArray<CallTrailRow> =>
  isPlaced(after)
    ? steps
        .flatMap((step) => factsOf(step, now))
        .map(({ detail, ...fact }) => ({
          ...fact,
          workspace_id: after.facts.workspace_id,
          call_id: after.id,
          detail: JSON.stringify(detail)
        }))
    : []
