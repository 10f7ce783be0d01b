// How an action of a script ends, and the actions that the engine carries out itself, in no time.
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import type { PlacedCall } from "../state/Call.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import { mergedMetadata } from "../../kit/Metadata.ts"
import { actionRecordingId } from "../state/PbxCommands.ts"
import type { QuestionReason } from "../state/Script.ts"
import { stopStreams } from "../../streams/CallStream.ts"
import type { EngineStep } from "../verbs/Verb.ts"
import { verbOf, type VoiceAction } from "../verbs/VoiceAction.ts"

/**
 * How long a callback has to answer from when it is asked, retries and redirects included. An engine that starts asks
 * again, and then the time begins again: a callback is not late because the engine was away.
 */
export const callbackBudget_ms = 10_000

/** The current action is over: its `action_url` is asked for new actions, or else the next action follows. */
export const actionFinished = (
  action_url: string | undefined,
  reason: QuestionReason,
  result: Readonly<Record<string, unknown>>,
  now: number
): CallEvent =>
  action_url === undefined
    ? { _tag: "ActionDone", at: now, result }
    : {
        _tag: "CallbackAsked",
        at: now,
        question: { reason, url: action_url, result, answer_by: now + callbackBudget_ms }
      }

/** How the PBX carried out an action without a result of its own. `report` is null if it did not report in time. */
const plainResult = (report: PbxEvent | null): Readonly<Record<string, unknown>> => {
  if (report === null) return { status: "unreported" }
  const { duration_ms, error, result = "completed" } = report.data
  return {
    status: error === undefined ? result : "failed",
    ...(duration_ms !== undefined && { duration_ms }),
    ...(error !== undefined && { error })
  }
}

/** The end of an action as the PBX reported it. `report` is null if the PBX did not report in time. */
export const actionReported = (
  call: PlacedCall,
  action: VoiceAction,
  report: PbxEvent | null,
  now: number
): CallEvent => {
  const { payload, verb } = verbOf(action)
  const result = verb.run.by === "pbx" ? verb.run.result : null
  if (result === null) {
    return verb.run.by === "pbx"
      ? { _tag: "ActionDone", at: now, result: plainResult(report) }
      : { _tag: "ActionDone", at: now }
  }
  const url = result.action_url(payload)
  const reason = result.reason as QuestionReason
  return actionFinished(url, reason, result.read(payload, report, actionRecordingId(call)), now)
}

/** The events of a step that does not end the call. */
export const stepEvents = (
  call: PlacedCall,
  step: Exclude<EngineStep, { readonly kind: "end" }>,
  now: number
): ReadonlyArray<CallEvent> => {
  if (step.kind === "ask") return [actionFinished(step.url, "redirect", {}, now)]
  if (step.kind === "stop_stream")
    return [...stopStreams(call.streams, step.name, now), { _tag: "ActionDone", at: now }]
  const metadata = mergedMetadata(call.facts.metadata, step.metadata)
  return [
    metadata === undefined ? { _tag: "TagRefused", at: now } : { _tag: "Tagged", at: now, metadata },
    { _tag: "ActionDone", at: now }
  ]
}
