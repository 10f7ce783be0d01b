// One WebSocket between the engine and an Asterisk, whichever of them opened it: what is told on it, in order, and requests
// that are answered on it.
import { type Cause, Deferred, Effect, Queue, Result, Schema } from "effect"
import { WebSocket } from "ws"
import { type AriAnswer, AriAway, type AriMethod } from "./Ari.ts"
import { AriEvent } from "./AriEvent.ts"

/** How often it is pinged: one that answers nothing meanwhile is dead. */
const ping_ms = 5_000
const answer_within = "5 seconds"
/** Events that may wait to be told: past it they are left with Asterisk, until fewer wait. */
const heard_max = 10_000
const heard_again = 1_000
/** Requests that may wait for their answers, and bytes that may wait to be sent. */
const asked_max = 2_000
const unsent_max = 8 << 20

const decode = Schema.decodeUnknownResult(AriEvent)
const isAnswer = Schema.is(
  Schema.Struct({
    type: Schema.Literal("RESTResponse"),
    request_id: Schema.String,
    status_code: Schema.Int,
    message_body: Schema.optionalKey(Schema.String)
  })
)
const isReplaced = Schema.is(Schema.Struct({ type: Schema.Literal("ApplicationReplaced") }))

export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reached when all that was heard before it has been told. */
type Mark = Deferred.Deferred<void>

export class AriLine {
  private readonly heard = Effect.runSync(Queue.unbounded<AriEvent | Mark, Cause.Done>())
  private readonly asked = new Map<string, (answer: Effect.Effect<AriAnswer, AriAway>) => void>()
  private readonly socket: WebSocket
  private requests = 0
  private replaced = false

  /** From then on nothing that comes is missed. */
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
      this.take(parsed(String(data)))
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      clearInterval(pinging)
      Queue.endUnsafe(this.heard)
      for (const answer of this.asked.values()) answer(Effect.fail(new AriAway({ cause: "the connection ended" })))
      this.asked.clear()
    })
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN
  }

  /** Whether it ended because another connection has taken its application. */
  get wasReplaced(): boolean {
    return this.replaced
  }

  end(): void {
    this.socket.terminate()
  }

  /** Runs `told` with each event, in order, until the connection has ended. */
  hear<R>(told: (event: AriEvent) => Effect.Effect<void, never, R>): Effect.Effect<void, never, R> {
    const next = Effect.flatMap(Queue.take(this.heard), (item) => {
      if (this.socket.isPaused && Queue.sizeUnsafe(this.heard) < heard_again) this.socket.resume()
      return "type" in item ? told(item) : Effect.asVoid(Deferred.succeed(item, undefined))
    })
    return Effect.catch(Effect.forever(next), () =>
      this.replaced
        ? Effect.logWarning("Another connection has taken ARI_APP: each engine needs an application of its own")
        : Effect.void
    )
  }

  /** Waits until all that was heard so far has been told. */
  get takenIn(): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      const mark = yield* Deferred.make<void>()
      if (Queue.offerUnsafe(this.heard, mark)) yield* Deferred.await(mark)
    })
  }

  /** `path` with its query. */
  request(method: AriMethod, path: string, body?: unknown): Effect.Effect<AriAnswer, AriAway> {
    return Effect.callback<AriAnswer, AriAway>((resume) => {
      if (!this.isOpen || this.asked.size >= asked_max || this.socket.bufferedAmount > unsent_max) {
        return resume(
          Effect.fail(new AriAway({ cause: this.isOpen ? "too much waits for its answer" : "the connection ended" }))
        )
      }
      const request_id = String(++this.requests)
      this.asked.set(request_id, resume)
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
      return Effect.sync(() => this.asked.delete(request_id))
    }).pipe(
      Effect.timeoutOrElse({
        duration: answer_within,
        orElse: () =>
          Effect.fail(new AriAway({ cause: `no answer to ${method} ${path.split("?", 1)[0]} within ${answer_within}` }))
      })
    )
  }

  private take(message: unknown): void {
    if (isAnswer(message)) {
      const answer = this.asked.get(message.request_id)
      this.asked.delete(message.request_id)
      return answer?.(Effect.succeed({ status: message.status_code, body: parsed(message.message_body ?? "") }))
    }
    if (isReplaced(message)) {
      this.replaced = true
      return this.end()
    }
    const event = decode(message)
    if (Result.isFailure(event)) return
    Queue.offerUnsafe(this.heard, event.success)
    if (Queue.sizeUnsafe(this.heard) > heard_max && !this.socket.isPaused) this.socket.pause()
  }
}
