// A SIP host over TLS that answers every request, so that only its certificate may be wrong.
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer, type Server } from "node:tls"
import type { Certificate } from "./Authority.ts"
import { answerTo } from "./RawSip.ts"

/** Until the scope closes. Without a port it gets a free one. */
export const obligingTls = (
  { host, port = 0 }: { readonly host: string; readonly port?: number },
  { certificate, key }: Certificate
) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (socket) => {
          socket.on("error", () => {})
          socket.on("data", (bytes) => void socket.write(answerTo(bytes.toString(), "200 OK")))
        })
        server.on("tlsClientError", () => {})
        server.listen(port, host, () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close())
    ),
    (server) => ({ host, port: (server.address() as AddressInfo).port })
  )
