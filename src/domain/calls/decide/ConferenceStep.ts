// How the script of a call goes on after a conference.
import type { ConferenceAction } from "../../conferences/ConferenceAction.ts"
import { conferenceResult } from "../../conferences/ConferencePart.ts"
import type { AnsweredCall } from "../state/Call.ts"
import type { CallEvent } from "../state/CallEvent.ts"
import { actionFinished } from "./ScriptSteps.ts"

/** The end of the current action, if its conference is over for the call. */
export const conferenceStepDone = (
  call: AnsweredCall,
  { action_url }: ConferenceAction,
  now: number
): ReadonlyArray<CallEvent> => {
  const part = call.conferences?.find(({ step }) => step === call.script?.step)
  return part === undefined || part.left === null
    ? []
    : [actionFinished(action_url, "conference_completed", conferenceResult(part), now)]
}
