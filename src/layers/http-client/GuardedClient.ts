// The HTTP client for URLs that customers configure. It checks every address and limits what it reads.
import { Clock, Effect, type Scope } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { Agent, type Dispatcher } from "undici"
import type { Timer } from "../../actors/runtime/TimerHeap.ts"
import { Timers } from "../../actors/runtime/Timers.ts"
import { ConnectFault } from "./ConnectFault.ts"
import { type ConnectorOptions, guardedConnector } from "./GuardedConnector.ts"
import { NoResponse } from "./NoResponse.ts"
import { traced } from "../../domain/Traced.ts"

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** When the answer must have ended, in milliseconds from the request. Absent: the caller limits the time. */
  readonly timeout_ms?: number
}

export interface Answer {
  readonly status: number
  /** Takes a lower-case name. Of a repeated header, returns the first value. */
  readonly header: (name: string) => string | undefined
  readonly body: Buffer
  /** The body was longer than the limit. The rest was not read. */
  readonly truncated: boolean
}

export interface ClientOptions extends ConnectorOptions {
  /** Most connections to one origin; further requests wait. Null: no limit. */
  readonly connections_per_origin: number | null
  readonly read_limit_bytes: number
}

export interface GuardedClient {
  /** Sends one request. It follows no redirects. After `timeout_ms` it closes the connection. */
  readonly post: (request: Post) => Effect.Effect<Answer, NoResponse>
}

const noResponse = (cause: unknown) =>
  new NoResponse({ code: cause instanceof ConnectFault ? cause.code : "connection_lost", cause })

/** Why a request is aborted whose answer is complete or no longer wanted. Nobody sees it. */
const abandoned = new Error("The request was abandoned")

/** Collects the answer, up to the limit. `agent.request` would make a stream and a signal for each. */
class AnswerHandler implements Dispatcher.DispatchHandler {
  private readonly limit_bytes: number
  private readonly end: (answer: Effect.Effect<Answer, NoResponse>) => void
  private readonly chunks: Array<Buffer> = []
  private size = 0
  private status = 0
  private headers: IncomingHttpHeaders = {}
  private controller: Dispatcher.DispatchController | undefined
  private isAbandoned = false

  constructor(limit_bytes: number, end: (answer: Effect.Effect<Answer, NoResponse>) => void) {
    this.limit_bytes = limit_bytes
    this.end = end
  }

  /** Closes the connection. */
  abandon(): void {
    this.isAbandoned = true
    this.controller?.abort(abandoned)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.isAbandoned) controller.abort(abandoned)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // An informational answer precedes the one that counts.
    this.status = status
    this.headers = headers
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.isAbandoned) return
    this.chunks.push(chunk)
    this.size += chunk.length
    if (this.size <= this.limit_bytes) return
    this.finish(true)
    this.abandon()
  }

  onResponseEnd(): void {
    this.finish(false)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(Effect.fail(noResponse(error)))
  }

  private finish(truncated: boolean): void {
    const { chunks, headers, limit_bytes, status } = this
    const header = (name: string) => {
      const value = headers[name]
      return Array.isArray(value) ? value[0] : value
    }
    this.end(Effect.succeed({ status, header, body: Buffer.concat(chunks).subarray(0, limit_bytes), truncated }))
  }
}

const late = Effect.fail(new NoResponse({ code: "timeout", cause: undefined }))

const send = (
  agent: Agent,
  deadlines: Deadlines,
  { body, headers, timeout_ms, url }: Post,
  limit_bytes: number
): Effect.Effect<Answer, NoResponse> =>
  Effect.callback((resume) => {
    let deadline: Timer | undefined
    const cancel = () => {
      if (deadline !== undefined) deadlines.timers.cancel(deadline)
    }
    const handler = new AnswerHandler(limit_bytes, (answer) => {
      cancel()
      resume(answer)
    })
    if (timeout_ms !== undefined)
      deadline = deadlines.timers.set(deadlines.now() + timeout_ms, () => {
        resume(late)
        handler.abandon()
      })
    agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: "POST", headers, body }, handler)
    return Effect.sync(() => {
      cancel()
      handler.abandon()
    })
  })

/** One fiber waits for all deadlines of a client. A race of fibers for each would cost a tenth of a delivery. */
interface Deadlines {
  readonly timers: Timers
  readonly now: () => number
}

const makeDeadlines: Effect.Effect<Deadlines, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const runFork = Effect.runForkWith(yield* Effect.context<never>())
  const timers = yield* Effect.acquireRelease(
    Effect.sync(() => new Timers(clock, runFork)),
    (timers) => Effect.sync(() => timers.close())
  )
  return { timers, now: () => clock.currentTimeMillisUnsafe() }
})

export const makeGuardedClient = (options: ClientOptions): Effect.Effect<GuardedClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const deadlines = yield* makeDeadlines
    const agent = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Agent({
            connect: guardedConnector(options),
            connections: options.connections_per_origin,
            allowH2: false,
            pipelining: 1,
            // Node's servers close an idle connection after 5 s. Closing it earlier avoids sending on a closing
            // connection.
            keepAliveTimeout: 4_000,
            keepAliveMaxTimeout: 60_000,
            headersTimeout: 0,
            bodyTimeout: 0
          })
      ),
      (agent) => Effect.promise(() => agent.destroy())
    )
    return {
      post: traced("HttpClient.post")((request: Post) => send(agent, deadlines, request, options.read_limit_bytes))
    }
  })

/** A client that limits the time of the requests of one that does not. For clients without a network. */
export const timedClient = ({ post }: GuardedClient): GuardedClient => ({
  post: (request) =>
    request.timeout_ms === undefined
      ? post(request)
      : Effect.timeoutOrElse(post(request), { duration: request.timeout_ms, orElse: () => late })
})
