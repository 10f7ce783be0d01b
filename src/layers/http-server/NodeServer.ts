// The HTTP server socket: its limits, and responses to input that never becomes a request.
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from "node:http"
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
import { isRequest, oneAtATime } from "./OneAtATime.ts"
import { cutSlowReaders } from "./SlowReaders.ts"

/** Limit on the request line and the headers together. */
const max_head_bytes = 16 * 1024
const head_timeout_ms = 10_000
const request_timeout_ms = 30_000
/** Longer than the usual idle timeout of load balancers (60 s), so that they close first. */
const keep_alive_ms = 65_000

/** A connection on which nothing moves for this long is closed. Live streams ping every 15 s. */
const quiet_ms = 60_000

/** Whether the request line caused the header overflow. `packet` is what the parser read last. */
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
        resolution: "Correct the request before sending it again."
      })
  }
}

/** Writes an error response to the raw socket and closes the connection. */
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

/** The answer to a request that the application need not see; otherwise undefined. */
type EarlyAnswer = (
  request: IncomingMessage
) => { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string } | undefined

/** Hands the server's listeners only the requests that are not answered early. */
const answerEarly = (server: Server, answers: EarlyAnswer): Server => {
  const emit = server.emit.bind(server)
  server.emit = (event: string | symbol, ...values: Array<unknown>): boolean => {
    if (isRequest(event)) {
      const [request, response] = values as [IncomingMessage, ServerResponse]
      const answer = answers(request)
      if (answer !== undefined) {
        const { body, headers, status } = answer
        response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body)
        return true
      }
    }
    return emit(event, ...values)
  }
  return server
}

/**
 * Leaves errors of complete requests to the HTTP edge, because Node's own responses have no body. `trusted_proxies`:
 * addresses and ranges of the proxies in front. `Response`: the class of its responses. `early`
 * answers what needs no application.
 */
export const makeNodeServer = (
  trusted_proxies: ReadonlyArray<string> = [],
  Response: typeof ServerResponse = ServerResponse,
  early: EarlyAnswer = () => undefined
): Server => {
  const server = createServer({
    ServerResponse: Response,
    requireHostHeader: false,
    maxHeaderSize: max_head_bytes,
    headersTimeout: head_timeout_ms,
    requestTimeout: request_timeout_ms,
    keepAliveTimeout: keep_alive_ms,
    // TCP keep-alive notices stream clients that vanished.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // How often headersTimeout and requestTimeout are checked.
    connectionsCheckingInterval: 1000
  })
  return cutSlowReaders(oneAtATime(answerEarly(server, early), trusted_proxies), trusted_proxies)
    .setTimeout(quiet_ms)
    .on("clientError", refuse)
    .on("connect", (_, socket) => end(socket, new MethodNotAllowed()))
    .on("checkExpectation", (request, response) => void server.emit("request", request, response))
}
