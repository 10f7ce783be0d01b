// The HTTP client for URLs that customers configure. It checks every address and limits what it reads.
import { Effect, type Scope } from "effect"
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

const read = async (body: Dispatcher.ResponseData["body"], limit_bytes: number) => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > limit_bytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, limit_bytes), truncated: size > limit_bytes }
}

const send = async (
  agent: Agent,
  { body, headers, url }: Post,
  limit_bytes: number,
  signal: AbortSignal
): Promise<Answer> => {
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "POST",
    headers,
    body,
    signal
  })
  const header = (name: string) => {
    const value = response.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  return { status: response.statusCode, header, ...(await read(response.body, limit_bytes)) }
}

const noResponse = (cause: unknown) =>
  new NoResponse({ code: cause instanceof ConnectFault ? cause.code : "connection_lost", cause })

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
      post: traced("HttpClient.post")((request: Post) =>
        Effect.tryPromise({
          try: (signal) => send(agent, request, options.read_limit_bytes, signal),
          catch: noResponse
        })
      )
    })
  )
