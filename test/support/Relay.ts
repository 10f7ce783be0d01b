// A TCP relay to PostgreSQL that can be cut: connections break, and new ones are refused until it is restored. It can
// also delay what is sent, or accept everything and pass nothing on.
import { Effect } from "effect"
import { connect, createServer, type Server, type Socket } from "node:net"
import { Transform } from "node:stream"

const listen = (server: Server, port: number) =>
  Effect.callback<number>((resume) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })

export const makeRelay = Effect.fnUntraced(function* (to_port: number) {
  const sockets = new Set<Socket>()
  let delay_ms = 0
  let swallows = false
  /** A stage of one direction. What comes while the relay swallows is never passed on, nor is anything after it. */
  const stage = (delays: boolean) =>
    new Transform({
      transform: (bytes, _, pass) => {
        if (swallows) return
        if (delays && delay_ms > 0) setTimeout(pass, delay_ms, null, bytes)
        else pass(null, bytes)
      }
    })
  const server = createServer((client) => {
    const upstream = connect(to_port, "127.0.0.1")
    for (const [from, to] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(from.setNoDelay(true).on("error", () => {}))
      from.pipe(stage(from === client)).pipe(to)
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
  return {
    port,
    cut,
    mend: listen(server, port),
    /** Delays each message of a client by so many milliseconds. Messages stay in order. */
    delay: (ms: number) => Effect.sync(() => void (delay_ms = ms)),
    /** Accepts connections and bytes, and passes nothing on. At the end, connections that lost bytes are closed. */
    swallow: (on: boolean) =>
      Effect.sync(() => {
        swallows = on
        if (!on) for (const socket of sockets) socket.destroy()
      })
  }
})
export type Relay = Effect.Success<ReturnType<typeof makeRelay>>
