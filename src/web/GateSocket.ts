// The WebSocket beneath JsSIP. JsSIP's own one connects again by itself, at random intervals and without end.

/** What JsSIP calls, and what it puts in place to be called (its class Socket). */
interface SipTransport {
  via_transport: string
  readonly url: string
  readonly sip_uri: string
  connect(): void
  disconnect(): void
  send(message: string): boolean
  isConnected(): boolean
  isConnecting(): boolean
  onconnect(): void
  ondisconnect(error: boolean, code?: number, reason?: string): void
  ondata(data: unknown): void
}

export interface GateSocketEvents {
  readonly opened: () => void
  readonly lost: (code: number) => void
  /** Every message, for the log. */
  readonly seen: (direction: "in" | "out", text: string) => void
}

const ping = "\r\n\r\n"
/** How long the gate may take to answer a keep-alive (RFC 5626, section 4.4.1). */
const probeWithin_ms = 3_000
/** The gate sends a keep-alive every 30 seconds; a line that is silent for so long is dead. */
const silence_ms = 75_000
const lostWithoutCode = 1006
const normalClosure = 1000

/** 128 random bits as 32 hexadecimal digits. */
export const randomName = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

export class GateSocket implements SipTransport {
  via_transport: string
  readonly url: string
  readonly sip_uri: string
  token: string
  readonly #events: GateSocketEvents
  /** By this name the gate knows that a new connection goes on with the calls of the one before. */
  readonly #instance = randomName()
  #socket: WebSocket | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined

  constructor(url: string, token: string, events: GateSocketEvents) {
    const { host, protocol } = new URL(url)
    this.url = url
    this.token = token
    this.#events = events
    this.via_transport = protocol === "wss:" ? "WSS" : "WS"
    this.sip_uri = `sip:${host};transport=ws`
  }

  // JsSIP replaces these.
  onconnect(): void {}
  ondisconnect(_error: boolean, _code?: number, _reason?: string): void {}
  ondata(_data: unknown): void {}

  /** JsSIP asks for a connection; the line decides when there is one. */
  connect(): void {}

  /** The end: JsSIP listens no more. */
  disconnect(): void {
    this.#forget()?.close(normalClosure)
  }

  /** Opens a new connection in place of the present one. */
  open(): void {
    this.drop()
    // In the subprotocol the token stays out of URLs, which are logged on the way.
    const socket = new WebSocket(this.url, ["sip", `token.${this.token}`, `instance.${this.#instance}`])
    this.#socket = socket
    const isCurrent = () => this.#socket === socket
    socket.addEventListener("open", () => {
      if (!isCurrent()) return
      this.onconnect()
      this.#events.opened()
    })
    socket.addEventListener("message", ({ data }) => {
      if (isCurrent()) this.#hear(String(data))
    })
    socket.addEventListener("close", ({ code }) => {
      if (isCurrent()) this.#lose(code)
    })
  }

  /** Closes the present connection without a word to the line. */
  drop(): void {
    const socket = this.#forget()
    if (socket === undefined) return
    const wasOpen = socket.readyState === WebSocket.OPEN
    socket.close(normalClosure)
    if (wasOpen) this.ondisconnect(false, normalClosure)
  }

  /** Asks the gate for a sign of life: without one the line is lost. */
  probe(): void {
    if (!this.isConnected()) return
    this.#socket?.send(ping)
    this.#within(probeWithin_ms)
  }

  send(message: string): boolean {
    if (!this.isConnected()) return false
    this.#events.seen("out", message)
    this.#socket?.send(message)
    return true
  }

  isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  isConnecting(): boolean {
    return this.#socket?.readyState === WebSocket.CONNECTING
  }

  #hear(text: string): void {
    if (text === ping || this.#deadline !== undefined) this.#within(silence_ms)
    this.#events.seen("in", text)
    this.ondata(text)
  }

  #within(ms: number): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => {
      this.#socket?.close(normalClosure)
      this.#lose(lostWithoutCode)
    }, ms)
  }

  #lose(code: number): void {
    this.#forget()
    this.ondisconnect(true, code)
    this.#events.lost(code)
  }

  #forget(): WebSocket | undefined {
    clearTimeout(this.#deadline)
    this.#deadline = undefined
    const socket = this.#socket
    this.#socket = undefined
    return socket
  }
}
