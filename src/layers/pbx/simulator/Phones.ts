// What the simulated phones do when they are called. A test number has a script of its own, whatever the call's key.

type Deed =
  | { readonly kind: "rings" | "answers" | "hangs_up" | "is_a_machine" | "vanishes" | "falls_silent" }
  | {
      readonly kind: "refuses"
      readonly sip_code: number
      readonly q850: number
      readonly source: "callee" | "carrier"
    }

/** `after_ms` counts from the step before, for the first from the call. */
export type Step = Deed & { readonly after_ms: number }

export interface Phone {
  readonly steps: ReadonlyArray<Step>
  /** What it presses whenever digits are gathered from it. */
  readonly presses?: string
  /** What it says whenever it is listened to, unless it presses keys instead. */
  readonly says?: string
  /** Its answer and the cancellation of the call cross on the wire. */
  readonly answers_cancel?: true
  /** Its PBX reports twice and out of order, though numbered rightly. */
  readonly erratic?: true
}

/** Somebody who calls in from outside. */
export interface Caller {
  readonly tenant_pbx_id: string
  readonly from: string
  /** The number that is called. */
  readonly to: string
  /** `from` is the user name of a device that is registered here this way. Absent: somebody calls from without. */
  readonly device?: "ws" | "udp"
  /** Hangs up when it has rung for so long. Default: a minute. */
  readonly gives_up_after_ms?: number
  /** Hangs up when it has talked for so long. Default: never. */
  readonly talks_ms?: number
}

const rings: Step = { kind: "rings", after_ms: 100 }

/** Rings at once, answers after `answers_after_ms` and hangs up when it has talked for `talks_ms`. */
export const talkative = (answers_after_ms: number, talks_ms: number): Phone => ({
  steps: [
    rings,
    { kind: "answers", after_ms: answers_after_ms - rings.after_ms },
    { kind: "hangs_up", after_ms: talks_ms }
  ]
})

/** Rings and answers in the instant of the call and stays until it is hung up: for measuring. */
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
