// A calling card: people call a number of ours, type the PIN of their card and the number that they want, and talk
// until the card is empty.
import { actions, dial, gather, hangup, type Question, say, voiceCallback, type VoiceActions } from "trunkline/actions"
import { InvalidRequestError, type Trunkline } from "trunkline/client"
import { webhookHandler } from "trunkline/webhooks"
import type { Card, Cards } from "./Cards.ts"

export interface CallingCardOptions {
  readonly client: Trunkline
  readonly cards: Cards
  /** Where the engine reaches us. */
  readonly publicUrl: string
  readonly voiceSecret: string
  readonly webhookSecret: string
  /** A card pays this many times what the call costs us. */
  readonly markup: number
  /** Epoch milliseconds. */
  readonly now?: () => number
}

const longestTalk_minutes = 240
const tries = 3

const askPin = (attempt: number, before = ""): VoiceActions =>
  actions(
    gather({
      prompt: say(`${before}Please type your PIN, and then the hash key.`),
      timeout: 10,
      action_url: `/voice?step=pin&attempt=${attempt}`
    }),
    hangup()
  )

const goodbye = (text: string): VoiceActions => actions(say(text), hangup())

const askNumber = (attempt: number, text: string): VoiceActions =>
  actions(
    gather({
      prompt: say(`${text} Type the number with its country code, and then the hash key.`),
      timeout: 10,
      action_url: `/voice?step=number&attempt=${attempt}`
    }),
    hangup()
  )

export class CallingCard {
  private readonly options: Required<CallingCardOptions>

  constructor(options: CallingCardOptions) {
    this.options = { now: Date.now, ...options }
  }

  /** Voice callbacks at /voice, and webhooks. */
  readonly handle = (request: Request): Promise<Response> => {
    const { now, publicUrl, voiceSecret, webhookSecret } = this.options
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === "/voice") {
      const answer = (question: Question) => this.actionsFor(question, searchParams)
      return voiceCallback({ secrets: voiceSecret, baseUrl: publicUrl, now }, answer)(request)
    }
    const ended = (call: EndedCall) => this.ended(call)
    return webhookHandler({
      secrets: webhookSecret,
      now,
      on: {
        "call.completed": ended,
        "call.busy": ended,
        "call.no_answer": ended,
        "call.failed": ended,
        "call.canceled": ended
      }
    })(request)
  }

  private async actionsFor(question: Question, step: URLSearchParams): Promise<VoiceActions> {
    if (question.reason === "incoming") return askPin(1, "Welcome. ")
    if (question.reason !== "gather_completed") return actions(hangup())
    const digits = question.result.digits ?? ""
    const attempt = Number(step.get("attempt"))
    return step.get("step") === "pin"
      ? this.takePin(question, digits, attempt)
      : this.takeNumber(question, digits, attempt)
  }

  private takePin({ call_id }: Question, pin: string, attempt: number): VoiceActions {
    const { cards } = this.options
    const card = cards.find(pin)
    if (card === undefined)
      return attempt < tries ? askPin(attempt + 1, "This PIN is wrong. ") : goodbye("This PIN is wrong. Goodbye.")
    if (!cards.use(call_id, card)) return goodbye("Your card pays for another call at the moment. Goodbye.")
    return askNumber(1, "Thank you.")
  }

  private async takeNumber({ call_id, to: ours }: Question, digits: string, attempt: number): Promise<VoiceActions> {
    const { cards, client } = this.options
    // The card was stored with the call. The URL alone proves nothing.
    const card = cards.of(call_id)
    if (card === undefined) return actions(hangup())
    const check = await client.calls.checkDestination({ from: ours, to: `+${digits}` }).catch((error: unknown) => {
      if (error instanceof InvalidRequestError) return undefined // it is no telephone number
      throw error
    })
    if (check?.rated !== true || check.rate_per_min_minor === null || check.normalized_to === null)
      return attempt < tries
        ? askNumber(attempt + 1, "This number cannot be called.")
        : goodbye("This number cannot be called. Goodbye.")
    const minutes = this.minutesOf(card, check.rate_per_min_minor)
    if (minutes < 1) return goodbye("Your card is empty. Goodbye.")
    cards.dials(call_id)
    return actions(
      say(`You can talk for ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`),
      dial(check.normalized_to, { timeout: 30, time_limit: minutes * 60 }),
      hangup()
    )
  }

  private minutesOf({ balance_minor }: Card, rate_minor: number): number {
    const price = rate_minor * this.options.markup
    return price === 0 ? longestTalk_minutes : Math.min(Math.floor(balance_minor / price), longestTalk_minutes)
  }

  /**
   * A leg that ends is charged to the card, and lets it go. The call itself lets it go if it has no leg: its caller
   * hung up before one rang.
   */
  private async ended({ cost_minor = 0, id, parent_call_id }: EndedCall): Promise<void> {
    const { cards, client, markup } = this.options
    if (parent_call_id !== null) return cards.charge(parent_call_id, id, cost_minor * markup)
    if (cards.hasDialled(id) && (await client.calls.get(id)).child_call_ids.length > 0) return
    cards.release(id)
  }
}

interface EndedCall {
  readonly id: string
  readonly parent_call_id: string | null
  readonly cost_minor?: number | undefined
}
