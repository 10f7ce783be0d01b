// The script of a call: the actions that its voice callback answered with, or the question that the callback is asked.
import { Schema } from "effect"
import { Count, FiniteMs, orNull } from "../../kit/Fields.ts"
import { AcceptedVoiceAction, type VoiceAction } from "../verbs/VoiceAction.ts"
import { verbReasons } from "../verbs/VoiceVerbs.ts"

/** Why a voice callback is asked. An action with a result has a reason of its own. */
export const QuestionReason = Schema.Literals(["answered", "incoming", "redirect", "agent_completed", ...verbReasons])
export type QuestionReason = typeof QuestionReason.Type

/** A question to a voice callback. */
export const Question = Schema.Struct({
  reason: QuestionReason,
  url: Schema.String,
  /** The result of the action before the question. */
  result: orNull(Schema.Record(Schema.String, Schema.Unknown)),
  /** When the callback must have answered, if it is asked at once. Null until machine detection has finished. */
  answer_by: orNull(FiniteMs)
})
export type Question = typeof Question.Type

/** Its members are stored with the call, so they keep their spelling. */
export const Script = Schema.Struct({
  /** Null while actions are carried out. */
  question: orNull(Question),
  actions: Schema.Array(AcceptedVoiceAction),
  /** The current action. */
  index: Count,
  /** When the current action or question began. */
  since: FiniteMs,
  /** How many questions and actions of the call came before. Ids of commands and of legs contain it. */
  step: Count,
  /** The command that an update of the call cut short. */
  cut_command_id: orNull(Schema.String)
})
export type Script = typeof Script.Type

const beginning = { actions: [], index: 0, step: 0, cut_command_id: null }

/** A script that begins with a question. */
export const askingScript = (question: Question, since: number): Script => ({ ...beginning, question, since })

/** A script that begins with actions which no callback was asked for. */
export const runningScript = (actions: ReadonlyArray<VoiceAction>, since: number): Script => ({
  ...beginning,
  question: null,
  actions,
  since
})

export const askNext = (script: Script, question: Question, since: number): Script => ({
  ...beginning,
  question,
  since,
  step: script.step + 1
})

export const withAnswer = (script: Script, actions: ReadonlyArray<VoiceAction>, since: number): Script => ({
  ...script,
  question: null,
  actions,
  index: 0,
  since
})

/** New actions in place of the current ones, if there are any. */
export const withReplacedActions = (
  script: Script | null,
  actions: ReadonlyArray<VoiceAction>,
  cut_command_id: string | null,
  since: number
): Script => ({ question: null, actions, index: 0, since, step: (script?.step ?? 0) + 1, cut_command_id })

export const withNextAction = (script: Script, since: number): Script => ({
  ...script,
  index: script.index + 1,
  since,
  step: script.step + 1,
  cut_command_id: null
})
