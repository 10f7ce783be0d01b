// One call of JsSIP: says what happens to it in the words of CallMachine.ts, and does what the client wants of it.
import type { EndEvent, RTCSession } from "jssip/lib/RTCSession.js"
import type { CallInput } from "./CallMachine.ts"
import type { TurnServer } from "./ClientOptions.ts"
import type { HangupBy } from "./HangupReason.ts"
import { judgeGathering } from "./IceGathering.ts"
import type { StatsEntry } from "./Quality.ts"

export interface SipCallOwner {
  readonly input: (input: CallInput) => void
  readonly heard: (stream: MediaStream) => void
}

const key_ms = 100
const betweenKeys_ms = 70
/** Causes of JsSIP that mean: the two sides cannot agree on media. */
const negotiationFailed = new Set(["WebRTC Error", "Bad Media Description", "Missing SDP", "Incompatible SDP"])

/** What JsSIP gives is a request or a response, or nothing if this side ended the call. */
interface LastMessage {
  readonly status_code?: number
  readonly getHeader?: (name: string) => string | undefined
}

/** Without a response where this side rings. */
interface Progress {
  readonly originator: unknown
  readonly response?: { readonly body?: string }
}

export const peerOptions = (turnServers: ReadonlyArray<TurnServer>): RTCConfiguration => ({
  iceServers: turnServers.map(({ urls, ...more }) => ({ ...more, urls: typeof urls === "string" ? urls : [...urls] })),
  bundlePolicy: "max-bundle",
  rtcpMuxPolicy: "require"
})

export class SipCall {
  readonly #session: RTCSession
  readonly #owner: SipCallOwner
  readonly #wantsRelay: boolean
  readonly #pending = new Set<() => void>()
  #connection: RTCPeerConnection | undefined
  #gathering: ReturnType<typeof setTimeout> | undefined
  /** JsSIP's way to end the gathering. */
  #send: (() => void) | undefined
  #over = false

  constructor(session: RTCSession, wantsRelay: boolean, owner: SipCallOwner) {
    this.#session = session
    this.#owner = owner
    this.#wantsRelay = wantsRelay
    session.on("progress", ({ originator, response }: Progress) => {
      if (String(originator) === "remote") owner.input({ _tag: "Progress", early_media: Boolean(response?.body) })
    })
    session.on("accepted", () => owner.input({ _tag: "Answered" }))
    session.on("ended", (event) => this.#end(event))
    session.on("failed", (event) => this.#end(event))
    session.on("peerconnection", ({ peerconnection }) => this.#listen(peerconnection))
    // An outgoing call has its connection by now; an incoming one gets it when it is accepted.
    const connection = session.connection as RTCPeerConnection | null | undefined
    if (connection) this.#listen(connection)
  }

  answer(stream: MediaStream, pcConfig: RTCConfiguration): void {
    this.#session.answer({ mediaStream: stream, pcConfig })
  }

  refuse(status_code: number): void {
    if (!this.#session.isEnded()) this.#session.terminate({ status_code })
  }

  terminate(): void {
    if (!this.#session.isEnded()) this.#session.terminate()
  }

  mute(on: boolean): void {
    if (on) this.#session.mute({ audio: true })
    else this.#session.unmute({ audio: true })
  }

  /** Resolves when the other side has agreed, or the call is over. */
  hold(on: boolean): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        this.#pending.delete(finish)
        resolve()
      }
      const done = () => {
        this.#owner.input({ _tag: on ? "Held" : "Unheld" })
        finish()
      }
      this.#pending.add(finish)
      const begun = on ? this.#session.hold({}, done) : this.#session.unhold({}, done)
      if (!begun) finish()
    })
  }

  /** As RTP events (RFC 4733) if they were negotiated, else as INFO. */
  press(keys: string): void {
    const transport = this.#sender()?.dtmf?.canInsertDTMF === true ? "RFC2833" : "INFO"
    // JsSIP's types have an enumeration that its module does not export.
    const options = { duration: key_ms, interToneGap: betweenKeys_ms, transportType: transport as never }
    this.#session.sendDTMF(keys, options)
  }

  async replaceTrack(track: MediaStreamTrack): Promise<void> {
    await this.#sender()?.replaceTrack(track)
  }

  async stats(): Promise<ReadonlyMap<string, StatsEntry>> {
    const report = await this.#connection?.getStats()
    const entries = new Map<string, StatsEntry>()
    report?.forEach((entry: StatsEntry, id: string) => entries.set(id, entry))
    return entries
  }

  #sender(): RTCRtpSender | undefined {
    return this.#connection?.getSenders().find(({ track }) => track?.kind === "audio")
  }

  #listen(connection: RTCPeerConnection): void {
    if (this.#connection === connection) return
    this.#connection = connection
    connection.addEventListener("track", ({ streams, track }) => {
      if (!this.#over) this.#owner.heard(streams[0] ?? new MediaStream([track]))
    })
    connection.addEventListener("connectionstatechange", () => {
      if (connection.connectionState === "failed") this.#fail()
    })
    this.#gather(connection)
  }

  /** JsSIP sends no offer and no answer before all candidates are there, unless it is told to. */
  #gather(connection: RTCPeerConnection): void {
    let began_at = performance.now()
    let candidates = 0
    let relays = 0
    const judge = (): void => {
      clearTimeout(this.#gathering)
      if (this.#over || connection.iceGatheringState === "new") return
      const waited_ms = performance.now() - began_at
      const complete = connection.iceGatheringState === "complete"
      const verdict = judgeGathering({ candidates, relays, waited_ms, complete }, this.#wantsRelay)
      if (verdict === "send") this.#send?.()
      else if (verdict === "fail") this.#fail()
      else this.#gathering = setTimeout(judge, verdict.wait_ms)
    }
    this.#session.on("icecandidate", ({ candidate, ready }) => {
      if (candidates === 0) began_at = performance.now()
      candidates++
      if (candidate.type === "relay") relays++
      this.#send = ready
      judge()
    })
    connection.addEventListener("icegatheringstatechange", judge)
  }

  #fail(): void {
    if (!this.#over) this.#owner.input({ _tag: "Failed", code: "ice_failed" })
  }

  #end({ cause, message, originator }: EndEvent): void {
    if (this.#over) return
    if (negotiationFailed.has(cause)) this.#owner.input({ _tag: "Failed", code: "call_failed" })
    this.#over = true
    clearTimeout(this.#gathering)
    this.#send = undefined
    for (const finish of this.#pending) finish()
    const last = (message ?? {}) as LastMessage
    const header = last.getHeader?.("Reason")
    this.#owner.input({
      _tag: "Ended",
      by: String(originator) as HangupBy,
      ...(last.status_code !== undefined && { code: last.status_code }),
      ...(header !== undefined && { header })
    })
  }
}
