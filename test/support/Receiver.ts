// A customer's HTTP server on loopback, with a scripted behaviour.
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { untilHolds } from "./Until.ts"

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type Behaviour = (request: Received, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  readonly port: number
  readonly requests: ReadonlyArray<Received>
  /** The number of connections so far. */
  readonly connections: () => number
  /** Returns when this many complete requests have arrived. */
  readonly received: (count: number) => Effect.Effect<void>
}

export const answering =
  (status: number, body = "", headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers).end(body)
  }

/** One behaviour per request, in order; the last one repeats. */
export const inTurn = (...behaviours: ReadonlyArray<Behaviour>): Behaviour => {
  let turn = 0
  return (request, response) => behaviours[Math.min(turn++, behaviours.length - 1)]!(request, response)
}

export const receiver = (behaviour: Behaviour) =>
  Effect.acquireRelease(
    Effect.callback<Receiver & { readonly close: () => void }>((resume) => {
      const requests: Array<Received> = []
      let connections = 0
      const server = createServer((message, response) => {
        const chunks: Array<Buffer> = []
        message.on("data", (chunk: Buffer) => chunks.push(chunk))
        message.on("end", () => {
          const { headers, method = "", url: path = "" } = message
          const request = { method, path, headers, body: Buffer.concat(chunks).toString() }
          requests.push(request)
          behaviour(request, response)
        })
      })
      server.on("connection", () => {
        connections++
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}/hook`,
            port,
            requests,
            connections: () => connections,
            received: (count) =>
              untilHolds(`request no. ${count} at the receiver`, () => requests.length >= count, { every_ms: 1 }),
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )
