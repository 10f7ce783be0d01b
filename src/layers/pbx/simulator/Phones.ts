// The behaviour of the simulated phones. Each test number has its own script; all other numbers share one.

import type { Attestation } from "../../../domain/pbx/Attestation.ts"
import type { PhoneVoice } from "./browsers/PhoneMedia.ts"

type PhoneAction =
  | { readonly kind: "rings" | "answers" | "hangs_up" | "is_a_machine" | "vanishes" | "falls_silent" }
  | {
      readonly kind: "refuses"
      /** Absent: the PBX failed, and no response came. */
      readonly sip_code?: number
      readonly q850: number
      readonly source: "callee" | "carrier" | "platform"
    }

/** `after_ms` counts from the previous step; for the first step, from the call. */
export type Step = PhoneAction & { readonly after_ms: number }

/** How a call ends that the phone refuses. */
export const refusalOf = ({ after_ms: _, kind: __, ...how }: Extract<Step, { readonly kind: "refuses" }>) => how

export interface Phone {
  readonly steps: ReadonlyArray<Step>
  /** The keys that it presses in every gather. A list: those of the first gather, of the second, and so on. */
  readonly presses?: string | ReadonlyArray<string>
  /** The words that it says in every gather for speech, unless it presses keys. A list: as for the keys. */
  readonly says?: string | ReadonlyArray<string>
  /** What a browser hears of it. Default: a greeting. */
  readonly voice?: PhoneVoice
  /** So long after the call it calls the number that was shown to it. */
  readonly calls_back_after_ms?: number
  /** It answers at the moment when the call is cancelled. */
  readonly answers_cancel?: true
  /** Its PBX reports every event twice and out of order, correctly numbered. */
  readonly erratic?: true
}

/** A caller of an inbound call. */
export interface Caller {
  readonly tenant_pbx_id: string
  readonly from: string
  /** The called number. */
  readonly to: string
  /** The transport of a registered device, whose user name is `from`. Absent: a caller from outside. */
  readonly device?: "ws" | "udp"
  /** Calls from the chat app. */
  readonly network?: "chatapp"
  /** What the network says of its number. */
  readonly attestation?: Attestation
  /** Hangs up after ringing this long. Default: a minute. */
  readonly gives_up_after_ms?: number
  /** Hangs up after talking this long. Default: never. */
  readonly talks_ms?: number
  /** As those of a phone. */
  readonly presses?: Phone["presses"]
  readonly says?: Phone["says"]
}

/** The keys that a phone presses in its gather of this index, which counts from 0. */
export const keysOf = ({ presses = "" }: Phone, gather: number): string =>
  typeof presses === "string" ? presses : (presses[gather] ?? "")

/** What a phone says in its gather for speech of this index, which counts from 0. Undefined: nothing. */
export const wordsOf = ({ says }: Phone, gather: number): string | undefined =>
  typeof says === "string" ? says : says?.[gather]

/** Whether a phone ever presses this key. */
export const pressesKey = ({ presses = "" }: Phone, key: string): boolean =>
  key !== "" && [presses].flat().some((keys) => keys.includes(key))

const rings: Step = { kind: "rings", after_ms: 100 }

/** Rings at once, answers after `answers_after_ms` and hangs up after talking for `talks_ms`. */
export const talkative = (answers_after_ms: number, talks_ms: number): Phone => ({
  steps: [
    rings,
    { kind: "answers", after_ms: answers_after_ms - rings.after_ms },
    { kind: "hangs_up", after_ms: talks_ms }
  ]
})

/** Rings and answers immediately and never hangs up. For benchmarks. */
export const instant: Phone = {
  steps: [
    { kind: "rings", after_ms: 0 },
    { kind: "answers", after_ms: 0 }
  ]
}

const everyOther = talkative(1000, 30_000)
const answered = everyOther.steps.slice(0, 2)

export const refusing = (after_ms: number, sip_code: number, q850: number, source: "callee" | "carrier"): Phone => ({
  steps: [{ kind: "refuses", after_ms, sip_code, q850, source }]
})

/** Answers and never hangs up. */
const patient: Phone = { steps: answered }

/** An answering machine takes the call and talks for half a minute. */
export const machine: Phone = {
  steps: [...answered, { kind: "is_a_machine", after_ms: 1000 }, { kind: "hangs_up", after_ms: 29_000 }]
}

const scripted: ReadonlyMap<string, Phone> = new Map<string, Phone>([
  ["+99900000001", talkative(2000, 65_000)],
  ["+99900000002", refusing(500, 486, 17, "callee")],
  ["+99900000003", { steps: [rings] }],
  ["+99900000004", refusing(200, 503, 38, "carrier")],
  ["+99900000005", { steps: [rings], answers_cancel: true }],
  ["+99900000006", machine],
  ["+99900000008", { steps: [...answered, { kind: "vanishes", after_ms: 30_000 }] }],
  ["+99900000009", { ...everyOther, erratic: true }],
  ["+99900000010", { ...talkative(1000, 60_000), presses: "1234#" }],
  ["+99900000011", { ...talkative(1000, 60_000), says: "I would like to speak to somebody." }],
  ["+99900000012", { ...talkative(1000, 110_000), voice: { kind: "echo" } }],
  ["+99900000013", refusing(200, 404, 1, "carrier")],
  ["+99900000014", refusing(200, 484, 28, "carrier")],
  ["+99900000015", refusing(500, 480, 19, "callee")],
  ["+99900000016", refusing(500, 408, 18, "carrier")],
  ["+99900000017", refusing(200, 500, 42, "carrier")],
  ["+99900000020", patient],
  ["+99900000021", { steps: [...answered, { kind: "falls_silent", after_ms: 0 }], voice: { kind: "silent" } }],
  ["+99900000022", patient],
  ["+99900000025", { steps: [{ kind: "refuses", after_ms: 200, q850: 41, source: "platform" }] }],
  ["+99900000026", refusing(500, 603, 21, "callee")],
  ["+99900000027", { ...refusing(500, 486, 17, "callee"), calls_back_after_ms: 2_000 }]
])

export const phoneOf = (to: string): Phone => scripted.get(to) ?? everyOther
