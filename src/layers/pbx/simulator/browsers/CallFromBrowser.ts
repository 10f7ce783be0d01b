// A call that a browser places: the simulated PBX is the called side (RFC 3261, section 13.3).
import type { SipRequest } from "../../../../domain/webrtc/SipMessage.ts"
import { BrowserDialog, contactOf, type DialogOptions, transaction_ms } from "./BrowserDialog.ts"

/** How long the media may take to answer an offer. */
const media_ms = 10_000

export class CallFromBrowser extends BrowserDialog {
  private readonly invite: SipRequest
  private readonly tag: string
  private sdp: string | undefined
  private rings = false

  constructor(invite: SipRequest, options: DialogOptions) {
    super(options)
    this.invite = invite
    this.tag = options.uuid()
    this.answerWith(invite, 100)
  }

  /** Makes the media. `then` is called once the call can be carried; otherwise the browser is refused. */
  prepare(then: () => void): void {
    const offer = this.invite.body
    if (offer === undefined) return this.refuse(488)
    const refuse = () => {
      if (!this.isOver && this.sdp === undefined) this.refuse(488)
    }
    this.wait(media_ms, refuse)
    this.options.media.answer(this.id, offer.text, (sdp) => {
      if (this.isOver || sdp === undefined) return refuse()
      this.stopWaiting()
      this.sdp = sdp
      then()
    })
  }

  /** The other side rings. From now on the browser hears what is played to it. */
  ring(): void {
    if (this.phase !== "setup" || this.rings) return
    this.rings = true
    this.answerWith(this.invite, 183, { sdp: this.sdp })
  }

  answer(): void {
    if (this.phase !== "setup" || this.sdp === undefined) return
    this.phase = "answered"
    this.answerWith(this.invite, 200, { sdp: this.sdp })
    this.wait(transaction_ms, () => this.lost("silence"))
    this.options.events.answered()
  }

  override hangUp(sip_code: number): void {
    if (this.isOver) return
    if (this.phase === "answered") this.bye()
    else this.answerWith(this.invite, sip_code)
    this.close()
  }

  override respond(): void {}

  protected override cancelled(request: SipRequest): void {
    this.answerWith(request, 200)
    if (this.phase !== "setup") return
    this.answerWith(this.invite, 487)
    this.end({ by: "browser" })
  }

  protected override get parties() {
    const { from, to } = this.invite
    return { local: { ...to, tag: this.tag }, remote: from, target: contactOf(this.invite) ?? "" }
  }

  private refuse(status: number): void {
    this.answerWith(this.invite, status)
    this.close()
  }
}
