// A TCP relay to PostgreSQL that can be cut: connections break, and new ones are refused until it is restored.
import { Effect } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"

const listen = (server: Server, port: number) =>
  Effect.callback<number>((resume) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

export const makeRelay = Effect.fnUntraced(function* (to_port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(to_port, "127.0.0.1")
    for (const [from, to] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(from.setNoDelay(true).on("error", () => {}))
      from.pipe(to)
      from.on("close", () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  const port = yield* listen(server, 0)
  const cut = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })
  yield* Effect.addFinalizer(() => cut)
  return { port, cut, mend: listen(server, port) }
})
