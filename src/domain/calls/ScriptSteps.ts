// The steps of a script that take no time, whether the call is answered yet or not.
import type { PlacedCall } from "./Call.ts"
import type { CallEvent } from "./CallEvent.ts"
import { mergedMetadata } from "./Metadata.ts"
import type { QuestionReason } from "./Script.ts"
import type { VoiceAction } from "./VoiceAction.ts"

type Events = ReadonlyArray<CallEvent>

/** A callback has so long to answer, all tries and redirects included. */
export const callback_budget_ms = 10_000

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

/** What such a step makes happen, or undefined for an action of another kind. */
export const atOnce = ({ facts }: PlacedCall, action: VoiceAction, now: number): Events | undefined => {
  if ("redirect" in action) return [finished(action.redirect.url, "redirect", {}, now)]
  if (!("tag" in action)) return undefined
  const metadata = mergedMetadata(facts.metadata, action.tag.metadata)
  return [metadata === undefined ? { _tag: "TagRefused", at: now } : { _tag: "Tagged", at: now, metadata }, done(now)]
}
