// The telephone of the page, without React: a client of `trunkline/web`, and what of it is shown.
import {
  Client,
  type ClientErrorCode,
  type CallState,
  type ClientState,
  type CloseReason
} from "../../../../src/web/Client.ts"
import { request } from "../../api/Request.ts"
import { RingTone } from "./RingTone.ts"

export interface EndedCall {
  readonly peer: string
  readonly reason: string
  readonly by: "local" | "remote" | "system"
}

export interface Problem {
  readonly code: ClientErrorCode | "token"
  readonly message: string
}

export interface TelephoneView {
  readonly line: ClientState
  /** Why the client is closed. */
  readonly closed: CloseReason | undefined
  readonly call: CallState
  /** The number at the other end. */
  readonly peer: string
  /** When the call was answered, in epoch milliseconds. */
  readonly answered_at: number | undefined
  readonly muted: boolean
  /** The keys that were pressed in this call. */
  readonly keys: string
  readonly ended: EndedCall | undefined
  readonly problem: Problem | undefined
  readonly local: MediaStream | undefined
  readonly remote: MediaStream | undefined
}

interface Session {
  readonly token: string
  readonly turnServer: ReadonlyArray<{ readonly urls: ReadonlyArray<string> }>
}

const initial: TelephoneView = {
  line: "connecting",
  closed: undefined,
  call: "idle",
  peer: "",
  answered_at: undefined,
  muted: false,
  keys: "",
  ended: undefined,
  problem: undefined,
  local: undefined,
  remote: undefined
}

/** The gate of the engine that served this page: the policy of the page allows no other. */
const endpoint = (): string => `${location.origin.replace(/^http/, "ws")}/v1/webrtc/sip`

export class Telephone {
  readonly #extension: string
  readonly #listeners = new Set<() => void>()
  readonly #tone = new RingTone()
  #view = initial
  #client: Client | undefined
  #isOver = false

  constructor(extension: string) {
    this.#extension = extension
    void this.#connect()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly view = (): TelephoneView => this.#view

  /** After the client was closed, with a fresh token. */
  connectAgain(): void {
    this.#client?.destroy()
    void this.#connect()
  }

  call(to: string): void {
    this.#show({ peer: to, ended: undefined, problem: undefined, keys: "" })
    void this.#client?.call(to).then(() => this.#refresh())
  }

  accept(): void {
    this.#tone.stop()
    void this.#client?.accept()
  }

  decline(): void {
    this.#client?.reject()
  }

  hangUp(): void {
    this.#client?.hangup()
    this.#refresh()
  }

  mute(on: boolean): void {
    if (on) this.#client?.mute()
    else this.#client?.unmute()
    this.#refresh()
  }

  async hold(on: boolean): Promise<void> {
    await (on ? this.#client?.hold() : this.#client?.unhold())
    this.#refresh()
  }

  press(key: string): void {
    this.#client?.dtmf(key)
    this.#show({ keys: (this.#view.keys + key).slice(-32) })
  }

  useInput(device: string): void {
    void this.#client?.setInputDevice(device).then(() => this.#refresh())
  }

  useOutput(device: string): void {
    void this.#client?.setOutputDevice(device)
  }

  dismiss(): void {
    this.#show({ problem: undefined })
  }

  destroy(): void {
    this.#isOver = true
    this.#tone.stop()
    this.#client?.destroy()
  }

  async #session(): Promise<Session | undefined> {
    try {
      return await request<Session>("POST", "/v1/webrtc/token", { body: { extension: this.#extension } })
    } catch (error) {
      const message = error instanceof Error ? error.message : "The engine gave no token."
      this.#show({ line: "closed", problem: { code: "token", message } })
      return undefined
    }
  }

  async #connect(): Promise<void> {
    this.#show({ ...initial, ended: this.#view.ended })
    const session = await this.#session()
    if (session === undefined || this.#isOver) return
    const client = new Client({ ...session, endpoint: endpoint() })
    this.#client = client
    this.#listen(client)
  }

  async #renew(client: Client): Promise<void> {
    const session = await this.#session()
    if (session !== undefined && !this.#isOver) client.updateToken(session.token, session.turnServer)
  }

  #listen(client: Client): void {
    const refresh = () => this.#refresh()
    client.on("connected", refresh)
    client.on("registered", refresh)
    client.on("reconnecting", refresh)
    client.on("registration_failed", refresh)
    client.on("declined", refresh)
    client.on("token_will_expire", () => void this.#renew(client))
    client.on("closed", ({ reason }) => this.#show({ line: "closed", closed: reason }))
    client.on("error", ({ code, message }) => {
      this.#refresh()
      this.#show({ problem: { code, message } })
    })
    client.on("incoming", ({ from }) => {
      this.#show({ peer: from, ended: undefined, problem: undefined, keys: "" })
      this.#tone.start("incoming")
      this.#refresh()
    })
    client.on("ringing", ({ early_media }) => {
      if (!early_media) this.#tone.start("outgoing")
      this.#refresh()
    })
    const talks = () => {
      this.#tone.stop()
      this.#show({ answered_at: Date.now() })
      this.#refresh()
    }
    client.on("answered", talks)
    client.on("accepted", talks)
    client.on("hangup", ({ by, reason }) => {
      this.#tone.stop()
      this.#show({ ended: { peer: this.#view.peer, reason, by }, answered_at: undefined })
      this.#refresh()
    })
  }

  /** Takes over what the client says of itself. Its streams come a moment after its events. */
  #refresh(): void {
    const client = this.#client
    if (client === undefined || this.#isOver) return
    const { callState: call, isMuted: muted, state: line } = client
    this.#show({ line, call, muted, ...client.getAudioStreams() })
    if (call === "idle" || (this.#view.local && this.#view.remote)) return
    setTimeout(() => this.#refresh(), 200)
  }

  #show(change: Partial<TelephoneView>): void {
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }
}
