// The SIP side of the simulated PBX: registrar, and both sides of calls of browsers. Each connection of the WebRTC gate
// is a line.
import { Result } from "effect"
import type { Timers } from "../../../../actors/runtime/Timers.ts"
import type { PbxEventData } from "../../../../domain/pbx/PbxEvent.ts"
import type { DigestHash } from "../../../../domain/webrtc/DigestAnswer.ts"
import { registrationOf } from "../../../../domain/webrtc/GateRegistration.ts"
import { isKeepAlive, isResponse, keepAlive, lexSip, type SipText } from "../../../../domain/webrtc/SipLexer.ts"
import { refuseText, type SipRequest, understand } from "../../../../domain/webrtc/SipMessage.ts"
import { Bindings } from "./Bindings.ts"
import { type BrowserDialog, contactOf, type DialogEvents } from "./BrowserDialog.ts"
import { CallFromBrowser } from "./CallFromBrowser.ts"
import { CallToBrowser } from "./CallToBrowser.ts"
import type { PhoneMedia } from "./PhoneMedia.ts"
import { SipChallenges } from "./SipChallenges.ts"
import { responseTo } from "./SipTexts.ts"

/** Calls of browsers at once. Each takes about a hundredth of a core. */
export const browserCallsMax = 10

export interface BrowserSipOptions {
  readonly media: PhoneMedia
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly uuid: () => string
  readonly hash: DigestHash
  readonly passwordsOf: (username: string) => ReadonlyArray<string>
  readonly reportRegistration: (username: string, data: PbxEventData) => void
  /** A browser calls. The events of the call go to what is returned. */
  readonly called: (call: CallFromBrowser, username: string, dialled: string) => DialogEvents
}

interface Line {
  readonly send: (text: string) => void
  readonly challenges: SipChallenges
  readonly dialogs: Map<string, BrowserDialog>
}

/** A connection of the gate. */
export interface OpenLine {
  readonly receive: (text: string) => void
  readonly close: () => void
}

const unheard: DialogEvents = { ringing: () => {}, answered: () => {}, pressed: () => {}, ended: () => {} }

export class BrowserSip {
  private readonly options: BrowserSipOptions
  private readonly bindings: Bindings<Line>
  private readonly dialogs = new Map<string, BrowserDialog>()

  constructor(options: BrowserSipOptions) {
    this.options = options
    this.bindings = new Bindings({ ...options, report: options.reportRegistration })
  }

  open(send: (text: string) => void): OpenLine {
    const line: Line = { send, challenges: new SipChallenges(this.options.hash), dialogs: new Map() }
    return {
      receive: (text) => this.receive(line, text),
      close: () => {
        this.bindings.removeLine(line)
        for (const dialog of line.dialogs.values()) dialog.disconnected()
      }
    }
  }

  isRegistered(username: string): boolean {
    return this.bindings.of(username).length > 0
  }

  /** The credential is revoked: nobody is registered with it any more. */
  revoke(username: string): void {
    this.bindings.removeUser(username)
  }

  /** Rings every browser of the user. Returns no calls if there are as many as may be. */
  ring(username: string, from: string, eventsOf: (call: CallToBrowser) => DialogEvents): ReadonlyArray<CallToBrowser> {
    return this.bindings.of(username).flatMap(({ line, target }) => {
      if (this.isFull) return []
      const call: CallToBrowser = new CallToBrowser(
        { username, target, from },
        this.dialogOptions(line, this.options.uuid(), (): DialogEvents => eventsOf(call))
      )
      this.add(line, call)
      call.invite()
      return [call]
    })
  }

  dialog(id: string): BrowserDialog | undefined {
    return this.dialogs.get(id)
  }

  /** The media of all calls are gone. */
  mediaFailed(): void {
    for (const dialog of this.dialogs.values()) dialog.lost("media")
  }

  private get isFull(): boolean {
    return this.dialogs.size >= browserCallsMax
  }

  private dialogOptions(line: Line, call_id: string, eventsOf: () => DialogEvents) {
    const { media, now, timers, uuid } = this.options
    const id = uuid()
    return {
      id,
      call_id,
      send: line.send,
      media,
      timers,
      now,
      uuid,
      events: {
        ringing: () => eventsOf().ringing(),
        answered: () => eventsOf().answered(),
        pressed: (digit: string, duration_ms: number) => eventsOf().pressed(digit, duration_ms),
        ended: (end: Parameters<DialogEvents["ended"]>[0]) => eventsOf().ended(end)
      },
      over: () => {
        line.dialogs.delete(call_id)
        this.dialogs.delete(id)
      }
    }
  }

  private add(line: Line, dialog: BrowserDialog): void {
    line.dialogs.set(dialog.call_id, dialog)
    this.dialogs.set(dialog.id, dialog)
  }

  private receive(line: Line, frame: string): void {
    if (isKeepAlive(frame)) return frame === keepAlive.ping ? line.send(keepAlive.pong) : undefined
    const text = lexSip(frame)
    if (text === undefined) return
    const message = understand(text, true)
    if (Result.isFailure(message)) return isResponse(text) ? undefined : line.send(refuseText(text, message.failure))
    const dialog = line.dialogs.get(message.success.call_id)
    if (message.success._tag === "Response") return dialog?.respond(message.success)
    if (dialog !== undefined) return dialog.take(message.success)
    return this.begin(line, text, message.success)
  }

  private begin(line: Line, text: SipText, request: SipRequest): void {
    const answer = (status: number, more = {}) =>
      line.send(responseTo(request, status, { tag: this.options.uuid(), ...more }))
    switch (request.method) {
      case "REGISTER":
        return this.register(line, text, request, answer)
      case "INVITE":
        return this.invited(line, text, request, answer)
      case "OPTIONS":
        return answer(200)
      case "ACK":
        return
      default:
        return answer(481)
    }
  }

  private register(line: Line, text: SipText, request: SipRequest, answer: Answer): void {
    const proof = line.challenges.prove(text, this.options.passwordsOf)
    if (proof === undefined)
      return answer(401, { headers: [["WWW-Authenticate", line.challenges.challenge(this.options.uuid())]] })
    if (proof.username !== request.to.uri.user) return answer(403)
    const { username } = proof
    const target = contactOf(request)
    const registration = registrationOf(request)
    if (registration?._tag === "register" && target !== undefined) {
      const user_agent = request.fields.find(({ name }) => name === "User-Agent")?.value
      this.bindings.put({ username, target, line, user_agent }, registration.lifetime_seconds)
    }
    if (registration?._tag === "unregister" && target !== undefined) this.bindings.remove(username, target)
    const contacts = this.bindings
      .of(username)
      .map((each) => ["Contact", `<${each.target}>;expires=${lifetimeOf(registration)}`] as const)
    return answer(200, { headers: contacts })
  }

  private invited(line: Line, text: SipText, request: SipRequest, answer: Answer): void {
    const proof = line.challenges.prove(text, this.options.passwordsOf)
    if (proof === undefined)
      return answer(407, { headers: [["Proxy-Authenticate", line.challenges.challenge(this.options.uuid())]] })
    if (proof.username !== request.from.uri.user) return answer(403)
    if (this.isFull)
      return answer(503, { reason: `The simulator carries ${browserCallsMax} calls of browsers at most` })
    let events = unheard
    const call = new CallFromBrowser(
      request,
      this.dialogOptions(line, request.call_id, () => events)
    )
    this.add(line, call)
    call.prepare(() => (events = this.options.called(call, proof.username, request.uri.user ?? "")))
  }
}

type Answer = (status: number, more?: Parameters<typeof responseTo>[2]) => void

const lifetimeOf = (registration: ReturnType<typeof registrationOf>): number =>
  registration?._tag === "register" ? registration.lifetime_seconds : 0
