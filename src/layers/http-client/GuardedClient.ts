// The HTTP client for URLs that customers configure. It checks every address and limits what it reads.
import { Effect, type Scope } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import { Agent, type Dispatcher } from "undici"
import { ConnectFault } from "./ConnectFault.ts"
import { type ConnectorOptions, guardedConnector } from "./GuardedConnector.ts"
import { NoResponse } from "./NoResponse.ts"
import { traced } from "../../domain/Traced.ts"

export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
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
  /** Sends one request. It follows no redirects and has no timeout: the caller sets one. */
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

const send = (agent: Agent, { body, headers, url }: Post, limit_bytes: number): Effect.Effect<Answer, NoResponse> =>
  Effect.callback((resume) => {
    const handler = new AnswerHandler(limit_bytes, resume)
    agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method: "POST", headers, body }, handler)
    return Effect.sync(() => handler.abandon())
  })

export const makeGuardedClient = (options: ClientOptions): Effect.Effect<GuardedClient, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
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
    ),
    (agent) => ({
      post: traced("HttpClient.post")((request: Post) => send(agent, request, options.read_limit_bytes))
    })
  )
