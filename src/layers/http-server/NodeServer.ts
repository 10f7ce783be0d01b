// The listening socket: its limits, and the answers to what is not yet a request.
import { randomUUID } from "node:crypto"
import { createServer, type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { toEnvelope } from "../../domain/errors/Envelope.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"

/** Headers and the request line together. */
const max_head_bytes = 16 * 1024
const head_timeout_ms = 10_000
const request_timeout_ms = 30_000
/** Longer than the idle timeouts of the usual load balancers, which are 60 s. */
const keep_alive_ms = 65_000

const faults: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request line and the headers are longer than ${max_head_bytes} bytes.`,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "The chunk extensions of the body are too long.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive."
}

/** What Node's parser refuses never reaches a route: it gets the envelope here, and the connection ends. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy()
  const request_id = randomUUID()
  const message = faults[error.code ?? ""] ?? "The request is not valid HTTP."
  const body = JSON.stringify(toEnvelope(new BadRequest({ message, resolution: "Mend the request before sending it again." }), request_id))
  socket.end(
    [
      `HTTP/1.1 400 ${STATUS_CODES[400]}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${request_id}`,
      "connection: close",
      "",
      body
    ].join("\r\n")
  )
}

export const makeNodeServer = (): Server =>
  createServer({
    maxHeaderSize: max_head_bytes,
    headersTimeout: head_timeout_ms,
    requestTimeout: request_timeout_ms,
    keepAliveTimeout: keep_alive_ms,
    // A stream whose client is gone without a word is noticed.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // How often the two timeouts above are looked at.
    connectionsCheckingInterval: 1000
  }).on("clientError", refuse)
