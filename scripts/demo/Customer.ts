// A customer's server: it answers voice callbacks and receives webhooks.
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

export interface Received {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  /** The raw bytes, which the signature covers. */
  readonly body: Buffer
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
}

/** Serves on a free loopback port until the scope closes. Returns the server's URL. */
export const serve = (answer: (request: Received) => Reply): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { body, status } = answer({
            path: request.url ?? "",
            headers: request.headers,
            body: Buffer.concat(chunks)
          })
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}))
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ url }) => url))
