// The WebSocket to the application of a customer. Its host is checked like that of a voice callback.
import type { LookupFunction } from "node:net"
import { Result } from "effect"
import { WebSocket } from "ws"
import { messageMax_bytes } from "../../domain/streams/StreamMessage.ts"
import { type TargetPolicy, targetUrl } from "../../domain/targets/TargetUrl.ts"
import { ConnectFault } from "../http-client/ConnectFault.ts"
import { guardedLookup } from "../http-client/GuardedConnector.ts"

/** A protocol that the application may name in its answer, or not. */
const subprotocol = "audio.trunkline.v1"
const connect_timeout_ms = 5_000
const ping_ms = 10_000
const close_timeout_ms = 2_000

/** How a connection ended. `refused`: it could not be made. `closed`: by the application, in order. */
export type SocketEnd =
  | { readonly kind: "refused" | "invalid"; readonly detail: string }
  | { readonly kind: "closed" | "broken" }

export interface ApplicationSocketOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly policy: TargetPolicy
  readonly lookup?: LookupFunction
  readonly opened: () => void
  readonly received: (text: string) => void
  readonly ended: (end: SocketEnd) => void
}

/** The faults of `ws` that the application is to blame for: it sent what WebSocket (RFC 6455) does not allow. */
const isInvalid = (error: Error & { readonly code?: string }): boolean => error.code?.startsWith("WS_ERR_") === true

const detailOf = (error: Error & { readonly code?: string }): string =>
  error instanceof ConnectFault ? error.code : (error.code ?? error.message)

export class ApplicationSocket {
  private readonly options: ApplicationSocketOptions
  private socket: WebSocket | undefined
  private pinging: NodeJS.Timeout | undefined
  private alive = true
  private reading = true
  private over = false

  constructor(options: ApplicationSocketOptions) {
    this.options = options
    const { headers, lookup, policy, url } = options
    const target = targetUrl(url.replace(/^ws/, "http"), policy)
    if (Result.isFailure(target)) {
      const { message, reason } = target.failure
      const detail = reason === "scheme_not_allowed" ? "Only wss can be connected to." : message
      queueMicrotask(() => this.end({ kind: "refused", detail }))
      return
    }
    const socket = new WebSocket(target.success.href.replace(/^http/, "ws"), {
      headers: { ...headers, "sec-websocket-protocol": subprotocol },
      handshakeTimeout: connect_timeout_ms,
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: messageMax_bytes,
      lookup: lookup ?? guardedLookup(policy)
    })
    this.socket = socket
    // `ws` refuses an answer without the protocol that was asked for, and one with a protocol if it knows of none.
    socket.on("upgrade", ({ headers }) => delete headers["sec-websocket-protocol"])
    socket.on("open", () => this.opened())
    socket.on("pong", () => (this.alive = true))
    socket.on("message", (data, binary) =>
      binary
        ? this.fail({ kind: "invalid", detail: "The application sent a binary message." })
        : this.options.received(String(data))
    )
    socket.on("error", (error) => this.failed(error))
    socket.on("close", (code) => this.end({ kind: code === 1006 ? "broken" : "closed" }))
  }

  /** Bytes that the application has not read yet. */
  get unsent(): number {
    return this.socket?.bufferedAmount ?? 0
  }

  send(text: string): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text)
  }

  read(on: boolean): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return
    this.reading = on
    if (on) this.socket.resume()
    else this.socket.pause()
  }

  /** Closes the connection. An application that does not answer is cut off. */
  close(): void {
    this.over = true
    clearInterval(this.pinging)
    const { socket } = this
    if (socket === undefined) return
    // The answer to the close is read also if nothing else was.
    this.read(true)
    socket.close(1000)
    setTimeout(() => socket.terminate(), close_timeout_ms).unref()
  }

  private opened(): void {
    this.pinging = setInterval(() => {
      // Pongs are not read either while nothing is read.
      if (!this.alive && this.reading) return this.socket?.terminate()
      this.alive = false
      this.socket?.ping()
    }, ping_ms)
    this.options.opened()
  }

  private failed(error: Error): void {
    if (isInvalid(error))
      return this.fail({ kind: "invalid", detail: `The connection is not valid: ${detailOf(error)}.` })
    // A connection that was open is closed next.
    if (this.pinging === undefined) this.end({ kind: "refused", detail: detailOf(error) })
  }

  private fail(end: SocketEnd): void {
    const isFirst = !this.over
    this.close()
    if (isFirst) this.options.ended(end)
  }

  private end(end: SocketEnd): void {
    clearInterval(this.pinging)
    if (this.over) return
    this.over = true
    this.options.ended(end)
  }
}
