// What a call does next by itself: actions that take no time, and the question that an action ends with.
import { type Call, currentAction, type PlacedCall } from "./Call.ts"
import { type CallEvent, evolveCall } from "./CallEvent.ts"
import type { HangupCause } from "./CallRecord.ts"
import { dialResult, isFinished } from "./Dial.ts"
import { completed } from "./EndCall.ts"
import { mergedMetadata } from "./Metadata.ts"
import type { QuestionReason } from "./Script.ts"

type Events = ReadonlyArray<CallEvent>

/** A callback has so long to answer, all tries and redirects included. */
export const callback_budget_ms = 10_000

const causes = { normal: "normal_clearing", busy: "user_busy", rejected: "call_rejected" } as const

const done = (now: number): CallEvent => ({ _tag: "ActionDone", at: now })

/** The action under way is over: its `action_url` is asked what to do, else the next action follows. */
export const finished = (
  action_url: string | undefined,
  reason: QuestionReason,
  result: Readonly<Record<string, unknown>>,
  now: number
): CallEvent =>
  action_url === undefined
    ? done(now)
    : { _tag: "Asked", at: now, question: { reason, url: action_url, result, answer_by: now + callback_budget_ms } }

/** Who hangs up at once on a machine has waited for a person. */
const causeOfHangup = (call: Call, reason: keyof typeof causes): HangupCause =>
  reason === "normal" && call.answered_by === "machine" && call.script!.step === 0 ? "machine_detected" : causes[reason]

const next = (call: Call, now: number): Events => {
  if (call.phase !== "answered" || call.script === null || call.script.question !== null) return []
  const action = currentAction(call)
  const end = (cause: HangupCause) => [completed(call, { at: now, now, cause, source: "workspace" })]
  if (action === undefined) return end("actions_ended")
  if ("hangup" in action) return end(causeOfHangup(call, action.hangup.reason ?? "normal"))
  if ("redirect" in action) return [finished(action.redirect.url, "redirect", {}, now)]
  if ("tag" in action) {
    const metadata = mergedMetadata((call as PlacedCall).facts.metadata, action.tag.metadata)
    return [metadata === undefined ? { _tag: "TagRefused", at: now } : { _tag: "Tagged", at: now, metadata }, done(now)]
  }
  if ("dial" in action && call.dial !== null && isFinished(call.dial)) {
    return [finished(action.dial.action_url, "dial_completed", { ...dialResult(call.dial) }, now)]
  }
  return []
}

/** These events, and all that they lead to at once. */
export const advanced = (call: Call, events: Events, now: number): Events => {
  const all = [...events]
  let after = events.reduce(evolveCall, call)
  for (let more = next(after, now); more.length > 0; more = next(after, now)) {
    all.push(...more)
    after = more.reduce(evolveCall, after)
  }
  return all
}
