import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How many pipelined requests (RFC 9112, section 9.3.2) may wait on a connection. With more it is closed. */
const waiting_max = 32

/** Both become requests of the application. */
const isRequest = (event: string | symbol): boolean => event === "request" || event === "checkContinue"

/**
 * Hands the server's listeners one request of a connection at a time: the next one when the response to the one before
 * was sent or given up. Without it, one packet of pipelined requests makes hundreds of responses at once.
 */
export const oneAtATime = (server: Server): Server => {
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
      response.once("close", () => next(socket))
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
