// One call between the simulated PBX and a browser (RFC 3261, section 12): what both directions share.
import type { Timer } from "../../../../actors/runtime/TimerHeap.ts"
import type { Timers } from "../../../../actors/runtime/Timers.ts"
import type { Party } from "../../../../domain/webrtc/SipAddress.ts"
import { printUri } from "../../../../domain/webrtc/SipUri.ts"
import type { Headers, SipMessage, SipRequest, SipResponse } from "../../../../domain/webrtc/SipMessage.ts"
import type { PhoneMedia } from "./PhoneMedia.ts"
import { type RequestOptions, requestTo, type ResponseOptions, responseTo } from "./SipTexts.ts"

export interface DialogEnd {
  /** `browser`: the person hung up, cancelled or refused. `silence`: no sound comes. `media`: none can be carried. */
  readonly by: "browser" | "silence" | "media"
  /** The final status of a call to a browser that was not answered. */
  readonly sip_code?: number
}

/** What a dialog tells its owner. Nothing comes after `ended`. */
export interface DialogEvents {
  readonly ringing: () => void
  readonly answered: () => void
  readonly pressed: (digit: string, duration_ms: number) => void
  readonly ended: (end: DialogEnd) => void
}

export interface DialogOptions {
  /** Names the call's media. */
  readonly id: string
  readonly call_id: string
  readonly send: (text: string) => void
  readonly media: PhoneMedia
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly uuid: () => string
  readonly events: DialogEvents
  /** Called once, when nothing more is to come. */
  readonly over: () => void
}

/** 64 times T1 (RFC 3261, section 17): how long a response or an ACK is waited for. */
export const transaction_ms = 32_000

const printedKey_ms = 100

/** `Signal=5` and `Duration=160` of `application/dtmf-relay`, or the digit alone of `application/dtmf`. */
const keyOf = (text: string): { readonly digit: string; readonly duration_ms: number } | undefined => {
  const digit = /^\s*(?:Signal\s*=\s*)?([0-9*#A-D])\s*(?:$|[\r\n])/i.exec(text)?.[1]?.toUpperCase()
  const duration = /Duration\s*=\s*(\d{1,5})/i.exec(text)?.[1]
  return digit === undefined
    ? undefined
    : { digit, duration_ms: duration === undefined ? printedKey_ms : Number(duration) }
}

/** Where the other end wants requests: its Contact. */
export const contactOf = ({ contacts }: SipMessage): string | undefined =>
  contacts === "*" || contacts[0] === undefined ? undefined : printUri(contacts[0].uri)

export abstract class BrowserDialog {
  readonly id: string
  readonly call_id: string
  protected readonly options: DialogOptions
  protected phase: "setup" | "answered" | "over" = "setup"
  protected cseq = 0
  private timer: Timer | undefined

  constructor(options: DialogOptions) {
    this.options = options
    this.id = options.id
    this.call_id = options.call_id
  }

  get isOver(): boolean {
    return this.phase === "over"
  }

  /** The simulator ends the call. `sip_code` refuses one that the browser placed and nobody answered. */
  abstract hangUp(sip_code: number, headers?: Headers): void
  /** A response to a request of this call. */
  abstract respond(response: SipResponse): void
  protected abstract cancelled(request: SipRequest): void
  protected abstract get parties(): { readonly local: Party; readonly remote: Party; readonly target: string }

  /** A request of the browser within this call. */
  take(request: SipRequest): void {
    switch (request.method) {
      case "ACK":
        return this.acknowledged()
      case "CANCEL":
        return this.cancelled(request)
      case "BYE":
        this.answerWith(request, 200)
        return this.end({ by: "browser" })
      case "INVITE":
        return this.renegotiate(request)
      case "INFO": {
        const key = request.body && keyOf(request.body.text)
        this.answerWith(request, 200)
        if (key !== undefined) this.options.events.pressed(key.digit, key.duration_ms)
        return
      }
      default:
        return this.answerWith(request, request.method === "OPTIONS" ? 200 : 405)
    }
  }

  /** A key within the sound (RFC 4733). */
  pressed(digit: string, duration_ms: number): void {
    this.options.events.pressed(digit, duration_ms)
  }

  /** Nothing can be heard of the browser any more. */
  lost(by: "silence" | "media"): void {
    if (this.isOver) return
    this.hangUp(500)
    this.options.events.ended({ by })
  }

  /** The connection to the browser is closed for good: nobody can be told. */
  disconnected(): void {
    this.end({ by: "browser" })
  }

  protected answerWith(request: SipRequest, status: number, more: ResponseOptions = {}): void {
    this.options.send(responseTo(request, status, { tag: this.parties.local.tag ?? this.id, ...more }))
  }

  protected request(method: RequestOptions["method"], more: Partial<RequestOptions> = {}): void {
    const { local, remote, target } = this.parties
    this.options.send(
      requestTo({
        method,
        target,
        from: local,
        to: remote,
        call_id: this.call_id,
        cseq: this.cseq,
        branch: this.newBranch(),
        ...more
      })
    )
  }

  protected newBranch(): string {
    return `z9hG4bK${this.options.uuid()}`
  }

  protected bye(): void {
    this.cseq++
    this.request("BYE")
  }

  /** Ends the call on this side, and tells the owner. */
  protected end(end: DialogEnd): void {
    if (this.isOver) return
    this.close()
    this.options.events.ended(end)
  }

  /** Ends the call on this side. */
  protected close(): void {
    if (this.isOver) return
    this.phase = "over"
    this.stopWaiting()
    this.options.media.remove(this.id)
    this.options.over()
  }

  protected wait(ms: number, then: () => void): void {
    this.stopWaiting()
    this.timer = this.options.timers.set(this.options.now() + ms, then)
  }

  protected stopWaiting(): void {
    if (this.timer !== undefined) this.options.timers.cancel(this.timer)
    this.timer = undefined
  }

  /** An ACK came, for the answer of this side. */
  protected acknowledged(): void {
    this.stopWaiting()
  }

  /** The browser holds or resumes, or its network has changed. */
  private renegotiate(request: SipRequest): void {
    if (request.body === undefined) return this.answerWith(request, 488)
    this.options.media.answer(this.id, request.body.text, (sdp) => {
      if (this.isOver) return
      if (sdp === undefined) return this.answerWith(request, 488)
      this.answerWith(request, 200, { sdp })
    })
  }
}
