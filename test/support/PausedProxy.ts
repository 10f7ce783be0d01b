// A TCP relay that can stop forwarding without closing connections, like a broken network: those that are open, or also
// those that are opened later.
import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"

export const pausedProxy = (target: { readonly host: string; readonly port: number }) =>
  Effect.acquireRelease(
    Effect.callback<{ port: number; silence: () => void; silenceAll: () => void; close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      let isSilent = false
      const server = createServer((client) => {
        if (isSilent) {
          sockets.add(client.on("error", () => client.destroy()))
          return
        }
        const upstream = connect(target)
        for (const [from, to] of [
          [client, upstream],
          [upstream, client]
        ] as const) {
          sockets.add(from)
          from.pipe(to)
          from.on("error", () => to.destroy())
          from.on("close", () => sockets.delete(from))
        }
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const silence = () => {
          for (const socket of sockets) socket.unpipe().pause()
        }
        const silenceAll = () => {
          isSilent = true
          silence()
        }
        const close = () => {
          for (const socket of sockets) socket.destroy()
          server.close()
        }
        resume(Effect.succeed({ port, silence, silenceAll, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
