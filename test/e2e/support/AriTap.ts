// A proxy between a gateway and its Asterisk. It records requests, responses and events.
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { WebSocket, WebSocketServer } from "ws"
import type { Line } from "../../support/AriReplay.ts"

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => Buffer.concat(await message.toArray())

type WasAsked = (what: string, body: Buffer) => void

/** Forwards a request to Asterisk and returns its response. */
const forward =
  (upstream: URL, note: (line: Line) => void, wasAsked: WasAsked) =>
  async (asked: IncomingMessage, answer: ServerResponse) => {
    const body = await bodyOf(asked)
    wasAsked(asked.method + " " + asked.url!.slice(upstream.pathname.length), body)
    const { headers, method = "GET", url = "/" } = asked
    const onward = request({ host: upstream.hostname, port: upstream.port, method, path: url, headers }, (response) => {
      bodyOf(response).then(
        (bytes) => {
          note({
            request: `${method} ${url.slice(upstream.pathname.length).split("?")[0]}`,
            status: response.statusCode!
          })
          answer.writeHead(response.statusCode!, response.headers).end(bytes)
        },
        () => answer.destroy()
      )
    })
    onward.on("error", () => answer.destroy()).end(body)
  }

/**
 * Starts the proxy. The gateway uses its URL instead of Asterisk's. Calls `note` with each event, and with each request
 * once it is answered, in order; calls `wasAsked` when a request arrives.
 */
export const makeAriTap = (ari_url: string, note: (line: Line) => void, wasAsked: WasAsked = () => {}) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: Effect.Effect<void> }>((resume) => {
      const open = new Set<WebSocket>()
      const upstream = new URL(ari_url)
      const sockets = new WebSocketServer({ noServer: true })
      const handle = forward(upstream, note, wasAsked)
      const server = createServer((asked, answer) => void handle(asked, answer))
      server.on("upgrade", (asked: IncomingMessage, socket, head) => {
        const theirs = new WebSocket(`ws://${upstream.host}${asked.url}`, {
          headers: { authorization: asked.headers.authorization ?? "" }
        })
        theirs.on("error", () => socket.destroy())
        theirs.once("open", () =>
          sockets.handleUpgrade(asked, socket, head, (ours) => {
            theirs.on("message", (data) => {
              note({ event: JSON.parse(String(data)) })
              ours.send(String(data))
            })
            open.add(theirs)
            theirs.on("close", () => {
              open.delete(theirs)
              ours.terminate()
            })
            ours.on("close", () => theirs.close())
          })
        )
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}${upstream.pathname}`,
            // Waits until Asterisk has closed its side, so that the application is free for the next connection.
            close: Effect.promise(async () => {
              const closed = [...open].map((theirs) => once(theirs, "close"))
              for (const theirs of open) theirs.close()
              await Promise.all(closed)
              server.close()
              server.closeAllConnections()
            })
          })
        )
      })
    }),
    ({ close }) => close
  )
