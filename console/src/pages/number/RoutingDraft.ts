// A routing as its form has it, and the change that it becomes.
import type { NumberRoutingChange, NumberRoutingView } from "../../api/Types.ts"
import { valuesOf } from "../../ui/Choices.tsx"
import { plainNumber } from "../../ui/PlainNumber.ts"

export const answers = [
  ["none", "Nobody: the call is rejected"],
  ["url", "A URL says what to do"],
  ["extensions", "It rings extensions"],
  ["e164", "It rings another number"],
  ["sip", "It rings a SIP address"]
] as const

export type Answer = (typeof answers)[number][0]

export interface RoutingDraft {
  readonly label: string
  readonly answer: Answer
  readonly voice_url: string
  readonly voice_fallback_url: string
  /** Extensions by commas, a number, or a SIP address, by `answer`. */
  readonly value: string
  readonly sequential: boolean
  readonly ring_timeout: string
  readonly record: NumberRoutingView["record"]
  readonly no_funds: string
  readonly events_url: string
}

const answerOf = ({ forward_to, voice_url }: NumberRoutingView): Answer =>
  voice_url !== null ? "url" : forward_to.type === "extension" ? "extensions" : forward_to.type

export const draftOf = (routing: NumberRoutingView): RoutingDraft => {
  const { value } = routing.forward_to
  return {
    label: routing.label ?? "",
    answer: answerOf(routing),
    voice_url: routing.voice_url ?? "",
    voice_fallback_url: routing.voice_fallback_url ?? "",
    value: value === null ? "" : typeof value === "string" ? value : value.join(", "),
    sequential: routing.forward_to.sequential ?? false,
    ring_timeout: String(routing.ring_timeout_seconds),
    record: routing.record,
    no_funds: routing.reject_when_no_funds_message ?? "",
    events_url: routing.events_url ?? ""
  }
}

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim())

const forwardOf = ({
  answer,
  sequential,
  value
}: RoutingDraft): NonNullable<NumberRoutingChange["forward_to"]> | null => {
  if (answer === "none" || answer === "url") return null
  if (answer === "e164") return { type: "e164", value: plainNumber(value) }
  if (answer === "sip") return { type: "sip", value: value.trim() }
  const extensions = valuesOf(value)
  return extensions.length === 1
    ? { type: "extension", value: extensions[0] ?? "" }
    : { type: "extensions", value: extensions, sequential }
}

export const changeOf = (draft: RoutingDraft): NumberRoutingChange => ({
  label: orNull(draft.label),
  voice_url: draft.answer === "url" ? orNull(draft.voice_url) : null,
  voice_fallback_url: draft.answer === "url" ? orNull(draft.voice_fallback_url) : null,
  forward_to: forwardOf(draft),
  ring_timeout_seconds: Number(draft.ring_timeout),
  record: draft.record,
  reject_when_no_funds_message: orNull(draft.no_funds),
  events_url: orNull(draft.events_url)
})
