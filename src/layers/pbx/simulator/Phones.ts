// The behaviour of the simulated phones. Each test number has its own script; all other numbers share one.

type PhoneAction =
  | { readonly kind: "rings" | "answers" | "hangs_up" | "is_a_machine" | "vanishes" | "falls_silent" }
  | {
      readonly kind: "refuses"
      readonly sip_code: number
      readonly q850: number
      readonly source: "callee" | "carrier"
    }

/** `after_ms` counts from the previous step; for the first step, from the call. */
export type Step = PhoneAction & { readonly after_ms: number }

export interface Phone {
  readonly steps: ReadonlyArray<Step>
  /** The keys that it presses in every gather. */
  readonly presses?: string
  /** The words that it says in every gather for speech, unless it presses keys. */
  readonly says?: string
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
  /** Hangs up after ringing this long. Default: a minute. */
  readonly gives_up_after_ms?: number
  /** Hangs up after talking this long. Default: never. */
  readonly talks_ms?: number
}

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

const scripted: ReadonlyMap<string, Phone> = new Map<string, Phone>([
  ["+99900000001", talkative(2000, 65_000)],
  ["+99900000002", { steps: [{ kind: "refuses", after_ms: 500, sip_code: 486, q850: 17, source: "callee" }] }],
  ["+99900000003", { steps: [rings] }],
  ["+99900000004", { steps: [{ kind: "refuses", after_ms: 200, sip_code: 503, q850: 38, source: "carrier" }] }],
  ["+99900000005", { steps: [rings], answers_cancel: true }],
  [
    "+99900000006",
    {
      steps: [...answered, { kind: "is_a_machine", after_ms: 1000 }, { kind: "hangs_up", after_ms: 29_000 }]
    }
  ],
  ["+99900000008", { steps: [...answered, { kind: "vanishes", after_ms: 30_000 }] }],
  ["+99900000009", { ...everyOther, erratic: true }],
  ["+99900000010", { ...talkative(1000, 60_000), presses: "1234#" }],
  ["+99900000011", { ...talkative(1000, 60_000), says: "I would like to speak to somebody." }]
])

export const phoneOf = (to: string): Phone => scripted.get(to) ?? everyOther
