import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { isWithin } from "../../domain/targets/AddressRange.ts"

/** How many pipelined requests (RFC 9112, section 9.3.2) may wait on a connection. With more it is closed. */
export const waiting_max = 32

/**
 * How long a connection waits for its next request after a wrong credential or too many requests. Whoever sends the
 * next one at once, as fast as refusals come, would keep the process busy with refusing.
 */
const pauses_ms: Readonly<Record<number, number>> = { 401: 20, 429: 50 }

/** Both become requests of the application. */
export const isRequest = (event: string | symbol): boolean => event === "request" || event === "checkContinue"

/**
 * Hands the server's listeners one request of a connection at a time: the next one when the response to the one before
 * was sent or given up, after a short pause if that was a refusal. A connection of a trusted proxy, which may carry
 * many clients, never pauses. Without it, one packet of pipelined requests makes hundreds of responses at once.
 */
export const oneAtATime = (server: Server, trusted_proxies: ReadonlyArray<string> = []): Server => {
  const emit = server.emit.bind(server)
  /** The requests that wait, for each connection with a request in work. */
  const waiting = new WeakMap<Socket, Array<() => void>>()

  const next = (socket: Socket): void => {
    const dispatch = waiting.get(socket)?.shift()
    if (dispatch === undefined || socket.destroyed) waiting.delete(socket)
    else dispatch()
  }

  const admit = (event: string | symbol, request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request
    const dispatch = (): void => {
      response.once("close", () => {
        const pause_ms = pauses_ms[response.statusCode]
        // The timer keeps no process alive. A connection that is closed meanwhile has nothing more to dispatch.
        if (pause_ms === undefined || isWithin(trusted_proxies, socket.remoteAddress ?? "")) next(socket)
        else setTimeout(next, pause_ms, socket).unref()
      })
      emit(event, request, response)
    }
    const ahead = waiting.get(socket)
    if (ahead === undefined) {
      waiting.set(socket, [])
      dispatch()
    } else if (ahead.length < waiting_max) {
      ahead.push(dispatch)
    } else {
      socket.destroy()
    }
    return true
  }

  server.emit = (event: string | symbol, ...values: Array<unknown>): boolean => {
    if (!isRequest(event)) return emit(event, ...values)
    const [request, response] = values as [IncomingMessage, ServerResponse]
    return request.socket.destroyed || admit(event, request, response)
  }
  return server
}
