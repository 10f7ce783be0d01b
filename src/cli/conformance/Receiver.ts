// Receives webhooks and voice callbacks on this machine, and answers callbacks as a promise wants.
import { createServer } from "node:http"

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  /** As it came. */
  readonly body: string
}

/** What a path is answered with. Null: the request is left without an answer. */
export type Reply = { readonly status: number; readonly body?: unknown } | null

export interface Receiver {
  /** Without a slash at its end. */
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** Answers requests to a path. Default: 204. */
  readonly answer: (path: string, reply: (request: Received) => Reply) => void
  readonly close: () => void
}

/** Keeps what comes, and says what it is answered with. */
export const makeInbox = () => {
  const received: Array<Received> = []
  const replies = new Map<string, (request: Received) => Reply>()
  return {
    received,
    answer: (path: string, reply: (request: Received) => Reply): void => void replies.set(path, reply),
    take: (request: Received): Reply => {
      received.push(request)
      return replies.get(request.path)?.(request) ?? (replies.has(request.path) ? null : { status: 204 })
    }
  }
}

/** On a port of the loopback. */
export const listenOnLoopback = async (): Promise<Receiver> => {
  const { answer, received, take } = makeInbox()
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString("utf8")
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
    )
    const reply = take({ method: request.method ?? "", path: request.url ?? "/", headers, body })
    if (reply === null) return
    response.writeHead(reply.status, { "content-type": "application/json" })
    response.end(reply.body === undefined ? "" : JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
