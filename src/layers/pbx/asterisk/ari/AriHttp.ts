// Requests to Asterisk over HTTP, and the WebSocket that the engine opens to Asterisk.
import { Effect, Redacted, type Scope } from "effect"
import { Agent } from "undici"
import { WebSocket } from "ws"
import { type Ari, AriAway, type AriMethod, type AriOptions, type AriResponse, contactsApp } from "./Ari.ts"
import { AriLine, parsed } from "./AriLine.ts"

export interface AriHttp {
  readonly request: (method: AriMethod, path: string, body?: unknown) => Effect.Effect<AriResponse, AriAway>
  readonly download: Ari["download"]
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
    (line) => line.close
  )

const agentWith = (options: Agent.Options) =>
  Effect.acquireRelease(
    Effect.sync(() => new Agent({ pipelining: 1, keepAliveTimeout: 10_000, ...options })),
    (agent) => Effect.promise(() => agent.destroy())
  )

/** `silence_ms`: how long a download may send nothing. The download as a whole has no time limit. */
export const makeAriHttp = (
  options: AriOptions,
  { silence_ms = timeout_ms } = {}
): Effect.Effect<AriHttp, never, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = yield* agentWith({ connections: 32 })
    // Downloads have connections of their own, so that no command waits behind a long recording.
    const downloads = yield* agentWith({ connections: 8, headersTimeout: silence_ms, bodyTimeout: silence_ms })
    const base = new URL(options.url.replace(/\/+$/, ""))
    const authorization = basic(options)
    const send = (method: AriMethod, path: string, signal: AbortSignal, body?: unknown) =>
      agent.request({
        origin: base.origin,
        path: base.pathname + path,
        method,
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
        Effect.gen(function* () {
          const { body, headers, statusCode } = yield* Effect.acquireRelease(
            attempt((signal) =>
              downloads.request({
                origin: base.origin,
                path: base.pathname + path,
                method: "GET",
                headers: { authorization },
                signal
              })
            ),
            ({ body }) => Effect.sync(() => body.on("error", () => {}).destroy())
          )
          const size_bytes = Number(headers["content-length"])
          if (statusCode !== 200) return yield* new AriAway({ cause: `Asterisk responded with ${statusCode}.` })
          if (!Number.isSafeInteger(size_bytes)) return yield* new AriAway({ cause: "The file's size is unknown." })
          return { size_bytes, bytes: body }
        }),
      connect: connect(base, options.app, authorization)
    }
  })
