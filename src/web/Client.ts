/**
 * The telephone of a page: registers with a token of `POST /v1/webrtc/token`, calls, and is called (docs/webrtc.md).
 * One client has one token and one call at a time.
 */
import type { RTCSession } from "jssip/lib/RTCSession.js"
import { advanceCall, type Call, type CallAction, type CallInput, callState, idle } from "./CallMachine.ts"
import { ClientError, type ClientErrorCode } from "./ClientError.ts"
import type { CallState, ClientEvent, ClientEventName, ClientState } from "./ClientEvents.ts"
import {
  type CheckedOptions,
  checkOptions,
  type ClientOptions,
  dialledNumber,
  iceServersOf,
  pressedKeys,
  type TurnServer
} from "./ClientOptions.ts"
import { randomName } from "./GateSocket.ts"
import { Line } from "./Line.ts"
import { type Listener, Listeners } from "./Listeners.ts"
import { Microphone, stopTracks } from "./Microphone.ts"
import { watchPage } from "./PageEvents.ts"
import { type Quality, qualityOf } from "./Quality.ts"
import { QualityMonitor } from "./QualityMonitor.ts"
import { peerOptions, SipCall } from "./SipCall.ts"
import { Speaker } from "./Speaker.ts"
import { claimsOf, type TokenClaims } from "./TokenClaims.ts"

export { ClientError, type ClientErrorCode } from "./ClientError.ts"
export type * from "./ClientEvents.ts"
export type { ClientOptions, Debug, TurnServer } from "./ClientOptions.ts"
export type { HangupBy, HangupReason } from "./HangupReason.ts"
export type { Listener } from "./Listeners.ts"
export type { Quality } from "./Quality.ts"
export { version } from "./Version.ts"

/** What is heard and sent. Undefined outside a call. */
export interface AudioStreams {
  readonly local: MediaStream | undefined
  readonly remote: MediaStream | undefined
}

const warnBefore_ms = 30_000

const asError = (error: unknown): ClientError =>
  error instanceof ClientError ? error : new ClientError("call_failed", error)

export class Client {
  readonly #options: CheckedOptions
  readonly #listeners = new Listeners()
  readonly #microphone = new Microphone(() => this.#fail("device_unavailable"))
  readonly #speaker: Speaker
  readonly #line: Line
  readonly #quality = new QualityMonitor(
    () => this.getStats(),
    (payload) => this.#tell({ name: "quality_warning", payload })
  )
  readonly #leavePage: () => void
  #claims: TokenClaims
  #turnServers: ReadonlyArray<TurnServer>
  #call: Call = idle
  #sip: SipCall | undefined
  /** An inbound session that the client has neither taken nor refused yet. */
  #coming: RTCSession | undefined
  #muted = false
  #expiry: ReturnType<typeof setTimeout> | undefined
  #opening: Promise<void> | undefined

  /** Connects at once; add listeners in the same turn. Throws a TypeError if an option is wrong. */
  constructor(options: ClientOptions) {
    this.#options = checkOptions(options, Date.now())
    this.#claims = this.#options.claims
    this.#turnServers = this.#options.iceServers
    this.#speaker = new Speaker(options.audioElement ?? new Audio(), (error) =>
      this.#tell({ name: "error", payload: error })
    )
    this.#line = new Line(this.#options, options.token, {
      tell: (event) => this.#tell(event),
      incoming: (session, from) => this.#comesIn(session, from),
      shuttingDown: () => this.#shutDown(),
      seen: (direction, text) => {
        if (this.#options.debug === "debug") console.debug(`trunkline ${direction}\n${text}`)
      }
    })
    this.#awaitExpiry()
    this.#leavePage = watchPage({
      online: () => this.#line.input({ _tag: "Online" }),
      offline: () => this.#line.input({ _tag: "Offline" }),
      leaving: () => this.hangup()
    })
  }

  get state(): ClientState {
    return this.#line.state
  }

  get callState(): CallState {
    return callState(this.#call)
  }

  get isMuted(): boolean {
    return this.#muted
  }

  /** Returns what removes the listener. */
  on<Name extends ClientEventName>(name: Name, listener: Listener<Name>): () => void {
    return this.#listeners.add(name, listener)
  }

  off<Name extends ClientEventName>(name: Name, listener: Listener<Name>): void {
    this.#listeners.remove(name, listener)
  }

  /**
   * Calls a number in E.164 or in the national form, or an extension. Call it from a user's gesture: the browser may
   * ask
   * for the microphone. Resolves with the call's sessionId when it is placed, or with undefined after an `error`, or if
   * it was ended before that.
   */
  async call(to: string): Promise<string | undefined> {
    const number = dialledNumber(to)
    if (this.state === "closed") return this.#fail("closed")
    if (number === undefined) return this.#fail("invalid_number")
    if (!this.#claims.outgoing) return this.#fail("not_allowed")
    if (!this.#line.isOpen) return this.#fail("not_connected")
    const sessionId = randomName()
    this.#input({ _tag: "Call", to: number, sessionId })
    await this.#opening
    return this.#call.phase !== "idle" && this.#call.sessionId === sessionId ? sessionId : undefined
  }

  /** Accepts the incoming call; without one it does nothing. Call it from a user's gesture, too. */
  async accept(): Promise<void> {
    this.#input({ _tag: "Accept" })
    await this.#opening
  }

  /**
   * Rejects the incoming call; without one it does nothing. The caller hears that the line is busy, or was declined.
   */
  reject(reason: "busy" | "declined" = "declined"): void {
    this.#input({ _tag: "Reject", busy: reason === "busy" })
  }

  /** Ends the call, also before it is answered; rejects an incoming one. Without a call it does nothing. */
  hangup(): void {
    this.#input({ _tag: "HangUp" })
  }

  mute(): void {
    this.#mute(true)
  }

  unmute(): void {
    this.#mute(false)
  }

  /** Presses keys, 100 ms each. Without an active call it does nothing. */
  dtmf(digits: string): void {
    const keys = pressedKeys(digits)
    if (keys === undefined) return void this.#fail("invalid_digits")
    if (this.callState === "active") this.#sip?.press(keys)
  }

  /** Resolves when the other side no longer sends or hears, or the call is over. */
  async hold(): Promise<void> {
    if (this.callState === "active") await this.#sip?.hold(true)
  }

  async unhold(): Promise<void> {
    if (this.callState === "held") await this.#sip?.hold(false)
  }

  getAudioStreams(): AudioStreams {
    return { local: this.#microphone.stream, remote: this.#speaker.stream }
  }

  /** Undefined outside a call. */
  async getStats(): Promise<Quality | undefined> {
    const entries = await this.#sip?.stats()
    return entries === undefined || entries.size === 0 ? undefined : qualityOf(entries)
  }

  /** Uses this microphone (a `deviceId` of `enumerateDevices`), also in the call that is under way. */
  async setInputDevice(deviceId: string): Promise<void> {
    const sip = this.#sip
    if (this.#microphone.stream === undefined || sip === undefined) return this.#microphone.choose(deviceId)
    try {
      const stream = await this.#microphone.open(deviceId)
      const [track] = stream.getAudioTracks()
      if (this.#sip !== sip || track === undefined) return stopTracks(stream)
      track.enabled = !this.#muted
      await sip.replaceTrack(track)
      this.#microphone.choose(deviceId)
      this.#microphone.use(stream)
    } catch (error) {
      this.#tell({ name: "error", payload: asError(error) })
    }
  }

  /** Plays the other side through this device, where the browser lets a page choose. */
  setOutputDevice(deviceId: string): Promise<void> {
    return this.#speaker.choose(deviceId)
  }

  /** Connects again at once, with five retries. A closed client stays closed. */
  reconnect(): void {
    this.#line.input({ _tag: "Reconnect" })
  }

  /**
   * Goes on with a fresh token of the same extension: at once, or after the call that is under way. Throws a TypeError
   * if it is no such token.
   */
  updateToken(token: string, turnServer: TurnServer | ReadonlyArray<TurnServer> = this.#turnServers): void {
    const claims = claimsOf(token, Date.now())
    const turnServers = iceServersOf(turnServer)
    if (claims.username !== this.#claims.username)
      throw new TypeError("`token` is of another extension: build a new client with it.")
    this.#claims = claims
    this.#turnServers = turnServers
    this.#line.renew(token, claims)
    this.#awaitExpiry()
  }

  /** Ends the call and the connection. Within two seconds, or three in a hidden page, nothing of it is left. */
  destroy(): void {
    this.#line.input({ _tag: "Destroy" })
  }

  // ---- the call

  #input(input: CallInput): void {
    const before = this.#call
    const { actions, call } = advanceCall(before, input)
    this.#call = call
    for (const action of actions) this.#perform(action)
    if (before.phase === "idle" && call.phase !== "idle") this.#line.input({ _tag: "CallBegan" })
    if (before.phase !== "idle" && call.phase === "idle") this.#line.input({ _tag: "CallEnded" })
    if (call.phase === "active") this.#quality.start()
    else this.#quality.stop()
  }

  #perform(action: CallAction): void {
    const { stream } = this.#microphone
    switch (action._tag) {
      case "OpenMicrophone":
        this.#opening = this.#openMicrophone()
        return
      case "Dial":
        return this.#dial(action.to)
      case "Answer":
        if (stream !== undefined) this.#sip?.answer(stream, peerOptions(this.#turnServers))
        return this.#mute(this.#muted)
      case "Refuse":
        return this.#sip?.refuse(action.status)
      case "RefuseOther":
        return this.#coming?.terminate({ status_code: 486 })
      case "Terminate":
        return this.#sip?.terminate()
      case "Release":
        return this.#release()
      case "Tell":
        return this.#tell(action.event)
    }
  }

  async #openMicrophone(): Promise<void> {
    const call = this.#call
    try {
      const stream = await this.#microphone.open()
      if (this.#call !== call) return stopTracks(stream)
      this.#microphone.use(stream)
      this.#input({ _tag: "MicrophoneOpened" })
    } catch (error) {
      if (this.#call === call) this.#input({ _tag: "MicrophoneRefused", error: asError(error) })
    }
  }

  #dial(to: string): void {
    const { stream } = this.#microphone
    try {
      const session = this.#line.ua.call(`sip:${to.replaceAll("#", "%23")}@${this.#line.domain}`, {
        ...(stream !== undefined && { mediaStream: stream }),
        pcConfig: peerOptions(this.#turnServers),
        rtcOfferConstraints: { offerToReceiveAudio: true }
      })
      this.#follow(session)
      this.#mute(this.#muted)
    } catch (error) {
      this.#input({ _tag: "Failed", code: "call_failed", cause: error })
      this.#input({ _tag: "Ended", by: "system" })
    }
  }

  #comesIn(session: RTCSession, from: string): void {
    this.#coming = session
    if (this.#call.phase === "idle") this.#follow(session)
    this.#input({ _tag: "Incoming", from, sessionId: randomName() })
    this.#coming = undefined
  }

  #follow(session: RTCSession): void {
    const sip = new SipCall(session, this.#turnServers.length > 0, {
      input: (input) => {
        if (this.#sip === sip) this.#input(input)
      },
      heard: (stream) => this.#speaker.play(stream)
    })
    this.#sip = sip
  }

  #mute(on: boolean): void {
    if (this.#call.phase === "idle") return
    this.#muted = on
    for (const track of this.#microphone.stream?.getAudioTracks() ?? []) track.enabled = !on
    this.#sip?.mute(on)
  }

  #release(): void {
    this.#sip = undefined
    this.#muted = false
    this.#microphone.release()
    this.#speaker.release()
  }

  // ---- the client

  #shutDown(): void {
    clearTimeout(this.#expiry)
    this.#leavePage()
    this.hangup()
    this.#release()
  }

  #awaitExpiry(): void {
    clearTimeout(this.#expiry)
    const { expires_at } = this.#claims
    this.#expiry = setTimeout(
      () => this.#tell({ name: "token_will_expire", payload: { expires_at } }),
      Math.max(0, expires_at - warnBefore_ms - Date.now())
    )
  }

  /** Tells the error and returns undefined, which callers give to the page. */
  #fail(code: ClientErrorCode): undefined {
    this.#tell({ name: "error", payload: new ClientError(code) })
    return undefined
  }

  #tell(event: ClientEvent): void {
    const { debug } = this.#options
    if (event.name === "error" && debug !== "none") console.error("trunkline", event.payload)
    else if (debug === "debug") console.debug("trunkline", event.name, event.payload)
    this.#listeners.tell(event)
    if (event.name === "closed" && event.payload.reason === "destroyed") this.#listeners.clear()
  }
}
