// What the customer wants done with a call: the document that was answered, and the question that is open.
import type { VoiceAction } from "./VoiceAction.ts"

export type QuestionReason =
  | "answered"
  | "incoming"
  | "dial_completed"
  | "gather_completed"
  | "record_completed"
  | "redirect"
  | "agent_completed"

/** What a voice callback is asked. */
export interface Question {
  readonly reason: QuestionReason
  readonly url: string
  /** What the action that leads to it came to. */
  readonly result: Readonly<Record<string, unknown>> | null
  /** The callback has until then to answer. Null while it waits for who, or what, has answered. */
  readonly answer_by: number | null
}

export interface Script {
  /** Null while actions are carried out. */
  readonly question: Question | null
  readonly actions: ReadonlyArray<VoiceAction>
  /** The action under way, and since when. */
  readonly index: number
  readonly since: number
  /** Questions and actions of the call before this one: what its names are made of. */
  readonly step: number
  /** The command that an update of the call has cut short. */
  readonly cut_command_id: string | null
}

/** The first question of a call, or of an update. */
export const asking = (question: Question, since: number): Script => ({
  question,
  actions: [],
  index: 0,
  since,
  step: 0,
  cut_command_id: null
})

/** Actions that nobody was asked for. */
export const carryingOut = (actions: ReadonlyArray<VoiceAction>, since: number): Script => ({
  question: null,
  actions,
  index: 0,
  since,
  step: 0,
  cut_command_id: null
})

export const askedNext = (script: Script, question: Question, since: number): Script => ({
  question,
  actions: [],
  index: 0,
  since,
  step: script.step + 1,
  cut_command_id: null
})

export const answeredWith = (script: Script, actions: ReadonlyArray<VoiceAction>, since: number): Script => ({
  ...script,
  question: null,
  actions,
  index: 0,
  since
})

/** New actions, whatever was under way, if anything was. */
export const replacedBy = (
  script: Script | null,
  actions: ReadonlyArray<VoiceAction>,
  cut_command_id: string | null,
  since: number
): Script => ({ question: null, actions, index: 0, since, step: (script?.step ?? 0) + 1, cut_command_id })

export const atNext = (script: Script, since: number): Script => ({
  ...script,
  index: script.index + 1,
  since,
  step: script.step + 1,
  cut_command_id: null
})
