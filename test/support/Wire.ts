// A TCP relay to PostgreSQL that loses selected messages.
import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"

type Fault = "answer lost" | "request lost" | "request late" | "black hole"

export interface Wire {
  readonly port: number
  /** What happens to the next request, once. */
  readonly next: (fault: Fault) => void
  /** Delivers the delayed request and returns when the server has processed it. */
  readonly deliver: Effect.Effect<void>
}

const ended = (socket: Socket) =>
  Effect.callback<void>((resume) => {
    if (socket.destroyed) return resume(Effect.void)
    socket.once("close", () => resume(Effect.void))
  })

/** Relays to `port` on the loopback until the scope closes. */
export const makeWire = (port: number): Effect.Effect<Wire, never, Scope.Scope> =>
  Effect.gen(function* () {
    let fault: Fault | undefined
    let late: { readonly server: Socket; readonly bytes: Uint8Array } | undefined
    const sockets = new Set<Socket>()
    const relay = createServer((client) => {
      const server = connect(port, "127.0.0.1")
      let loseAnswer = false
      for (const socket of [client, server]) {
        socket.setNoDelay(true).on("error", () => {})
        sockets.add(socket)
      }
      client.on("data", (bytes: Buffer) => {
        const befallen = fault
        fault = undefined
        if (befallen === "black hole") return client.removeAllListeners("data")
        if (befallen === "request lost") return server.destroy()
        if (befallen === "request late") {
          late = { server, bytes }
          return client.destroy()
        }
        loseAnswer = befallen === "answer lost"
        return server.write(bytes)
      })
      server.on("data", (bytes) => (loseAnswer ? client.destroy() : client.write(bytes)))
      server.on("close", () => client.destroy())
      client.on("close", () => {
        if (late?.server !== server) server.end()
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void relay.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          relay.close()
          for (const socket of sockets) socket.destroy()
        })
    )
    const address = relay.address()
    return {
      port: typeof address === "object" && address !== null ? address.port : 0,
      next: (kind) => {
        fault = kind
      },
      deliver: Effect.suspend(() => {
        const { bytes, server } = late!
        late = undefined
        // The answer is discarded: the server closes the connection after writing it.
        server.end(bytes)
        return ended(server)
      })
    }
  })
