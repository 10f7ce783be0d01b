// Where an Asterisk connects to: a WebSocket server of the engine's own, beside its HTTP server and not for customers.
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
    return `ARI_LISTEN: the engine cannot listen at ${this.listen} (${String(this.cause)}).`
  }
}

export interface AriListener {
  /** The present connection, or the next one. */
  readonly next: Effect.Effect<AriLine>
  /** The next connection after this one. */
  readonly nextBut: (line: AriLine) => Effect.Effect<AriLine>
  /** The present connection, if there is one. */
  readonly open: AriLine | undefined
}

/** What one message may hold: the list of all channels is the longest. */
const message_max = 32 << 20

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const knock_ms = 100

/**
 * What reaches Asterisk together with the answer to its handshake lies with it unread until something follows, and a
 * request would be one without an answer. So it is pinged until it answers that.
 */
const whenItListens = (socket: WebSocket, then: () => void): void => {
  const knocking = setInterval(() => socket.ping(), knock_ms)
  socket.once("close", () => clearInterval(knocking))
  socket.once("pong", () => {
    clearInterval(knocking)
    then()
  })
  socket.ping()
}

class Door implements AriListener {
  private latest: AriLine | undefined
  private readonly looks = new Set<() => void>()

  get open(): AriLine | undefined {
    return this.latest?.isOpen === true ? this.latest : undefined
  }

  get next(): Effect.Effect<AriLine> {
    return this.first(() => true)
  }

  nextBut(line: AriLine): Effect.Effect<AriLine> {
    return this.first((other) => other !== line)
  }

  /** Asterisk has one connection: the one before it is dead, whether or not that was noticed. */
  enter(line: AriLine): void {
    this.latest?.end()
    this.latest = line
    for (const look of this.looks) look()
  }

  close(): void {
    this.latest?.end()
  }

  private first(wanted: (line: AriLine) => boolean): Effect.Effect<AriLine> {
    return Effect.callback((resume) => {
      const look = () => {
        const { open } = this
        if (open !== undefined && wanted(open)) resume(Effect.succeed(open))
      }
      this.looks.add(look)
      look()
      return Effect.sync(() => this.looks.delete(look))
    })
  }
}

export const openAriListener = (
  options: AriOptions & { readonly listen: string }
): Effect.Effect<AriListener, AriListenFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const door = new Door()
    const expected = digest(basic(options))
    const turnedAway = Effect.runForkWith(yield* Effect.context<never>())
    let said = false
    const admit = (authorization: string | undefined): boolean => {
      const admitted = timingSafeEqual(digest(authorization ?? ""), expected)
      if (!admitted && !said)
        turnedAway(Effect.logWarning("Somebody without ARI_USERNAME and ARI_PASSWORD was turned away at ARI_LISTEN"))
      said = !admitted
      return admitted
    }
    const { hostname, pathname, port } = new URL(options.listen)
    const server = yield* Effect.acquireRelease(
      Effect.callback<WebSocketServer, AriListenFailed>((resume) => {
        const server = new WebSocketServer({
          host: hostname.replaceAll(/[[\]]/g, ""),
          port: Number(port || 80),
          path: pathname,
          maxPayload: message_max,
          perMessageDeflate: false,
          handleProtocols: (offered) => offered.has("ari") && "ari",
          verifyClient: ({ req }, answer) =>
            admit(req.headers.authorization)
              ? answer(true)
              : answer(false, 401, "Unauthorized", { "www-authenticate": 'Basic realm="trunkline"' })
        })
        server.once("listening", () => resume(Effect.succeed(server)))
        server.once("error", (cause) => resume(Effect.fail(new AriListenFailed({ listen: options.listen, cause }))))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          door.close()
          server.close(() => resume(Effect.void))
        })
    )
    server.on("connection", (socket) => {
      const line = new AriLine(socket)
      whenItListens(socket, () => door.enter(line))
    })
    return door
  })
