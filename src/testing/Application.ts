// The application under test, as the engine reaches it: by function calls, without a socket.
import { Effect } from "effect"
import { type Answer, type GuardedClient, timedClient } from "../layers/http-client/GuardedClient.ts"
import { NoResponse } from "../layers/http-client/NoResponse.ts"

export type App = (request: Request) => Response | Promise<Response>

/** One attempt to deliver an event to the application. */
export interface DeliveryAttempt {
  /** Epoch milliseconds of the engine's time. */
  readonly at: number
  readonly delivery_id: string
  /** The event, as it was sent. */
  readonly event: WebhookEvent
  /** What the application answered; undefined if it did not. */
  status: number | undefined
}

export interface WebhookEvent {
  readonly id: string
  readonly event_kind: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly [member: string]: unknown
}

type Fault = "hangs" | { readonly status: number } | undefined

/** Without an application, callbacks are answered with no actions, and webhooks with 204. */
const noApplication: App = (request) =>
  request.headers.has("x-service-event") ? new Response(null, { status: 204 }) : Response.json({ actions: [] })

const answerOf = async (response: Response, limit_bytes: number): Promise<Answer> => {
  const body = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    body: body.subarray(0, limit_bytes),
    truncated: body.length > limit_bytes
  }
}

export class Application {
  /** Requests that the application is answering now. */
  working = 0
  fault: Fault
  /** What the application threw since the test was told last. */
  failure: { readonly url: string; readonly error: unknown } | undefined
  readonly attempts: Array<DeliveryAttempt> = []
  private app: App
  private readonly now: () => number

  constructor(app: App | undefined, now: () => number) {
    this.app = app ?? noApplication
    this.now = now
  }

  connect(app: App): void {
    this.app = app
  }

  /** The client by which the engine sends webhooks and asks callbacks. */
  client(read_limit_bytes: number): GuardedClient {
    return timedClient({
      post: ({ body, headers, url }) =>
        Effect.suspend(() => {
          const request = new Request(url, { method: "POST", headers, body })
          const attempt = this.note(request, body)
          if (this.fault === "hangs") return Effect.never
          const fault = this.fault
          return Effect.tryPromise({
            try: async () => {
              const response = fault === undefined ? await this.serve(request) : new Response(null, fault)
              if (attempt !== undefined) attempt.status = response.status
              return answerOf(response, read_limit_bytes)
            },
            catch: (cause) => new NoResponse({ code: "connection_lost", cause })
          })
        })
    })
  }

  private async serve(request: Request): Promise<Response> {
    this.working++
    try {
      return await this.app(request)
    } catch (error) {
      this.failure ??= { url: request.url, error }
      throw error
    } finally {
      this.working--
    }
  }

  private note({ headers }: Request, body: string): DeliveryAttempt | undefined {
    const delivery_id = headers.get("x-service-idempotency-key")
    if (delivery_id === null || !headers.has("x-service-event")) return undefined
    const event = JSON.parse(body) as WebhookEvent
    const attempt: DeliveryAttempt = { at: this.now(), delivery_id, event, status: undefined }
    this.attempts.push(attempt)
    return attempt
  }
}
