// The stop of the HTTP server: what has reached it is answered before its connections are closed.
import { Effect, Latch } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"

/** How often quiet connections are looked for, in milliseconds. */
const sweep_ms = 25

interface Connection {
  /** Requests without a complete response, and the upgrade to a WebSocket, which lasts until the connection ends. */
  working: number
  /** What had been read when it was last looked at. */
  read: number
  quiet_since: number
}

export interface Connections {
  /**
   * Listens on until `idle` returns, which says that no request is in work. Then it stops listening, and closes each
   * connection when it is quiet. It returns when none is left.
   */
  readonly drain: (idle: Effect.Effect<void>) => Effect.Effect<void>
  /** Ends the connections that are left. */
  readonly cut: Effect.Effect<void>
}

/**
 * Returns after the event loop has looked at all its sockets. The first callback may come in the middle of a turn,
 * which has looked at the listener before. A turn accepts as little as one connection.
 */
const wholeTurn = Effect.callback<void>((resume) => {
  setImmediate(() => setImmediate(() => resume(Effect.void)))
})

/**
 * Follows the connections of a server from now on. `linger_ms`: how long the server listens on at least after its stop
 * began, and how long a quiet connection stays open then. A request that is on its way when the stop begins arrives
 * within it.
 */
export const followConnections = (server: Server, linger_ms: number): Connections => {
  const open = new Map<Socket, Connection>()
  const now = () => performance.now()
  let accepted = 0
  let isClosing = false

  const closeIfQuiet = (connection: Connection, socket: Socket): void => {
    if (connection.working > 0) return
    // The beginning of a request, or one that was answered before the application saw it.
    if (socket.bytesRead !== connection.read && linger_ms > 0) {
      connection.read = socket.bytesRead
      connection.quiet_since = now()
    } else if (now() - connection.quiet_since >= linger_ms) socket.destroy()
  }
  const closeQuiet = (): void => open.forEach(closeIfQuiet)
  const began = (socket: Socket): void => {
    const connection = open.get(socket)
    if (connection !== undefined) connection.working++
  }
  const ended = (socket: Socket): void => {
    const connection = open.get(socket)
    if (connection === undefined || --connection.working > 0) return
    connection.read = socket.bytesRead
    connection.quiet_since = now()
    if (isClosing) closeIfQuiet(connection, socket)
  }
  const follow = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    began(socket)
    response.once("close", () => ended(socket))
  }

  const lastClosed = Latch.makeUnsafe(true)
  server
    .on("connection", (socket: Socket) => {
      accepted++
      open.set(socket, { working: 0, read: 0, quiet_since: now() })
      lastClosed.closeUnsafe()
      socket.once("close", () => {
        open.delete(socket)
        if (open.size === 0) lastClosed.openUnsafe()
      })
    })
    .on("request", follow)
    .on("checkContinue", follow)
    .on("upgrade", ({ socket }: IncomingMessage) => began(socket))

  const beginClosing = Effect.sync(() => {
    // The HTTP server's own close would destroy connections whose request has arrived and was not read yet.
    NetServer.prototype.close.call(server)
    isClosing = true
    closeQuiet()
  })
  /** A listener that is closed resets the connections that wait to be accepted. */
  const acceptWaiting: Effect.Effect<void> = Effect.suspend(() => {
    const before = accepted
    return Effect.andThen(wholeTurn, () => (accepted === before ? Effect.void : acceptWaiting))
  })
  const sweep = Effect.forever(
    Effect.andThen(Effect.sleep(sweep_ms), Effect.andThen(wholeTurn, Effect.sync(closeQuiet)))
  )
  const drain = (idle: Effect.Effect<void>) =>
    Effect.all(
      [Effect.sleep(linger_ms), idle, acceptWaiting, beginClosing, Effect.raceFirst(lastClosed.await, sweep)],
      {
        discard: true
      }
    )

  const cut = Effect.sync(() => {
    for (const socket of open.keys()) socket.destroy()
  })
  return { drain, cut }
}
