// The document that a voice callback answers with (docs/voice-actions.md). An unknown key is a fault.
import { Schema } from "effect"
import { CallActionUnsupported } from "../../errors/CallErrors.ts"
import type { Capability } from "../../pbx/Capabilities.ts"
import type { EngineStep, Verb } from "./Verb.ts"
import { type VerbName, type VerbPayload, voiceVerbs } from "./VoiceVerbs.ts"

/** `{ say: { text } } | { pause: { seconds } } | …`: an object with one key, which names the verb. */
export type VoiceAction = {
  readonly [Name in VerbName]: { readonly [Key in Name]: VerbPayload<Name> }
}[VerbName]
export const VoiceAction: Schema.Codec<VoiceAction, unknown> = Schema.Union(
  Object.entries(voiceVerbs).map(([name, { schema }]) => Schema.Struct({ [name]: schema }))
) as never

/**
 * An action that was checked when the engine accepted it. A later engine may check more strictly, so a stored action is
 * not checked again.
 */
export const AcceptedVoiceAction = Schema.declare(
  (value): value is VoiceAction => typeof value === "object" && value !== null && !Array.isArray(value)
)

export type DialAction = VerbPayload<"dial">

export const maxActions = 100

export const VoiceActions = Schema.Struct({ actions: Schema.Array(VoiceAction).check(Schema.isMaxLength(maxActions)) })
export type VoiceActions = typeof VoiceActions.Type

// oxlint-disable-next-line typescript/no-explicit-any -- the row belongs to the verb that the payload is of
export type AnyVerb = Verb<any>

/** The verb of an action, its row in the table, and its payload. */
export const verbOf = (
  action: VoiceAction
): { readonly name: VerbName; readonly verb: AnyVerb; readonly payload: unknown } => {
  const [[name, payload]] = Object.entries(action) as [[VerbName, unknown]]
  return { name, verb: voiceVerbs[name], payload }
}

/** The payload of an action of this verb; undefined for an action of another verb. */
export const payloadOf = <Name extends VerbName>(
  action: VoiceAction | undefined,
  name: Name
): VerbPayload<Name> | undefined => (action as { readonly [Key in Name]?: VerbPayload<Name> } | undefined)?.[name]

/** What the engine does itself for this action; undefined if it takes time or needs the PBX. */
export const engineStep = (action: VoiceAction): EngineStep | undefined => {
  const { payload, verb } = verbOf(action)
  return verb.run.by === "engine" ? verb.run.step(payload) : undefined
}

/**
 * Milliseconds after which the call goes on without a report of the action's end; 0 for an action that takes no time.
 */
export const actionTimeout_ms = (action: VoiceAction): number => {
  const { payload, verb } = verbOf(action)
  return "timeout_ms" in verb.run ? verb.run.timeout_ms(payload) : 0
}

/** An action that cannot be carried out at its place or by its gateway: a JSON pointer (RFC 6901) to it, and why. */
export interface MisplacedAction {
  readonly pointer: string
  readonly detail: string
}

const misplaced = (
  actions: ReadonlyArray<VoiceAction>,
  isMisplaced: (index: number) => boolean,
  detail: (name: VerbName) => string
): MisplacedAction | undefined => {
  const names = actions.map((action) => verbOf(action).name)
  const index = names.findIndex((name) => voiceVerbs[name].phase === "unanswered")
  const name = names[index]
  return name === undefined || !isMisplaced(index)
    ? undefined
    : { pointer: `/actions/${index}/${name}`, detail: detail(name) }
}

/** The first action that an answered call cannot carry out. */
export const misplacedOnceAnswered = (actions: ReadonlyArray<VoiceAction>): MisplacedAction | undefined =>
  misplaced(
    actions,
    () => true,
    (name) => `Only an inbound call can carry out ${name}, and only before it is answered.`
  )

/** The first action that the gateway of the call cannot carry out. `capabilities`: what it can do; absent: nothing. */
export const unsupportedAction = (
  actions: ReadonlyArray<VoiceAction>,
  capabilities: ReadonlyArray<Capability> = []
): MisplacedAction | undefined => {
  const verbs = actions.map(verbOf)
  const index = verbs.findIndex(({ verb: { needs } }) => needs !== undefined && !capabilities.includes(needs))
  const name = verbs[index]?.name
  return name === undefined
    ? undefined
    : { pointer: `/actions/${index}/${name}`, detail: `The gateway of this call cannot carry out ${name}.` }
}

/** Refuses a request with such an action. */
export const unsupportedBy = ({ detail: message, pointer: field }: MisplacedAction) =>
  new CallActionUnsupported({ details: [{ field, code: "action_unsupported", message }] })

const keepsUnanswered = (action: VoiceAction): boolean => {
  const step = engineStep(action)
  return step !== undefined && step.kind !== "end"
}

/** The first action that comes too late on an unanswered call: an action before it answers or ends the call. */
export const misplacedBeforeAnswer = (actions: ReadonlyArray<VoiceAction>): MisplacedAction | undefined =>
  misplaced(
    actions,
    (index) => !actions.slice(0, index).every(keepsUnanswered),
    (name) => `The actions before it answer or end the call, so ${name} comes too late.`
  )
