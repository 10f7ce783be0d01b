// The sessions of the simulated PBX whose party is a person with a browser. The simulated PBX asks this class about
// each of them; what the person does comes back by `LegOwner`.
import type { Timers } from "../../../../actors/runtime/Timers.ts"
import type { SessionId } from "../../../../domain/BrandedIds.ts"
import type { PbxEventData, PbxEventType } from "../../../../domain/pbx/PbxEvent.ts"
import type { DigestHash } from "../../../../domain/webrtc/DigestAnswer.ts"
import type { Caller } from "../Phones.ts"
import type { Registry } from "../Registry.ts"
import type { Session } from "../Sessions.ts"
import type { DialogEnd, DialogEvents } from "./BrowserDialog.ts"
import { BrowserMedia } from "./BrowserMedia.ts"
import { BrowserSip, type OpenLine } from "./BrowserSip.ts"
import { CallFromBrowser } from "./CallFromBrowser.ts"
import type { CallToBrowser } from "./CallToBrowser.ts"
import type { MediaNotice, PhoneMedia, PhoneVoice, Sound } from "./PhoneMedia.ts"

/** The simulated PBX, as a browser's leg uses it. */
export interface LegOwner {
  /** A browser calls. The session exists when this returns. */
  readonly dialIn: (caller: Caller) => Session | undefined
  readonly ringing: (session: Session) => void
  readonly answered: (session: Session) => void
  readonly ended: (session: Session, how: PbxEventData) => void
  readonly report: (session: Session, type: PbxEventType, data: PbxEventData) => void
}

export interface BrowserLegsOptions {
  readonly registry: Registry
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly uuid: () => string
  readonly hash: DigestHash
  /** Makes the media; `told` gets what happens to them, and `failed` is called when all are lost. */
  readonly media: (told: (notice: MediaNotice) => void, failed: () => void) => PhoneMedia
  readonly reportRegistration: (tenant_pbx_id: string, data: PbxEventData) => void
}

interface Leg {
  readonly session: Session
  /** Those that ring; then the one that was answered. */
  calls: ReadonlyArray<CallFromBrowser | CallToBrowser>
  /** The SIP status that ends the leg if every browser refuses: that of the last one. */
  sip_code: number
  /** Undefined until the leg has sound. */
  media_id: string | undefined
}

/** How long a browser's own call may take until somebody answers it; the engine gives up earlier. */
const patience_ms = 15 * 60_000

const ringback = "ringback"
/** The ringing tone of most countries (ITU-T E.180). */
const ringbackTone: Sound = {
  kind: "tones",
  tones: [
    { hz: [425], ms: 1000 },
    { hz: [], ms: 3000 }
  ]
}

const greeting: PhoneVoice = {
  kind: "speech",
  text: "Hello. You have reached a simulated phone. It hears you, and this is what it says."
}

const reasons = { silence: "media_timeout", media: "media_failed" } as const

const elsewhere = [["Reason", `SIP;cause=200;text="Call completed elsewhere"`]] as const

/** The status for a browser whose call ends before it was answered. 487 is for those that cancelled by themselves. */
const refusalOf = ({ sip_code = 480 }: PbxEventData): number => (sip_code < 300 || sip_code === 487 ? 480 : sip_code)

export class BrowserLegs {
  private readonly options: BrowserLegsOptions
  private readonly owner: LegOwner
  private readonly media: PhoneMedia
  private readonly sip: BrowserSip
  private readonly legs = new Map<SessionId, Leg>()
  /** What is played, and the keys. */
  readonly sound: BrowserMedia

  constructor(options: BrowserLegsOptions, owner: LegOwner) {
    this.options = options
    this.owner = owner
    this.media = options.media(
      (notice) => this.take(notice),
      () => this.sip.mediaFailed()
    )
    this.sound = new BrowserMedia({ ...options, media: this.media, report: owner.report })
    const { registry } = options
    registry.revoked = (username) => this.sip.revoke(username)
    this.sip = new BrowserSip({
      ...options,
      media: this.media,
      passwordsOf: (username) => registry.userOf(username)?.passwords ?? [],
      reportRegistration: (username, data) => {
        const user = registry.userOf(username)
        if (user !== undefined) options.reportRegistration(user.tenant_pbx_id, data)
      },
      called: (call, username, dialled) => this.called(call, username, dialled)
    })
  }

  /** A connection of the WebRTC gate. */
  open(send: (text: string) => void): OpenLine {
    return this.sip.open(send)
  }

  has(session: Session): boolean {
    return this.legs.has(session.id)
  }

  isRegistered(username: string): boolean {
    return this.sip.isRegistered(username)
  }

  /** Rings every browser of the user for this session. */
  ring(session: Session, username: string, from: string): void {
    const leg: Leg = { session, calls: [], sip_code: 503, media_id: undefined }
    this.legs.set(session.id, leg)
    leg.calls = this.sip.ring(username, from, (call) => this.eventsOfRung(leg, call))
    if (leg.calls.length === 0) this.owner.ended(session, { sip_code: 503, q850: 34, source: "platform" })
  }

  /** A leg of this browser's call rings: the browser hears the ringing tone. */
  hearsRinging(session_id: SessionId | undefined): void {
    const leg = session_id === undefined ? undefined : this.legs.get(session_id)
    const [call] = leg?.calls ?? []
    if (!(call instanceof CallFromBrowser) || leg?.session.answered_at !== undefined) return
    call.ring()
    this.media.play(call.id, ringback, ringbackTone, Infinity)
  }

  /** The call that a browser placed is answered. */
  answer(session: Session): void {
    const [call] = this.legs.get(session.id)?.calls ?? []
    if (!(call instanceof CallFromBrowser)) return
    this.media.stop(call.id, ringback)
    call.answer()
  }

  /** Says why the call is refused, before it is (RFC 3960). */
  announce(session: Session, command_id: string, text: string | undefined, then: () => void): void {
    const [call] = this.legs.get(session.id)?.calls ?? []
    if (call instanceof CallFromBrowser && text !== undefined) call.ring()
    this.sound.announce(session, command_id, text, then)
  }

  /** The session is over. Its browser is told, unless it ended the call itself. */
  end(session: Session, how: PbxEventData): void {
    const leg = this.legs.get(session.id)
    this.legs.delete(session.id)
    if (leg === undefined) return this.media.remove(session.id)
    this.sound.end(session)
    for (const call of leg.calls) call.hangUp(refusalOf(how))
  }

  /** The two hear each other, if either is a browser. */
  bridge(one: Session, other: Session): void {
    if (!this.has(one) && !this.has(other)) return
    for (const session of [one, other])
      if (!this.has(session)) this.media.addPhone(session.id, session.phone.voice ?? greeting)
    this.media.link(this.idOf(one), this.idOf(other))
    this.mark(one)
    this.mark(other)
  }

  /** Passes on whether the session is muted or on hold. */
  mark(session: Session): void {
    const { held, muted } = session
    this.media.set(this.idOf(session), { held, muted })
  }

  private idOf({ id }: Session): string {
    return this.legs.get(id)?.media_id ?? id
  }

  private called(call: CallFromBrowser, username: string, dialled: string): DialogEvents {
    const user = this.options.registry.userOf(username)
    const session =
      user &&
      this.owner.dialIn({
        tenant_pbx_id: user.tenant_pbx_id,
        from: username,
        to: dialled,
        device: "ws",
        gives_up_after_ms: patience_ms
      })
    if (session === undefined) {
      call.hangUp(403)
      return this.eventsOf(undefined)
    }
    const leg: Leg = { session, calls: [call], sip_code: 480, media_id: call.id }
    this.legs.set(session.id, leg)
    this.sound.add(session, call.id)
    return this.eventsOf(leg)
  }

  private eventsOf(leg: Leg | undefined): DialogEvents {
    return {
      ringing: () => {},
      answered: () => {},
      pressed: (digit, duration_ms) => leg && this.sound.pressed(leg.session, digit, duration_ms),
      ended: (end) => leg && this.ended(leg, end, "caller")
    }
  }

  private eventsOfRung(leg: Leg, call: CallToBrowser): DialogEvents {
    const { session } = leg
    return {
      ringing: () => this.owner.ringing(session),
      answered: () => {
        if (leg.media_id !== undefined || !this.has(session)) return call.hangUp(486)
        for (const other of leg.calls) if (other !== call) other.hangUp(486, elsewhere)
        leg.calls = [call]
        leg.media_id = call.id
        this.sound.add(session, call.id)
        this.owner.answered(session)
      },
      pressed: (digit, duration_ms) => this.sound.pressed(session, digit, duration_ms),
      ended: (end) => {
        leg.calls = leg.calls.filter((other) => other !== call)
        leg.sip_code = end.sip_code ?? leg.sip_code
        if (leg.calls.length === 0) this.ended(leg, { sip_code: leg.sip_code, ...end }, "callee")
      }
    }
  }

  private ended({ session }: Leg, { by, sip_code }: DialogEnd, source: "caller" | "callee"): void {
    if (!this.has(session)) return
    const answered = session.answered_at !== undefined
    const how: PbxEventData =
      by === "browser"
        ? { sip_code: answered ? 200 : (sip_code ?? 487), q850: 16, source }
        : { sip_code: answered ? 200 : (sip_code ?? 488), q850: 44, source: "platform", reason: reasons[by] }
    this.owner.ended(session, how)
  }

  private take(notice: MediaNotice): void {
    const dialog = this.sip.dialog(notice.id)
    switch (notice.kind) {
      case "key":
        return dialog?.pressed(notice.digit, notice.duration_ms)
      case "played":
        return this.sound.played(notice.id, notice.play_id, notice.duration_ms)
      case "lost":
        return dialog?.lost("silence")
    }
  }
}
