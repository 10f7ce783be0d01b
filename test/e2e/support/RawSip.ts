// A SIP user agent on a raw socket, UDP or TCP: it sends exactly what a test writes, and keeps everything that it
// receives.
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { createSocket } from "node:dgram"
import { type AddressInfo, connect, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { until } from "../../support/Until.ts"

/** How long a response may take. */
const patience_ms = 10_000

export interface RawMessage {
  readonly text: string
  /** The first line. */
  readonly start: string
  readonly port: number
  readonly host: string
}

export interface RawRequest {
  readonly method?: string
  /** The request URI. */
  readonly uri: string
  /** The value of the From header, without its tag. */
  readonly from: string
  /** Default: the request URI. */
  readonly to?: string
  /** Default: an address of the socket. Empty: no header of its own. */
  readonly contact?: string
  readonly headers?: ReadonlyArray<string>
  readonly body?: string
  readonly call_id?: string
  readonly cseq?: number
  /** Parameters that are added to Via. */
  readonly via?: string
}

/** The value of a header of a message; undefined if it has none. */
export const headerOf = (text: string, name: string): string | undefined =>
  new RegExp(`^${name}: *(.*?)\\r?$`, "im").exec(text)?.[1]

export const statusOf = ({ start }: RawMessage): number => Number(/^SIP\/2\.0 (\d{3})/.exec(start)?.[1] ?? 0)

/** An offer or answer of sound at this port. */
export const soundAt = (port: number, host = "127.0.0.1"): string =>
  ["v=0", "o=x 1 1 IN IP4 127.0.0.1", "s=-", `c=IN IP4 ${host}`, "t=0 0", `m=audio ${port} RTP/AVP 0`]
    .map((line) => `${line}\r\n`)
    .join("")

/** A response to the request, with its dialog headers. */
export const answerTo = (request: string, status: string, headers: ReadonlyArray<string> = [], body = ""): string => {
  const kept = request.split("\r\n").filter((line) => /^(Via|From|Call-ID|CSeq|Record-Route):/i.test(line))
  const to = headerOf(request, "To") ?? ""
  return [
    `SIP/2.0 ${status}`,
    ...kept,
    `To: ${to}${/;tag=/.test(to) ? "" : ";tag=raw"}`,
    ...headers,
    ...(body === "" ? [] : ["Content-Type: application/sdp"]),
    `Content-Length: ${body.length}`,
    "",
    body
  ].join("\r\n")
}

const toMessage = (text: string, from: { readonly host: string; readonly port: number }): RawMessage => ({
  text,
  start: text.split("\r\n", 1)[0]!,
  ...from
})

const isRequest = ({ start }: RawMessage): boolean => !start.startsWith("SIP/2.0")

/** What every kind of socket offers. */
const agent = (
  protocol: "TCP" | "TLS" | "UDP",
  { host, port }: { readonly host: string; readonly port: number },
  received: ReadonlyArray<RawMessage>,
  send: (text: string) => Effect.Effect<unknown>
) => {
  const write = ({ body = "", call_id = randomUUID(), cseq = 1, method = "INVITE", uri, ...request }: RawRequest) => ({
    call_id,
    text: [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/${protocol} ${host}:${port};branch=z9hG4bK${randomUUID()};rport${request.via ?? ""}`,
      "Max-Forwards: 70",
      `From: ${request.from};tag=raw${call_id.slice(0, 8)}`,
      `To: ${request.to ?? `<${uri}>`}`,
      `Call-ID: ${call_id}`,
      `CSeq: ${cseq} ${method}`,
      ...(request.contact === "" ? [] : [`Contact: ${request.contact ?? `<sip:raw@${host}:${port}>`}`]),
      ...(request.headers ?? []),
      ...(body === "" ? [] : ["Content-Type: application/sdp"]),
      `Content-Length: ${body.length}`,
      "",
      body
    ].join("\r\n")
  })

  /** Waits for the final response to the request. Returns undefined if there is none in time. */
  const finalOf = (call_id: string, within_ms = patience_ms) => {
    const late_at = performance.now() + within_ms
    const final = () =>
      received.find(
        (message) => !isRequest(message) && headerOf(message.text, "Call-ID") === call_id && statusOf(message) >= 200
      )
    return until("final response", Effect.sync(final), (found) => found !== undefined || performance.now() > late_at)
  }

  const ask = (request: RawRequest) =>
    Effect.gen(function* () {
      const { call_id, text } = write(request)
      yield* send(text)
      const final = yield* finalOf(call_id)
      return final === undefined ? 0 : statusOf(final)
    })

  return {
    port,
    host,
    received,
    send,
    write,
    /** The requests that arrived with this method. */
    requests: (method: string) => received.filter(({ start }) => start.startsWith(`${method} `)),
    /** Sends a request and returns the status of its final response; 0 if there is none. */
    ask,
    /** Sends an INVITE with an offer of sound. */
    invites: (request: RawRequest) => ask({ body: soundAt(40_000), ...request }),
    /** Sends an INVITE, and hangs up at once if it is answered. Returns the status of the final response; 0: none. */
    triesCall: (request: RawRequest, within_ms: number) =>
      Effect.gen(function* () {
        const { call_id, text } = write({ body: soundAt(40_000), ...request })
        yield* send(text)
        const final = yield* finalOf(call_id, within_ms)
        if (final === undefined) return 0
        const status = statusOf(final)
        const dialog = { ...request, to: headerOf(final.text, "To") ?? "", call_id, body: "" }
        yield* send(write({ ...dialog, method: "ACK" }).text)
        if (status < 300) yield* send(write({ ...dialog, method: "BYE", cseq: 2 }).text)
        return status
      })
  }
}
export type RawAgent = ReturnType<typeof agent>

/** The replies to a request that arrives. */
export type Answers = (request: RawMessage) => ReadonlyArray<string>

/**
 * Opens a UDP socket at this address; port 0 is a free one. It sends to the `target` port of Asterisk. `answers`
 * returns the replies to a request that it receives.
 */
export const rawSip = Effect.fnUntraced(function* (
  at: { readonly host: string; readonly port?: number },
  target: number,
  answers: Answers = () => []
) {
  const { host } = at
  const received: Array<RawMessage> = []
  const socket = createSocket("udp4")
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void socket.bind(at.port ?? 0, host, () => resume(Effect.void))),
    () => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
  )
  const { port } = socket.address() as AddressInfo
  socket.on("message", (bytes, from) => {
    const message = toMessage(bytes.toString(), { host: from.address, port: from.port })
    received.push(message)
    if (isRequest(message)) for (const reply of answers(message)) socket.send(reply, from.port, from.address)
  })
  return agent("UDP", { host, port }, received, (text) => Effect.sync(() => socket.send(text, target, "127.0.0.1")))
})

/** Cuts the whole messages from the front of a stream. Returns them and the rest. */
const messagesIn = (stream: string): readonly [ReadonlyArray<string>, string] => {
  const messages: Array<string> = []
  let rest = stream.replace(/^(?:\r\n)+/, "")
  for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
    const length = end + 4 + Number(headerOf(rest.slice(0, end), "Content-Length") ?? 0)
    if (rest.length < length) break
    messages.push(rest.slice(0, length))
    rest = rest.slice(length).replace(/^(?:\r\n)+/, "")
  }
  return [messages, rest]
}

type Stream = Pick<Socket, "localPort" | "write" | "destroy" | "on">

const overStream = (protocol: "TCP" | "TLS", socket: Stream, host: string, target: number, answers: Answers) => {
  const received: Array<RawMessage> = []
  let stream = ""
  socket.on("data", (bytes) => {
    const [messages, rest] = messagesIn(stream + bytes.toString())
    stream = rest
    for (const text of messages) {
      const message = toMessage(text, { host: "127.0.0.1", port: target })
      received.push(message)
      if (isRequest(message)) for (const reply of answers(message)) socket.write(reply)
    }
  })
  const port = socket.localPort ?? 0
  return agent(protocol, { host, port }, received, (text) => Effect.sync(() => socket.write(text)))
}

/** Connects from this address by TCP to the `target` port of Asterisk, and listens nowhere itself. */
export const rawTcp = Effect.fnUntraced(function* (host: string, target: number, answers: Answers = () => []) {
  const socket = connect({ host: "127.0.0.1", port: target, localAddress: host })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void socket.once("connect", () => resume(Effect.void))),
    () => Effect.sync(() => socket.destroy())
  )
  return overStream("TCP", socket, host, target, answers)
})

/** The same by TLS, whatever the certificate of Asterisk. */
export const rawTls = Effect.fnUntraced(function* (host: string, target: number) {
  const under = connect({ host: "127.0.0.1", port: target, localAddress: host })
  const socket = connectTls({ socket: under, rejectUnauthorized: false })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void socket.once("secureConnect", () => resume(Effect.void))),
    () => Effect.sync(() => socket.destroy())
  )
  return overStream("TLS", socket, host, target, () => [])
})
