// Both directions of an Asterisk's REST interface, on loopback: HTTP with its event socket, and outgoing connections.
import { Effect } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { WebSocket, WebSocketServer } from "ws"

export type Way = "http" | "socket"

interface Answer {
  readonly status: number
  readonly body?: unknown
  /** The answer of its HTTP server before ARI is loaded. */
  readonly page?: string
}

export interface FakeAsteriskOptions {
  /** Undefined if it never answers. */
  readonly answer: (method: string, path: string, way: Way) => Answer | undefined
}

const opened = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    socket.once("open", () => resolve(101))
    socket.once("unexpected-response", (_, { statusCode }) => resolve(statusCode ?? 0))
    socket.once("error", () => {})
  })

export const fakeAsterisk = Effect.fnUntraced(function* ({ answer }: FakeAsteriskOptions) {
  const asked: Array<string> = []
  const sockets = new Set<WebSocket>()
  const tell = (event: object) => {
    for (const socket of sockets) if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event))
  }
  const applications: { state: "delivers" | "inactive" | "missing" } = { state: "delivers" }
  /** What `POST /events/user/NAME?application=APP` does to the state of the applications. */
  const takeUserEvent = (eventname: string, application: string): Answer => {
    if (applications.state === "missing") return { status: 404, body: { message: "Application not found" } }
    if (applications.state === "delivers") tell({ type: "ChannelUserevent", eventname, application })
    return { status: 204 }
  }
  const take = (method: string, path: string, way: Way): Answer | undefined => {
    const userEvent = /^\/events\/user\/([^?]+)\?application=(.+)$/.exec(path)
    if (userEvent !== null) return takeUserEvent(userEvent[1]!, decodeURIComponent(userEvent[2]!))
    asked.push(`${way} ${method} ${path}`)
    return answer(method, path, way)
  }
  const server = createServer((request, response) => {
    const given = take(request.method!, request.url!.replace(/^\/ari/, ""), "http")
    request.resume()
    if (given?.page !== undefined) response.writeHead(given.status, { "content-type": "text/html" }).end(given.page)
    else if (given !== undefined)
      response.writeHead(given.status, { "content-type": "application/json" }).end(JSON.stringify(given.body ?? {}))
  })
  const events = new WebSocketServer({ server, path: "/ari/events" })
  const closings: Array<string> = []
  events.on("connection", (socket) => {
    sockets.add(socket)
    socket.once("close", (code) =>
      closings.push(code === 1006 ? "by the end of its TCP connection" : "by a close frame")
    )
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        for (const socket of sockets) socket.terminate()
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/ari`,
    /** Without user events. */
    asked,
    /** What Asterisk does with events: an inactive application exists, but nobody receives its events. */
    applications,
    /** How the engine closed each socket that it had opened. */
    closings,
    /** Open sockets that the engine has opened. */
    connected: () => [...events.clients].length,
    /**
     * Connects to the engine. Returns the socket, once the engine knows that it listens, and 101 where it was let in.
     * It listens after so many pings; what it is asked before lies unread.
     */
    dial: (url: string, username: string, password: string, deaf_to = 0) =>
      Effect.promise(async () => {
        const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`
        const socket = new WebSocket(url, "ari", { headers: { authorization }, autoPong: false })
        sockets.add(socket)
        let pings = 0
        const listens = new Promise<void>((resolve) =>
          socket.on("ping", (data) => {
            if (++pings <= deaf_to) return
            socket.pong(data)
            resolve()
          })
        )
        socket.on("message", (data) => {
          if (pings <= deaf_to) return void asked.push("unread")
          const { method, request_id, uri } = JSON.parse(String(data)) as {
            readonly method: string
            readonly request_id: string
            readonly uri: string
          }
          const given = take(method, uri, "socket")
          if (given === undefined) return
          socket.send(
            JSON.stringify({
              type: "RESTResponse",
              request_id,
              status_code: given.status,
              message_body: JSON.stringify(given.body ?? {})
            })
          )
        })
        const status = await opened(socket)
        if (status === 101) {
          await listens
          // What follows the answer to a ping is answered behind it.
          socket.ping()
          await once(socket, "pong")
        }
        return { socket, status }
      }),
    /** Sends an event on every socket. */
    tell
  }
})
