// What the phones of a test do when they are called.
import { machine, phoneOf, type Phone, refusing, type Step } from "../layers/pbx/simulator/Phones.ts"
import { type Span, spanMs } from "./Span.ts"

export interface Answering {
  /** How long it rings. Default: 1 second. */
  readonly after?: Span
  /** How long the callee talks before hanging up. Default: 30 seconds. */
  readonly talks?: Span
  /** The keys that it presses whenever it is asked for digits. A list: the first time, the second time, and so on. */
  readonly presses?: string | ReadonlyArray<string>
  /** The words that it says when it is asked to speak. */
  readonly says?: string
}

const rings: Step = { kind: "rings", after_ms: 100 }

const answering = ({ after = "1 second", presses, says, talks = "30 seconds" }: Answering): Phone => ({
  steps: [
    rings,
    { kind: "answers", after_ms: Math.max(0, spanMs(after) - rings.after_ms) },
    { kind: "hangs_up", after_ms: spanMs(talks) }
  ],
  ...(presses !== undefined && { presses }),
  ...(says !== undefined && { says })
})

/** Sets what a phone does from its next call on. */
export interface TestPhone {
  readonly answers: (how?: Answering) => void
  readonly busy: () => void
  readonly noAnswer: () => void
  /** The carrier answers with this SIP status, for example 503. */
  readonly fails: (sip_code: number) => void
  /** An answering machine takes the call. */
  readonly machine: () => void
  /** It vanishes from the network after talking this long, without hanging up. */
  readonly vanishes: (after: Span) => void
}

export class TestPhones {
  private readonly phones = new Map<string, Phone>()

  /** A number without a script is one of the test network, or answers after a second and talks for 30. */
  of(number: string): Phone {
    return this.phones.get(number) ?? phoneOf(number)
  }

  phone(number: string): TestPhone {
    const set = (phone: Phone): void => void this.phones.set(number, phone)
    return {
      answers: (how = {}) => set(answering(how)),
      busy: () => set(refusing(500, 486, 17, "callee")),
      noAnswer: () => set({ steps: [rings] }),
      fails: (sip_code) => set(refusing(500, sip_code, 38, "carrier")),
      machine: () => set(machine),
      vanishes: (after) =>
        set({
          steps: [rings, { kind: "answers", after_ms: 900 }, { kind: "vanishes", after_ms: spanMs(after) }]
        })
    }
  }
}
