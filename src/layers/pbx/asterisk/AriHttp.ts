// Requests to Asterisk over HTTP, and the WebSocket that the engine opens to Asterisk.
import { Effect, Redacted, type Scope } from "effect"
import { Agent } from "undici"
import { WebSocket } from "ws"
import { AriAway, type AriMethod, type AriOptions, type AriResponse, contactsApp } from "./Ari.ts"
import { AriLine, parsed } from "./AriLine.ts"

export interface AriHttp {
  readonly request: (method: AriMethod, path: string, body?: unknown) => Effect.Effect<AriResponse, AriAway>
  readonly download: (path: string) => Effect.Effect<Buffer, AriAway>
  readonly connect: Effect.Effect<AriLine, AriAway, Scope.Scope>
}

const timeout_ms = 5_000

/** HTTP Basic (RFC 7617). */
export const basic = ({ password, username }: Pick<AriOptions, "password" | "username">): string =>
  `Basic ${Buffer.from(`${username}:${Redacted.value(password)}`).toString("base64")}`

const connect = (base: URL, app: string, authorization: string) =>
  Effect.acquireRelease(
    Effect.callback<AriLine, AriAway>((resume) => {
      const apps = encodeURIComponent(`${app},${contactsApp(app)}`)
      const socket = new WebSocket(
        `${base.origin.replace(/^http/, "ws")}${base.pathname}/events?app=${apps}&subscribeAll=false`,
        {
          headers: { authorization },
          handshakeTimeout: timeout_ms,
          perMessageDeflate: false
        }
      )
      const line = new AriLine(socket)
      socket.once("open", () => resume(Effect.succeed(line)))
      socket.once("error", (cause) => resume(Effect.fail(new AriAway({ cause }))))
      return Effect.sync(() => line.end())
    }),
    (line) => Effect.sync(() => line.end())
  )

export const makeAriHttp = (options: AriOptions): Effect.Effect<AriHttp, never, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connections: 32, pipelining: 1, keepAliveTimeout: 10_000 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const base = new URL(options.url.replace(/\/+$/, ""))
    const authorization = basic(options)
    const send = (method: string, path: string, signal: AbortSignal, body?: unknown) =>
      agent.request({
        origin: base.origin,
        path: base.pathname + path,
        method: method as "GET",
        headers: { authorization, ...(body !== undefined && { "content-type": "application/json" }) },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
      })
    const attempt = <A>(read: (signal: AbortSignal) => Promise<A>) =>
      Effect.tryPromise({ try: read, catch: (cause) => new AriAway({ cause }) })
    return {
      request: (method, path, body) =>
        attempt(async (signal) => {
          const response = await send(method, path, signal, body)
          return { status: response.statusCode, body: parsed(await response.body.text()) }
        }),
      download: (path) =>
        attempt(async (signal) => {
          const response = await send("GET", path, signal)
          const bytes = Buffer.from(await response.body.arrayBuffer())
          if (response.statusCode !== 200) throw new Error(`Asterisk responded with ${response.statusCode}.`)
          return bytes
        }),
      connect: connect(base, options.app, authorization)
    }
  })
