// One WebSocket between the engine and an Asterisk, whichever side opened it: events in order, and requests with
// responses.
import { type Cause, Deferred, Effect, Queue, Result, Schema } from "effect"
import { WebSocket } from "ws"
import { AriAway, type AriMethod, type AriResponse } from "./Ari.ts"
import { AriEvent } from "./AriEvent.ts"

/** The ping interval. A connection on which nothing arrives for a whole interval is dead. */
const ping_ms = 5_000
const responseTimeout = "5 seconds"
const closeTimeout_ms = 1_000
/** Above `eventsMax` waiting events, reading stops until no more than `eventsResume` wait. */
const eventsMax = 10_000
const eventsResume = 1_000
/** The most requests without a response, and the most unsent bytes. */
const requestsMax = 2_000
const unsentMax_bytes = 8 << 20

const decode = Schema.decodeUnknownResult(AriEvent)
const isResponse = Schema.is(
  Schema.Struct({
    type: Schema.Literal("RESTResponse"),
    request_id: Schema.String,
    status_code: Schema.Int,
    message_body: Schema.optionalKey(Schema.String)
  })
)
const isUserEvent = Schema.is(
  Schema.Struct({ type: Schema.Literal("ChannelUserevent"), application: Schema.String, eventname: Schema.String })
)
const isReplaced = Schema.is(Schema.Struct({ type: Schema.Literal("ApplicationReplaced") }))

/** Parsed JSON, or undefined. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Completed when all events before it have been handled. */
type Mark = Deferred.Deferred<void>

export class AriLine {
  private readonly events = Effect.runSync(Queue.unbounded<AriEvent | Mark, Cause.Done>())
  private readonly pending = new Map<string, (response: Effect.Effect<AriResponse, AriAway>) => void>()
  private readonly userEvents = new Map<string, () => void>()
  private readonly socket: WebSocket
  private requests = 0
  private replaced = false

  /** Receives from now on, so that no message is missed. */
  constructor(socket: WebSocket) {
    this.socket = socket
    let alive = true
    const pinging = setInterval(() => {
      if (socket.readyState !== WebSocket.OPEN || socket.isPaused) return
      if (!alive) return socket.terminate()
      alive = false
      socket.ping()
    }, ping_ms)
    socket.on("pong", () => (alive = true))
    socket.on("message", (data) => {
      alive = true
      this.receive(parsed(String(data)))
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      clearInterval(pinging)
      Queue.endUnsafe(this.events)
      for (const respond of this.pending.values()) respond(Effect.fail(new AriAway({ cause: "the connection ended" })))
      this.pending.clear()
    })
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN
  }

  /** Whether it ended because another connection has taken over the application. */
  get wasReplaced(): boolean {
    return this.replaced
  }

  end(): void {
    this.socket.terminate()
  }

  /**
   * Closes it, and waits until Asterisk has closed it too, so that Asterisk is done with it before the next connection.
   */
  readonly close: Effect.Effect<void> = Effect.callback<void>((resume) => {
    if (this.socket.readyState === WebSocket.CLOSED) return resume(Effect.void)
    const late = setTimeout(() => this.end(), closeTimeout_ms)
    this.socket.once("close", () => {
      clearTimeout(late)
      resume(Effect.void)
    })
    this.socket.close()
  })

  /** Waits until the application's user event with this name arrives here. */
  userEvent(application: string, eventname: string): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const key = `${application} ${eventname}`
      this.userEvents.set(key, () => resume(Effect.void))
      return Effect.sync(() => this.userEvents.delete(key))
    })
  }

  /** Whether reading has stopped because many events wait. */
  get isPaused(): boolean {
    return this.socket.isPaused
  }

  /** Runs `handle` for each event, in order, until the connection has ended. */
  follow<R>(handle: (event: AriEvent) => Effect.Effect<void, never, R>): Effect.Effect<void, never, R> {
    const next = Effect.flatMap(Queue.take(this.events), (item) => {
      if (this.socket.isPaused && Queue.sizeUnsafe(this.events) < eventsResume) this.socket.resume()
      return "type" in item ? handle(item) : Effect.asVoid(Deferred.succeed(item, undefined))
    })
    return Effect.catch(Effect.forever(next), () =>
      this.replaced
        ? Effect.logWarning("Another connection has taken over ARI_APP. Each engine needs its own application.")
        : Effect.void
    )
  }

  /** Waits until the events received so far have been handled. */
  get eventsHandled(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const mark = yield* Deferred.make<void>()
      if (Queue.offerUnsafe(this.events, mark)) yield* Deferred.await(mark)
    })
  }

  /** `path` includes the query. */
  request(method: AriMethod, path: string, body?: unknown): Effect.Effect<AriResponse, AriAway> {
    return Effect.callback<AriResponse, AriAway>((resume) => {
      if (!this.isOpen || this.pending.size >= requestsMax || this.socket.bufferedAmount > unsentMax_bytes) {
        return resume(
          Effect.fail(new AriAway({ cause: this.isOpen ? "too many requests are pending" : "the connection ended" }))
        )
      }
      const request_id = String(++this.requests)
      this.pending.set(request_id, resume)
      this.socket.send(
        JSON.stringify({
          type: "RESTRequest",
          transaction_id: request_id,
          request_id,
          method,
          uri: path.replace(/^\//, ""),
          ...(body !== undefined && { content_type: "application/json", message_body: JSON.stringify(body) })
        })
      )
      return Effect.sync(() => this.pending.delete(request_id))
    }).pipe(
      Effect.timeoutOrElse({
        duration: responseTimeout,
        orElse: () => {
          const cause = `no response to ${method} ${path.split("?", 1)[0]} within ${responseTimeout}`
          return Effect.fail(new AriAway({ cause }))
        }
      })
    )
  }

  private receive(message: unknown): void {
    if (isResponse(message)) {
      const respond = this.pending.get(message.request_id)
      this.pending.delete(message.request_id)
      return respond?.(Effect.succeed({ status: message.status_code, body: parsed(message.message_body ?? "") }))
    }
    if (isReplaced(message)) {
      this.replaced = true
      return void Effect.runFork(this.close)
    }
    if (isUserEvent(message)) return this.userEvents.get(`${message.application} ${message.eventname}`)?.()
    const event = decode(message)
    if (Result.isFailure(event)) return
    Queue.offerUnsafe(this.events, event.success)
    if (Queue.sizeUnsafe(this.events) > eventsMax && !this.socket.isPaused) this.socket.pause()
  }
}
