// The listening socket: its limits, and the answers to what is not yet a request.
import { randomUUID } from "node:crypto"
import { createServer, type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { toEnvelope } from "../../domain/errors/Envelope.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import {
  BadRequest,
  HeadersTooLarge,
  MethodNotAllowed,
  PayloadTooLarge,
  RequestTimeout,
  UriTooLong
} from "../../domain/errors/GeneralErrors.ts"
import { Catalog } from "../../domain/errors/Catalog.ts"

/** Headers and the request line together. */
const max_head_bytes = 16 * 1024
const head_timeout_ms = 10_000
const request_timeout_ms = 30_000
/** Longer than the idle timeouts of the usual load balancers, which are 60 s. */
const keep_alive_ms = 65_000

/** A connection over which not a byte goes for so long while it is answered has nobody at its end: live streams ping every 15 s. */
const stalled_ms = 60_000

/** What the parser has read last is given: it tells where it has the request line, whole or not, and that is too long. */
const isLongLine = (packet: Buffer | undefined): boolean => {
  const [, target, end] = /^[A-Z]+ (\S+)(\s|$)/.exec(packet?.toString("latin1") ?? "") ?? []
  return target !== undefined && (end === "" || target.length >= max_head_bytes)
}

interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
}

const failureOf = ({ code, rawPacket }: ParserError): Failure => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return isLongLine(rawPacket) ? new UriTooLong() : new HeadersTooLarge()
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new PayloadTooLarge({ message: "The chunk extensions of the body are too long." })
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestTimeout()
    default:
      return new BadRequest({
        message: "The request is not valid HTTP.",
        resolution: "Mend the request before sending it again."
      })
  }
}

/** For what never reaches a route: the envelope, and the end of the connection. */
const end = (socket: Duplex, failure: Failure): void => {
  const request_id = randomUUID()
  const status = Catalog.get(failure._tag)?.status ?? 400
  const body = JSON.stringify(toEnvelope(failure, request_id))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${request_id}`,
      "connection: close",
      "",
      body
    ].join("\r\n")
  )
}

const refuse = (error: ParserError, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  end(socket, failureOf(error))
}

/** What is wrong with a request that was read is for the edge to say: of that Node's own answers would be bare. */
export const makeNodeServer = (): Server => {
  const server = createServer({
    requireHostHeader: false,
    maxHeaderSize: max_head_bytes,
    headersTimeout: head_timeout_ms,
    requestTimeout: request_timeout_ms,
    keepAliveTimeout: keep_alive_ms,
    // A stream whose client is gone without a word is noticed.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // How often the two timeouts above are looked at.
    connectionsCheckingInterval: 1000
  })
  return server
    .setTimeout(stalled_ms)
    .on("clientError", refuse)
    .on("connect", (_, socket) => end(socket, new MethodNotAllowed()))
    .on("checkExpectation", (request, response) => void server.emit("request", request, response))
}
