// The customer of both engines: answers every voice callback with a hang-up, and counts the webhooks of each engine.
import { Effect, type Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const hangUp = JSON.stringify({ actions: [{ hangup: {} }] })

export interface Customer {
  readonly origin: string
  /** How many webhooks came to paths that begin with `/hooks/<engine>/`. */
  readonly received: (engine: string) => number
}

export const makeCustomer: Effect.Effect<Customer, never, Scope.Scope> = Effect.gen(function* () {
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const [, what, engine = ""] = (request.url ?? "").split("/")
    request.resume().once("end", () => {
      if (what === "voice") return response.writeHead(200, { "content-type": "application/json" }).end(hangUp)
      counts.set(engine, (counts.get(engine) ?? 0) + 1)
      return response.writeHead(204).end()
    })
  })
  server.keepAliveTimeout = 60_000
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", 4_096, () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, received: (engine) => counts.get(engine) ?? 0 }
})
