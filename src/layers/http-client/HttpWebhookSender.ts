// Sends webhook deliveries over HTTP (docs/webhooks.md).
import { Clock, Effect, Layer, Result } from "effect"
import { WebhookSender } from "../../domain/ports/webhooks/WebhookSender.ts"
import { WebhookProbes } from "../../domain/ports/webhooks/WebhookProbes.ts"
import { type TargetPolicy, targetUrl } from "../../domain/targets/TargetUrl.ts"
import type { Outcome, WebhookMessage, WebhookRequest } from "../../domain/webhooks/DeliveryRecord.ts"
import type { ProbeAnswer } from "../../domain/webhooks/WebhookDiagnosis.ts"
import { type Answer, type GuardedClient, makeGuardedClient } from "./GuardedClient.ts"
import type { Resolve } from "./GuardedConnector.ts"
import { signature, standardHeaders } from "./Signatures.ts"
import { makeWebhookSockets } from "./WebhookSockets.ts"
import { traced } from "../../domain/Traced.ts"

const connect_timeout_ms = 5_000
const response_timeout_ms = 15_000
const probe_timeout_ms = 5_000
const excerpt_bytes = 4_096

/** A receiver may ask for more; what counts of it is decided where the next attempt is scheduled. */
const maxRetryAfter_ms = 366 * 86_400_000

/** Milliseconds of a `Retry-After` header: seconds or a date (RFC 9110, section 10.2.3). Null: absent or malformed. */
export const retryAfter_ms = (value: string | undefined, now: number): number | null => {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1_000 : Date.parse(value) - now
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), maxRetryAfter_ms)
}

/** The headers of a delivery that was signed at `signed_at`, epoch milliseconds. */
const headersOf = (request: WebhookMessage, signed_at: number): Record<string, string> => {
  const { body, delivery_id, event_kind, secrets, signature_format } = request
  const t = Math.floor(signed_at / 1_000)
  return {
    "content-type": "application/json",
    "user-agent": "trunkline-webhooks/1",
    "x-service-signature": signature(signature_format, secrets, body, t),
    "x-service-idempotency-key": delivery_id,
    "x-service-event": event_kind,
    ...standardHeaders(delivery_id, secrets, body, t)
  }
}

/** Receivers that hang keep a socket until the time limit. */
const sockets = { total: 500, each: 100 }

type Ending = Omit<Outcome, "at" | "duration_ms">

const failed = (error: string): Ending => ({ http_status: null, error, response_excerpt: null, retry_after_ms: null })

const answered = ({ body, header, status }: Answer, now: number): Ending => ({
  http_status: status,
  error: null,
  response_excerpt: body.subarray(0, excerpt_bytes).toString("utf8"),
  retry_after_ms: retryAfter_ms(header("retry-after"), now)
})

/** Sends by a client that it is given. */
export const webhookSender = (client: GuardedClient, policy: TargetPolicy): WebhookSender["Service"] => {
  const attempt = (request: WebhookRequest, at: number): Effect.Effect<Ending> => {
    const url = targetUrl(request.url, policy)
    if (Result.isFailure(url)) return Effect.succeed(failed("address_refused"))
    const { body } = request
    const headers = headersOf(request, at)
    return Effect.match(client.post({ url: url.success, body, headers, timeout_ms: response_timeout_ms }), {
      onSuccess: (answer) => answered(answer, at),
      onFailure: ({ code }) => failed(code)
    })
  }
  const inTurn = makeWebhookSockets(sockets)
  const timed = (request: WebhookRequest): Effect.Effect<Outcome> =>
    Effect.clockWith((clock) => {
      const at = clock.currentTimeMillisUnsafe()
      return Effect.map(attempt(request, at), (ending) => ({
        ...ending,
        at,
        duration_ms: clock.currentTimeMillisUnsafe() - at
      }))
    })
  return { send: traced("WebhookSender.send")((request) => inTurn(request, timed(request))) }
}

/** Sends what a doctor sends, by a client that it is given. */
export const webhookProbes = (client: GuardedClient, policy: TargetPolicy): WebhookProbes["Service"] => {
  type Ended = Pick<ProbeAnswer, "http_status" | "error" | "receiver_at">
  const lost = (error: string): Ended => ({ http_status: null, error, receiver_at: null })
  const read = ({ header, status }: Answer): Ended => {
    const receiver_at = Date.parse(header("date") ?? "")
    return { http_status: status, error: null, receiver_at: Number.isNaN(receiver_at) ? null : receiver_at }
  }
  return {
    send: traced("WebhookProbes.send")(function* ({ signed_at, signed_body, ...request }) {
      const url = targetUrl(request.url, policy)
      const at = yield* Clock.currentTimeMillis
      const headers = headersOf({ ...request, body: signed_body }, signed_at)
      const ended = Result.isFailure(url)
        ? lost("address_refused")
        : yield* Effect.match(
            client.post({ url: url.success, body: request.body, headers, timeout_ms: probe_timeout_ms }),
            { onSuccess: read, onFailure: ({ code }) => lost(code) }
          )
      return { ...ended, duration_ms: (yield* Clock.currentTimeMillis) - at }
    })
  }
}

interface SenderOptions {
  readonly policy: TargetPolicy
  readonly resolve?: Resolve
}

const makeClient = (options: SenderOptions) =>
  makeGuardedClient({
    ...options,
    connect_timeout_ms,
    // Subscriptions of many workspaces may share a host, and slow ones must not block the others. Each subscription
    // limits its own concurrent deliveries.
    connections_per_origin: null,
    read_limit_bytes: 65_536
  })

export const HttpWebhookSender = (options: SenderOptions) =>
  Layer.effect(
    WebhookSender,
    Effect.map(makeClient(options), (client) => webhookSender(client, options.policy))
  )

export const HttpWebhookProbes = (options: SenderOptions) =>
  Layer.effect(
    WebhookProbes,
    Effect.map(makeClient(options), (client) => webhookProbes(client, options.policy))
  )
