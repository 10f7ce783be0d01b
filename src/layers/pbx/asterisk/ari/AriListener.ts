// The WebSocket server for Asterisk's outbound connections. It is separate from the HTTP API and not for customers.
import { createHash, timingSafeEqual } from "node:crypto"
import { Data, Effect, type Scope } from "effect"
import { type WebSocket, WebSocketServer } from "ws"
import type { AriOptions } from "./Ari.ts"
import { basic } from "./AriHttp.ts"
import { AriLine } from "./AriLine.ts"

export class AriListenFailed extends Data.TaggedError("AriListenFailed")<{
  readonly listen: string
  readonly cause: unknown
}> {
  override get message() {
    return `ARI_LISTEN: the engine cannot listen on ${this.listen} (${String(this.cause)}).`
  }
}

export interface AriListener {
  /** The current connection, or the next one. */
  readonly next: Effect.Effect<AriLine>
  /** The first connection that is not one of `lines`. */
  readonly nextAfter: (lines: ReadonlyArray<AriLine | undefined>) => Effect.Effect<AriLine>
  /** The current connection, if there is one. */
  readonly current: AriLine | undefined
}

/** The most bytes in a message. The list of all channels is the longest. */
const messageMax_bytes = 32 << 20

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const pingInterval_ms = 100

/**
 * Asterisk leaves a message that arrives together with the handshake response unread until more data follows, so a
 * request would time out. Pings until Asterisk responds, which shows that it reads.
 */
const whenReading = (socket: WebSocket, then: () => void): void => {
  const pinging = setInterval(() => socket.ping(), pingInterval_ms)
  socket.once("close", () => clearInterval(pinging))
  socket.once("pong", () => {
    clearInterval(pinging)
    then()
  })
  socket.ping()
}

class Connections implements AriListener {
  private latest: AriLine | undefined
  private readonly waiting = new Set<() => void>()

  get current(): AriLine | undefined {
    return this.latest?.isOpen === true ? this.latest : undefined
  }

  get next(): Effect.Effect<AriLine> {
    return this.first(() => true)
  }

  nextAfter(lines: ReadonlyArray<AriLine | undefined>): Effect.Effect<AriLine> {
    return this.first((line) => !lines.includes(line))
  }

  /** Asterisk has one connection, so the previous one is dead, even if that was not noticed. */
  add(line: AriLine): void {
    this.latest?.end()
    this.latest = line
    for (const check of this.waiting) check()
  }

  close(): void {
    this.latest?.end()
  }

  private first(isWanted: (line: AriLine) => boolean): Effect.Effect<AriLine> {
    return Effect.callback((resume) => {
      const check = () => {
        const { current } = this
        if (current !== undefined && isWanted(current)) resume(Effect.succeed(current))
      }
      this.waiting.add(check)
      check()
      return Effect.sync(() => this.waiting.delete(check))
    })
  }
}

/** Checks the Authorization header. The first of several refusals in a row is logged. */
const makeAdmit = Effect.fnUntraced(function* (options: AriOptions) {
  const expected = digest(basic(options))
  const run = Effect.runForkWith(yield* Effect.context<never>())
  let logged = false
  return (authorization: string | undefined): boolean => {
    const admitted = timingSafeEqual(digest(authorization ?? ""), expected)
    if (!admitted && !logged)
      run(Effect.logWarning("A connection to ARI_LISTEN was refused: wrong ARI_USERNAME or ARI_PASSWORD"))
    logged = !admitted
    return admitted
  }
})

export const openAriListener = (
  options: AriOptions & { readonly listen: string }
): Effect.Effect<AriListener, AriListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const connections = new Connections()
    const admit = yield* makeAdmit(options)
    const { hostname, pathname, port } = new URL(options.listen)
    const server = yield* Effect.acquireRelease(
      Effect.callback<WebSocketServer, AriListenFailed>((resume) => {
        const server = new WebSocketServer({
          host: hostname.replaceAll(/[[\]]/g, ""),
          port: Number(port || 80),
          path: pathname,
          maxPayload: messageMax_bytes,
          perMessageDeflate: false,
          handleProtocols: (offered) => offered.has("ari") && "ari",
          verifyClient: ({ req }, respond) =>
            admit(req.headers.authorization)
              ? respond(true)
              : respond(false, 401, "Unauthorized", { "www-authenticate": 'Basic realm="trunkline"' })
        })
        server.once("listening", () => resume(Effect.succeed(server)))
        server.once("error", (cause) => resume(Effect.fail(new AriListenFailed({ listen: options.listen, cause }))))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          connections.close()
          server.close(() => resume(Effect.void))
        })
    )
    server.on("connection", (socket) => {
      const line = new AriLine(socket)
      whenReading(socket, () => connections.add(line))
    })
    return connections
  })
