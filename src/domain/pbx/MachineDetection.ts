// Answering machine detection: whether a person or a machine has answered. People say a word or two and then wait;
// machines keep talking. Instants are epoch milliseconds.
import type { ActionOf } from "./PbxCommand.ts"

export type DetectionOptions = NonNullable<ActionOf<"originate">["machine_detection"]>

/** This long without a word after the answer: the result is `unknown`. */
export const noSpeech_ms = 5_000
/** A greeting this long, pauses included: `machine`. */
export const greeting_ms = 2_400
/** This long a silence after a shorter greeting: `human`, waiting for a reply. */
export const personPause_ms = 1_200
/** This long a silence ends a machine's message, and the tone after it. */
export const messageEnd_ms = 1_500
/** This long a silence ends a sound, so the end is noticed this much later. */
export const endOfSound_ms = 300
/** Shorter sounds are ignored as noise: clicks, and sounds of the line opening. */
export const noise_ms = 100
/** The result is reported this much before the timeout, so that it arrives in time. */
export const reportEarly_ms = 250

export interface Detection {
  readonly mode: DetectionOptions["mode"]
  readonly answered_at: number
  readonly until: number
  /** When the first completed word began. */
  readonly spoke_at: number | null
  /** Since when the party has been speaking; null: it is silent. */
  readonly speaking_since: number | null
  /** Since when the party has been silent. A sound that may be noise does not reset it. */
  readonly quiet_since: number
}

export type SpeechChange =
  | { readonly _tag: "SpeechBegan"; readonly at: number }
  | { readonly _tag: "SpeechEnded"; readonly at: number; readonly lasted_ms: number }

export interface Judgement {
  readonly result: "human" | "machine" | "unknown"
  /** From 0 to 1. */
  readonly confidence: number
}

export const beginDetection = ({ mode, timeout_seconds }: DetectionOptions, answered_at: number): Detection => ({
  mode,
  answered_at,
  until: answered_at + timeout_seconds * 1000 - reportEarly_ms,
  spoke_at: null,
  speaking_since: null,
  quiet_since: answered_at
})

/** For `SpeechEnded`, `at` is when the sound ended, not when the end was noticed. */
export const withSpeech = (detection: Detection, change: SpeechChange): Detection => {
  if (change._tag === "SpeechBegan") return { ...detection, speaking_since: detection.speaking_since ?? change.at }
  const silent = { ...detection, speaking_since: null }
  if (change.lasted_ms < noise_ms) return silent
  return {
    ...silent,
    spoke_at: detection.spoke_at ?? change.at - change.lasted_ms,
    quiet_since: Math.max(detection.quiet_since, change.at)
  }
}

const machine: Judgement = { result: "machine", confidence: 0.9 }
const unknown: Judgement = { result: "unknown", confidence: 0 }
/** A single word is almost always a person's; some machines say just one sentence, so a sentence counts for less. */
const human = (spoken_ms: number): Judgement => ({
  result: "human",
  confidence: spoken_ms <= greeting_ms / 2 ? 0.95 : 0.75
})

/** The result, if it is certain at `now`; otherwise when to decide again if no speech is detected before. */
export const judge = (detection: Detection, now: number): Judgement | { readonly judge_at: number } => {
  const { answered_at, mode, quiet_since, speaking_since, until } = detection
  const spoke_at = detection.spoke_at ?? speaking_since
  const spoken_ms = spoke_at === null ? 0 : (speaking_since === null ? quiet_since : now - endOfSound_ms) - spoke_at
  const isMachine = spoken_ms >= greeting_ms
  const quiet_ms = speaking_since === null ? now - quiet_since : 0
  if (isMachine && (mode === "detect" || quiet_ms >= messageEnd_ms || now >= until)) return machine
  if (now >= until) return unknown
  if (spoke_at === null)
    return now - answered_at >= noSpeech_ms ? unknown : { judge_at: Math.min(until, answered_at + noSpeech_ms) }
  if (speaking_since !== null)
    return { judge_at: isMachine ? until : Math.min(until, spoke_at + greeting_ms + endOfSound_ms) }
  if (isMachine) return { judge_at: Math.min(until, quiet_since + messageEnd_ms) }
  return quiet_ms >= personPause_ms ? human(spoken_ms) : { judge_at: Math.min(until, quiet_since + personPause_ms) }
}
