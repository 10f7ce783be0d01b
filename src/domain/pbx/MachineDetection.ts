// Whether a person or a machine has answered: people say a word or two and wait to be spoken to, machines go on. Instants
// are epoch milliseconds.
import type { PbxAction } from "./PbxCommand.ts"

export type DetectionWish = NonNullable<Extract<PbxAction, { readonly kind: "originate" }>["machine_detection"]>

/** Whoever says nothing for so long from the answer on is not known. */
export const speechless_ms = 5_000
/** A greeting of so long, its pauses included, is a machine's. */
export const greeting_ms = 2_400
/** So long a silence after a shorter greeting is a person's, who waits. */
export const waiting_ms = 1_200
/** So long a silence is the end of a machine's message, and of the tone after it. */
export const message_end_ms = 1_500
/** So long a silence is the end of a sound: it is noticed so much later. */
export const notice_ms = 300
/** Shorter sounds are none: clicks, and what a line does when it opens. */
export const noise_ms = 100
/** What is known is told so much before the time to wait is over, so that it is not too late. */
export const early_ms = 250

export interface Detection {
  readonly mode: DetectionWish["mode"]
  readonly answered_at: number
  readonly until: number
  /** When the first word began that has ended. */
  readonly spoke_at: number | null
  /** Since when somebody speaks; null: nobody does. */
  readonly speaking_since: number | null
  /** Since when nobody speaks, or did not before what may be a noise. */
  readonly quiet_since: number
}

export type Heard =
  | { readonly _tag: "SpeechBegan"; readonly at: number }
  | { readonly _tag: "SpeechEnded"; readonly at: number; readonly lasted_ms: number }

export interface Judgement {
  readonly result: "human" | "machine" | "unknown"
  /** From 0 to 1. */
  readonly confidence: number
}

export const listenFor = ({ mode, timeout_seconds }: DetectionWish, answered_at: number): Detection => ({
  mode,
  answered_at,
  until: answered_at + timeout_seconds * 1000 - early_ms,
  spoke_at: null,
  speaking_since: null,
  quiet_since: answered_at
})

/** `at` of an end is when the sound ended, not when that was noticed. */
export const hear = (detection: Detection, heard: Heard): Detection => {
  if (heard._tag === "SpeechBegan") return { ...detection, speaking_since: detection.speaking_since ?? heard.at }
  const silent = { ...detection, speaking_since: null }
  if (heard.lasted_ms < noise_ms) return silent
  return {
    ...silent,
    spoke_at: detection.spoke_at ?? heard.at - heard.lasted_ms,
    quiet_since: Math.max(detection.quiet_since, heard.at)
  }
}

const machine: Judgement = { result: "machine", confidence: 0.9 }
const unknown: Judgement = { result: "unknown", confidence: 0 }
/** One word is said by people; some machines say no more than a sentence. */
const human = (spoken_ms: number): Judgement => ({
  result: "human",
  confidence: spoken_ms <= greeting_ms / 2 ? 0.95 : 0.75
})

/** What can be said now, or when to look again should nothing be heard until then. */
export const judge = (detection: Detection, now: number): Judgement | { readonly look_at: number } => {
  const { answered_at, mode, quiet_since, speaking_since, until } = detection
  const spoke_at = detection.spoke_at ?? speaking_since
  const spoken_ms = spoke_at === null ? 0 : (speaking_since === null ? quiet_since : now - notice_ms) - spoke_at
  const isMachine = spoken_ms >= greeting_ms
  const quiet_ms = speaking_since === null ? now - quiet_since : 0
  if (isMachine && (mode === "detect" || quiet_ms >= message_end_ms || now >= until)) return machine
  if (now >= until) return unknown
  if (spoke_at === null)
    return now - answered_at >= speechless_ms ? unknown : { look_at: Math.min(until, answered_at + speechless_ms) }
  if (speaking_since !== null)
    return { look_at: isMachine ? until : Math.min(until, spoke_at + greeting_ms + notice_ms) }
  if (isMachine) return { look_at: Math.min(until, quiet_since + message_end_ms) }
  return quiet_ms >= waiting_ms ? human(spoken_ms) : { look_at: Math.min(until, quiet_since + waiting_ms) }
}
