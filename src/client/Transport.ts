// Sends requests: attempts, time limits, retries, and what answers mean.
import { apiError, type ApiError, ConnectionError, TimeoutError } from "./Errors.ts"
import type { ErrorDetail } from "./generated/Types.ts"
import type { ReadOptions, TrunklineOptions, WriteOptions } from "./Options.ts"
import type { Answer } from "./Result.ts"
import { isPassing, isSafe, type Outcome, secondsOf, waitBefore } from "./Retry.ts"

export interface Sent {
  readonly method: string
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
  /** Whether the route honours an Idempotency-Key. */
  readonly keyed: boolean
  /** The answer is the response itself, unread. */
  readonly raw?: boolean
  readonly options?: WriteOptions | undefined
}

const defaults = { timeout: 30_000, deadline: 90_000, retries: 2 }

const isAborted = (signal: AbortSignal | undefined): signal is AbortSignal => signal?.aborted ?? false

const defaultBase = (): string => ("location" in globalThis ? globalThis.location.origin : "http://127.0.0.1:8080")

/** Waits, unless the signal ends it: then it rejects with the signal's reason. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = () => {
      signal.removeEventListener("abort", stop)
      resolve()
    }
    const timer = setTimeout(done, ms)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener("abort", stop, { once: true })
  })

const queryText = (query: object | undefined): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null)
      parameters.set(
        name,
        Array.isArray(value) ? value.join(",") : value instanceof Date ? value.toISOString() : `${value}`
      )
  const text = parameters.toString()
  return text === "" ? "" : `?${text}`
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly request_id?: string
    readonly details?: ReadonlyArray<ErrorDetail>
    readonly reason?: string
    readonly resolution?: string
    readonly suggested_e164?: string
    readonly doc_url?: string
  }
}

const parsed = (text: string): unknown => {
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An error of the engine; something in between, such as a proxy, may have answered in its own way. */
const errorOf = (response: Response, text: string, attempts: number, key: string | null, base: string): ApiError => {
  const { error = {} } = (parsed(text) ?? {}) as ErrorBody
  const { status } = response
  const code = error.code ?? `http_${status}`
  const docPath = error.doc_url ?? "/docs/errors"
  return apiError({
    status,
    code,
    message: error.message ?? `The server answered ${status}.`,
    requestId: error.request_id ?? response.headers.get("x-request-id") ?? "",
    details: error.details ?? [],
    reason: error.reason,
    resolution: error.resolution,
    suggestedE164: error.suggested_e164,
    docUrl: docPath.startsWith("/") ? base + docPath : docPath,
    retryable: isPassing({ status, code }),
    retryAfter: secondsOf(response.headers.get("retry-after"), Date.now()),
    attempts,
    idempotencyKey: key
  })
}

export class Transport {
  readonly options: TrunklineOptions
  private readonly base: string
  private readonly fetch: typeof globalThis.fetch

  constructor(options: TrunklineOptions) {
    this.options = options
    this.base = (options.baseUrl ?? defaultBase()).replace(/\/+$/, "")
    this.fetch = options.fetch ?? ((...request) => globalThis.fetch(...request))
  }

  url(path: string, query?: object): string {
    return this.base + path + queryText(query)
  }

  headers(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { apiKey, headers, mode, session } = this.options
    return {
      accept: "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey.trim()}` }),
      ...(typeof session === "string" && { cookie: `session=${session}` }),
      ...(mode !== undefined && { "x-service-mode": mode }),
      ...headers,
      ...more
    }
  }

  /** One request without retries. */
  async send(url: string, init: RequestInit): Promise<Response> {
    return await this.fetch(url, { ...init, ...(this.options.session === true && { credentials: "include" }) })
  }

  /** Sends the request, and again after failures that may pass. */
  async request(sent: Sent): Promise<Answer<unknown>> {
    const options = { ...defaults, ...this.options, ...sent.options }
    const key = sent.keyed ? (sent.options?.idempotencyKey ?? crypto.randomUUID()) : null
    const ends = AbortSignal.timeout(options.deadline)
    const signal = options.signal === undefined ? ends : AbortSignal.any([options.signal, ends])
    for (let attempts = 1; ; attempts++) {
      const failure = await this.attempt(sent, options, key, attempts, signal)
      if (!("error" in failure)) return failure
      const { error, outcome } = failure
      if (isAborted(options.signal)) throw options.signal.reason
      const wait = waitBefore(attempts, secondsOf(outcome.retryAfter, Date.now()), Math.random())
      const again =
        attempts <= options.retries && isPassing(outcome) && isSafe(sent.method, key !== null, outcome) && !ends.aborted
      if (!again || wait === undefined) throw error
      try {
        await sleep(wait, signal)
      } catch {
        throw sent.options?.signal?.aborted === true ? sent.options.signal.reason : error
      }
    }
  }

  private async attempt(
    { body, method, path, query, raw = false }: Sent,
    { headers: more, timeout }: ReadOptions & { readonly timeout: number },
    key: string | null,
    attempts: number,
    signal: AbortSignal
  ): Promise<Answer<unknown> | { readonly error: unknown; readonly outcome: Outcome }> {
    const began = performance.now()
    const patience = AbortSignal.timeout(timeout)
    const log = (status: number | null, requestId: string | null) =>
      this.options.onRequest?.({ method, path, status, ms: performance.now() - began, requestId, attempt: attempts })
    let response: Response
    let text = ""
    try {
      response = await this.send(this.url(path, query), {
        method,
        headers: this.headers({
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(key !== null && { "idempotency-key": key }),
          ...more
        }),
        signal: AbortSignal.any([signal, patience]),
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      if (!raw || !response.ok) text = await response.text()
    } catch (cause) {
      log(null, null)
      const fields = { attempts, idempotencyKey: key, cause }
      const late = patience.aborted || signal.aborted
      const error = late
        ? new TimeoutError(`No answer from ${this.base} in time.`, fields)
        : new ConnectionError(`No answer from ${this.base}.`, fields)
      return { error, outcome: {} }
    }
    const requestId = response.headers.get("x-request-id") ?? ""
    log(response.status, requestId)
    if (!response.ok) {
      const error = errorOf(response, text, attempts, key, this.base)
      return {
        error,
        outcome: { status: error.status, code: error.code, retryAfter: response.headers.get("retry-after") }
      }
    }
    const warnings = response.headers.get("x-service-warnings")
    return {
      data: raw ? response : parsed(text),
      response,
      requestId,
      replayed: response.headers.get("idempotent-replayed") === "true",
      warnings: warnings === null ? [] : [warnings]
    }
  }

  /** Opens a stream. The signal ends it; it may be quiet for as long as the reader allows. */
  async open(
    path: string,
    query: object | undefined,
    after: string | null,
    signal: AbortSignal
  ): Promise<ReadableStream<Uint8Array>> {
    const response = await this.send(this.url(path, query), {
      method: "GET",
      headers: this.headers({ accept: "text/event-stream", ...(after !== null && { "last-event-id": after }) }),
      signal
    })
    if (response.ok && response.body !== null) return response.body
    throw errorOf(response, await response.text(), 1, null, this.base)
  }
}
