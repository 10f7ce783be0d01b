// A call that rings a registered browser: the simulated PBX is the calling side (RFC 3261, section 13.2).
import type { Headers, SipRequest, SipResponse } from "../../../../domain/webrtc/SipMessage.ts"
import { sipUri } from "../../../../domain/webrtc/SipUri.ts"
import { BrowserDialog, contactOf, type DialogOptions, transaction_ms } from "./BrowserDialog.ts"
import { sipHost } from "./SipTexts.ts"

export interface RungBrowser {
  readonly username: string
  /** The registered contact. */
  readonly target: string
  /** The number that is shown. */
  readonly from: string
}

export class CallToBrowser extends BrowserDialog {
  private readonly rung: RungBrowser
  private readonly local_tag: string
  private readonly branch: string
  private remote_tag: string | undefined
  private target: string
  private isCancelled = false
  /** The offer is sent. */
  private isInvited = false

  constructor(rung: RungBrowser, options: DialogOptions) {
    super(options)
    this.rung = rung
    this.target = rung.target
    this.local_tag = options.uuid()
    this.branch = this.newBranch()
  }

  invite(): void {
    // Until the first response; how long it may ring is the owner's matter.
    this.wait(transaction_ms, () => {
      this.hangUp(408)
      this.options.events.ended({ by: "browser", sip_code: 408 })
    })
    this.options.media.offer(this.id, (sdp) => {
      if (this.isOver) return
      if (sdp === undefined) return this.end({ by: "media", sip_code: 503 })
      this.isInvited = true
      this.cseq++
      this.request("INVITE", { branch: this.branch, sdp })
    })
  }

  override respond(response: SipResponse): void {
    const { status } = response
    if (response.method !== "INVITE" || this.isOver) return
    if (status < 200) {
      if (this.isCancelled) return
      this.stopWaiting()
      if (status !== 100) this.options.events.ringing()
      return
    }
    this.remote_tag = response.to.tag
    return status < 300 ? this.accepted(response) : this.refused(status)
  }

  /** Before the answer this cancels (RFC 3261, section 9.1); `headers` may say that another one has answered. */
  override hangUp(_sip_code: number, headers: Headers = []): void {
    if (this.isOver || this.isCancelled) return
    if (this.phase === "answered") {
      this.bye()
      return this.close()
    }
    if (!this.isInvited) return this.close()
    this.isCancelled = true
    this.request("CANCEL", { branch: this.branch, headers })
    this.wait(transaction_ms, () => this.close())
  }

  protected override cancelled(request: SipRequest): void {
    this.answerWith(request, 481)
  }

  protected override get parties() {
    const { from, username } = this.rung
    return {
      local: { display: undefined, uri: sipUri(from, sipHost), tag: this.local_tag },
      remote: { display: undefined, uri: sipUri(username, sipHost), tag: this.remote_tag },
      target: this.target
    }
  }

  private refused(status: number): void {
    this.request("ACK", { branch: this.branch })
    if (this.isCancelled) return this.close()
    this.end({ by: "browser", sip_code: status })
  }

  /** The answer may cross with the end on its way, and is then ended by a BYE. */
  private accepted(response: SipResponse): void {
    this.target = contactOf(response) ?? this.target
    this.request("ACK")
    if (this.phase === "answered") return
    this.phase = "answered"
    this.stopWaiting()
    const sdp = response.body?.text
    if (this.isCancelled || sdp === undefined) {
      this.bye()
      return this.isCancelled ? this.close() : this.end({ by: "media" })
    }
    this.options.media.accept(this.id, sdp, (done) => {
      if (this.isOver) return
      if (done) return this.options.events.answered()
      this.lost("media")
    })
  }
}
