// Asterisk's REST interface: requests over HTTP, events over a WebSocket that comes back by itself.
import { type Cause, Data, Effect, Queue, Redacted, Result, Schedule, Schema, type Scope } from "effect"
import { Agent } from "undici"
import { WebSocket } from "ws"
import { AriEvent } from "./AriEvent.ts"

export interface AriOptions {
  /** `http://127.0.0.1:8088/ari` */
  readonly url: string
  readonly username: string
  readonly password: Redacted.Redacted
  readonly app: string
}

export interface AriAnswer {
  readonly status: number
  /** JSON, or undefined where the answer is none. */
  readonly body: unknown
}

/** No answer: what was asked may or may not have been done. */
export class AriAway extends Data.TaggedError("AriAway")<{ readonly cause: unknown }> {}

export interface Ari {
  readonly request: (
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    query?: Readonly<Record<string, string | number | undefined>>,
    body?: unknown
  ) => Effect.Effect<AriAnswer, AriAway>
  /** The bytes of a file. */
  readonly download: (path: string) => Effect.Effect<Buffer, AriAway>
  /** Runs `connected` on each new connection, and `told` with each event, in order. It ends by interruption. */
  readonly follow: <R>(
    connected: Effect.Effect<void, AriAway, R>,
    told: (event: AriEvent) => Effect.Effect<void, never, R>
  ) => Effect.Effect<never, never, R>
}

const timeout_ms = 5_000
const again = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])
/** How long a socket may be silent: it is pinged, so that a dead one is noticed. */
const ping_ms = 5_000

const decode = Schema.decodeUnknownResult(AriEvent)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const queryOf = (query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined)
  return given.length === 0 ? "" : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

/**
 * The application that is told of contacts. Whoever is told of an endpoint is told of its channels as well, so one that
 * has channels would be told of those twice.
 */
export const contactsApp = (app: string): string => `${app}-contacts`

/** Where Asterisk is and who asks. */
interface Door {
  readonly agent: Agent
  readonly base: URL
  readonly app: string
  readonly authorization: string
}

const send = ({ agent, authorization, base }: Door, method: string, path: string, signal: AbortSignal, body?: unknown) =>
  agent.request({
    origin: base.origin,
    path: base.pathname + path,
    method: method as "GET",
    headers: { authorization, ...(body !== undefined && { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
  })

const connect = ({ app, authorization, base }: Door) =>
  Effect.callback<WebSocket, AriAway>((resume) => {
    const socket = new WebSocket(
      `${base.origin.replace(/^http/, "ws")}${base.pathname}/events?app=${encodeURIComponent(`${app},${contactsApp(app)}`)}&subscribeAll=false`,
      { headers: { authorization }, handshakeTimeout: timeout_ms, perMessageDeflate: false }
    )
    socket.once("open", () => resume(Effect.succeed(socket)))
    socket.once("error", (cause) => resume(Effect.fail(new AriAway({ cause }))))
    return Effect.sync(() => socket.terminate())
  })

/** The events of one connection, until it ends. */
const listen = (socket: WebSocket, events: Queue.Enqueue<AriEvent, Cause.Done>) =>
  Effect.sync(() => {
    let heard = true
    const pinging = setInterval(() => {
      if (!heard) return socket.terminate()
      heard = false
      socket.ping()
    }, ping_ms)
    socket.on("pong", () => (heard = true))
    socket.on("message", (data) => {
      heard = true
      const event = decode(parsed(String(data)))
      if (Result.isSuccess(event)) Queue.offerUnsafe(events, event.success)
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      clearInterval(pinging)
      Queue.endUnsafe(events)
    })
  })

const follow = (door: Door): Ari["follow"] => (connected, told) =>
  Effect.scoped(Effect.gen(function*() {
    const socket = yield* Effect.acquireRelease(connect(door), (socket) => Effect.sync(() => socket.terminate()))
    const events = yield* Queue.unbounded<AriEvent, Cause.Done>()
    yield* listen(socket, events)
    yield* connected
    yield* Effect.forever(Effect.flatMap(Queue.take(events), told)).pipe(Effect.catch(() => Effect.void))
  })).pipe(
    Effect.andThen(Effect.fail(new AriAway({ cause: "the connection ended" }))),
    Effect.catchDefect((cause) => Effect.andThen(Effect.logError("What Asterisk told could not be followed", cause), Effect.fail(new AriAway({ cause })))),
    Effect.tapError(({ cause }) => Effect.logDebug("Asterisk is not connected", cause)),
    Effect.retry(again),
    Effect.catch(() => Effect.never)
  )

export const makeAri = (options: AriOptions): Effect.Effect<Ari, never, Scope.Scope> =>
  Effect.gen(function*() {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connections: 32, pipelining: 1, keepAliveTimeout: 10_000 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const credentials = `${options.username}:${Redacted.value(options.password)}`
    const authorization = `Basic ${Buffer.from(credentials).toString("base64")}`
    const door: Door = { agent, base: new URL(options.url.replace(/\/+$/, "")), app: options.app, authorization }
    const ask = <A>(read: (signal: AbortSignal) => Promise<A>) =>
      Effect.tryPromise({ try: read, catch: (cause) => new AriAway({ cause }) })
    return {
      request: (method, path, query = {}, body) =>
        ask(async (signal) => {
          const response = await send(door, method, path + queryOf(query), signal, body)
          return { status: response.statusCode, body: parsed(await response.body.text()) }
        }),
      download: (path) =>
        ask(async (signal) => {
          const response = await send(door, "GET", path, signal)
          const bytes = Buffer.from(await response.body.arrayBuffer())
          if (response.statusCode !== 200) throw new Error(`Asterisk answered ${response.statusCode}.`)
          return bytes
        }),
      follow: follow(door)
    }
  })
