// Cuts off clients that do not take what is sent to them, by the rule of WaitingBytes.ts.
import { Effect, Metric } from "effect"
import type { Server, ServerResponse, IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { isWithin } from "../../domain/targets/AddressRange.ts"
import { parseIpv6 } from "../../domain/targets/AddressClass.ts"
import { type CutReason, cutReasons, WaitingBytes, type WaitingLimits } from "./WaitingBytes.ts"

const mebibyte = 1024 * 1024

/** One response is at most a few MiB. Streams wait for their reader and have little in the socket. */
const limits: WaitingLimits = {
  connection: 8 * mebibyte,
  address: 32 * mebibyte,
  total: 128 * mebibyte,
  stalled_ms: 10_000
}

const sweep_ms = 1_000

const cut = Metric.counter("trunkline_http_connections_cut_total", {
  description: "Connections closed because their client did not read, by reason.",
  incremental: true
})
const cutFor = (reason: CutReason) => Metric.withAttributes(cut, { reason })

const waitingBytes = Metric.gauge("trunkline_http_waiting_bytes", {
  description: "Bytes of responses that wait for clients to read them."
})

/** The internal handle of a socket: only it knows how much of a large write the kernel has not taken yet. */
interface WithHandle {
  readonly _handle?: { readonly writeQueueSize?: number } | null
}

/** Changes whenever the kernel takes bytes of the socket. */
const takenBy = (socket: Socket): string =>
  `${socket.bytesWritten - socket.writableLength} ${(socket as WithHandle)._handle?.writeQueueSize ?? 0}`

/** An IPv6 client has at least a /64 network to choose its address from, so it counts as one (RFC 6177). */
const shareOf = (address: string): string => {
  const value = address.includes(".") ? undefined : parseIpv6(address)
  return value === undefined ? address : String(value >> 64n)
}

/** `proxies`: addresses and ranges of trusted proxies. They carry many clients and have no share of an address. */
export const cutSlowReaders = (server: Server, proxies: ReadonlyArray<string>): Server => {
  const readers = new WaitingBytes<Socket>(limits)

  const measure = (socket: Socket): void => {
    const found = readers.measured(socket, socket.writableLength, takenBy(socket), performance.now())
    if (found !== undefined) end(found.id, found.reason)
  }

  const end = (socket: Socket, reason: CutReason): void => {
    readers.remove(socket)
    // The kernel forgets what it still had for this client.
    socket.resetAndDestroy()
    Effect.runFork(Metric.update(cutFor(reason), 1))
  }

  const sweep = (): void => {
    for (const socket of readers.ids()) measure(socket)
    Effect.runFork(Metric.update(waitingBytes, readers.total))
  }

  let sweeping: NodeJS.Timeout | undefined
  return server
    .on("listening", () => {
      // Prometheus sees no increase in what begins with 1.
      Effect.runFork(Effect.forEach(cutReasons, (reason) => Metric.value(cutFor(reason))))
      sweeping = setInterval(sweep, sweep_ms).unref()
    })
    .on("close", () => clearInterval(sweeping))
    .on("connection", (socket: Socket) => {
      const { remoteAddress = "" } = socket
      readers.add(socket, isWithin(proxies, remoteAddress) ? undefined : shareOf(remoteAddress), performance.now())
      socket.once("close", () => readers.remove(socket))
    })
    .on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      // "prefinish": all of the response is with the socket. "close": it was sent.
      response.once("prefinish", () => measure(socket)).once("close", () => measure(socket))
    })
}
