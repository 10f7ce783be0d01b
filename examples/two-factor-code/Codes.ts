// Codes that are told by telephone, to prove that a person has a number.
import { createHash, randomInt, randomUUID, timingSafeEqual } from "node:crypto"
import { actions, hangup, pause, say } from "trunkline/actions"
import { ApiError, type Trunkline } from "trunkline/client"

export type Verdict = "right" | "wrong" | "over"

export interface CodesOptions {
  readonly client: Trunkline
  /** The number that we call from. */
  readonly from: string
  /** Epoch milliseconds. */
  readonly now?: () => number
  /** Makes a code of six digits. */
  readonly makeCode?: () => string
}

interface Sent {
  readonly phone: string
  readonly hash: Buffer
  readonly sent_at: number
  triesLeft: number
}

const validFor_ms = 5 * 60_000
/** A person who did not understand may ask again, but nobody can make a telephone ring all the time. */
const pauseBetweenCalls_ms = 60_000
const tries = 3

/** With the id of the request, so that equal codes have different hashes. */
const hashOf = (id: string, code: string): Buffer => createHash("sha256").update(`${id}.${code}`).digest()

/** "4 0 7": a voice reads single digits, and a comma makes it pause. */
const spoken = (code: string): string => [...code].join(", ")

export class Codes {
  private readonly options: Required<CodesOptions>
  private readonly sent = new Map<string, Sent>()

  constructor(options: CodesOptions) {
    const makeCode = () => randomInt(1_000_000).toString().padStart(6, "0")
    this.options = { now: Date.now, makeCode, ...options }
  }

  /** Calls a phone and tells it a code. Returns the id to check it by, or why nobody was called. */
  async send(phone: string): Promise<{ readonly id: string } | { readonly refused: string }> {
    const { client, from, makeCode, now } = this.options
    this.forgetOld()
    const wasJustCalled = [...this.sent.values()].some(
      (each) => each.phone === phone && now() - each.sent_at < pauseBetweenCalls_ms
    )
    if (wasJustCalled) return { refused: "too_soon" }
    const id = randomUUID()
    const code = makeCode()
    // Before the call, so that two requests at the same time place one.
    this.sent.set(id, { phone, hash: hashOf(id, code), sent_at: now(), triesLeft: tries })
    const message = say(`Your code is ${spoken(code)}. I repeat: ${spoken(code)}.`, { loop: 2 })
    try {
      await client.calls.originate(
        {
          from,
          to: phone,
          client_reference: id,
          max_duration_seconds: 60,
          ...actions(pause(1), message, hangup())
        },
        { idempotencyKey: id }
      )
      return { id }
    } catch (error) {
      this.sent.delete(id)
      if (error instanceof ApiError) return { refused: error.code }
      throw error
    }
  }

  /** A code is right once. After three wrong ones, or five minutes, it is over. */
  check(id: string, code: string): Verdict {
    this.forgetOld()
    const sent = this.sent.get(id)
    if (sent === undefined) return "over"
    sent.triesLeft--
    const isRight = timingSafeEqual(sent.hash, hashOf(id, code))
    if (isRight || sent.triesLeft === 0) this.sent.delete(id)
    return isRight ? "right" : "wrong"
  }

  private forgetOld(): void {
    const { now } = this.options
    for (const [id, { sent_at }] of this.sent) if (now() - sent_at >= validFor_ms) this.sent.delete(id)
  }
}
