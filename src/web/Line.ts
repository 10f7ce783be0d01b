// Carries out what LineMachine.ts decides: the socket, the registration, the waits.
import JsSIP from "jssip"
import type { RTCSession } from "jssip/lib/RTCSession.js"
import type { RTCSessionEvent } from "jssip/lib/UA.js"
import type { ClientEvent, ClientState } from "./ClientEvents.ts"
import type { CheckedOptions } from "./ClientOptions.ts"
import { GateSocket } from "./GateSocket.ts"
import { advanceLine, clientState, type LineAction, type LineInput, type LineState, openLine } from "./LineMachine.ts"
import type { TokenClaims } from "./TokenClaims.ts"
import { version } from "./Version.ts"

export interface LineOwner {
  readonly tell: (event: ClientEvent) => void
  /** A call comes in. */
  readonly incoming: (session: RTCSession, from: string) => void
  /** The line is closed for good: the call ends. */
  readonly shuttingDown: () => void
  readonly seen: (direction: "in" | "out", text: string) => void
}

/** JsSIP must never connect by itself: an interval longer than any token. */
const never_seconds = 86_400
const ringing_seconds = 600
const registration_seconds = 600

export class Line {
  readonly ua: JsSIP.UA
  readonly domain: string
  readonly #owner: LineOwner
  readonly #socket: GateSocket
  #state: LineState
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ claims, endpoint }: CheckedOptions, token: string, owner: LineOwner) {
    this.#owner = owner
    this.domain = new URL(endpoint).hostname
    this.#socket = new GateSocket(endpoint, token, {
      opened: () => this.input({ _tag: "Opened" }),
      lost: (code) => this.input({ _tag: "Lost", code }),
      seen: owner.seen
    })
    this.ua = new JsSIP.UA({
      sockets: [this.#socket],
      uri: `sip:${claims.username}@${this.domain}`,
      register: false,
      register_expires: registration_seconds,
      no_answer_timeout: ringing_seconds,
      session_timers: false,
      user_agent: `trunkline-web/${version}`,
      connection_recovery_min_interval: never_seconds,
      connection_recovery_max_interval: never_seconds
    })
    this.#listen()
    this.ua.start()
    const { actions, state } = openLine({ expires_at: claims.expires_at, registers: claims.incoming })
    this.#state = state
    for (const action of actions) this.#perform(action)
  }

  get state(): ClientState {
    return clientState(this.#state)
  }

  get isOpen(): boolean {
    return this.#socket.isConnected()
  }

  input(input: LineInput): void {
    const { actions, state } = advanceLine(this.#state, input, Date.now())
    this.#state = state
    for (const action of actions) this.#perform(action)
  }

  renew(token: string, { expires_at, incoming }: TokenClaims): void {
    this.#socket.token = token
    this.input({ _tag: "Token", expires_at, registers: incoming })
  }

  #listen(): void {
    this.ua.on("registered", () => this.input({ _tag: "Registered" }))
    this.ua.on("registrationFailed", ({ response }) => {
      // A lost line fails the registration too; the socket tells of that.
      if (!this.isOpen) return
      // JsSIP gives null if there was no response.
      const code = (response as { readonly status_code: number } | null)?.status_code
      this.input({ _tag: "RegistrationFailed", ...(code !== undefined && { code }) })
    })
    this.ua.on("newRTCSession", ({ originator, request, session }: RTCSessionEvent) => {
      if (String(originator) === "remote") this.#owner.incoming(session, request.from.uri.user)
    })
  }

  #perform(action: LineAction): void {
    switch (action._tag) {
      case "Connect":
        return this.#socket.open()
      case "Drop":
        return this.#socket.drop()
      case "Probe":
        return this.#socket.probe()
      case "Register":
        // JsSIP's types leave this method out. `ua.register()` would register again with every connection.
        return (this.ua.registrator() as unknown as { readonly register: () => void }).register()
      case "StopWaiting":
        return clearTimeout(this.#timer)
      case "Wait":
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.input({ _tag: "Due" }), Math.max(0, action.ms))
        return
      case "ShutDown":
        this.#owner.shuttingDown()
        return this.ua.stop()
      case "Tell":
        return this.#owner.tell(action.event)
    }
  }
}
