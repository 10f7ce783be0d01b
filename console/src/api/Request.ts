// Requests to the API of this engine, with the session cookie of the browser.

interface Envelope {
  readonly code: string
  readonly message: string
  readonly request_id: string
  readonly resolution?: string
  readonly reason?: string
  readonly details?: ReadonlyArray<{ readonly field: string; readonly code: string; readonly message: string }>
}

/** A refusal of the API, with the members of its error envelope (docs/errors.md). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly request_id: string
  readonly resolution: string | undefined
  readonly reason: string | undefined
  readonly details: NonNullable<Envelope["details"]>

  constructor(status: number, envelope: Envelope) {
    super(envelope.message)
    this.name = "ApiError"
    this.status = status
    this.code = envelope.code
    this.request_id = envelope.request_id
    this.resolution = envelope.resolution
    this.reason = envelope.reason
    this.details = envelope.details ?? []
  }
}

/** The engine could not be reached, so it is unknown whether it carried a change out. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("The engine cannot be reached.", { cause })
    this.name = "Unreachable"
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface RequestOptions {
  readonly query?: Query
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** Repeats of one intention carry the same key, so that they take effect once. Default: a new one. */
  readonly idempotency_key?: string
}

/** A random key. `crypto.randomUUID` exists on secure origins only. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")

export const queryText = (query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]]
  )
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`
}

const isEnvelope = (value: unknown): value is { readonly error: Envelope } =>
  typeof value === "object" && value !== null && "error" in value

const failureOf = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => undefined)
  if (isEnvelope(body)) return new ApiError(response.status, body.error)
  return new ApiError(response.status, {
    code: "internal_error",
    message: `The engine answered ${response.status}.`,
    request_id: response.headers.get("x-request-id") ?? ""
  })
}

const send = async (method: string, path: string, options: RequestOptions): Promise<Response> => {
  const { body, idempotency_key, query, signal } = options
  const headers: Record<string, string> = { accept: "application/json" }
  if (method !== "GET") headers["idempotency-key"] = idempotency_key ?? newKey()
  if (body !== undefined) headers["content-type"] = "application/json"
  try {
    return await fetch(path + queryText(query), {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal })
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new Unreachable(cause)
  }
}

/**
 * Sends a request and returns the body of the answer; undefined if it has none. Throws `ApiError` if it is refused, and
 * `Unreachable` if there is no answer.
 */
export const request = async <A>(method: string, path: string, options: RequestOptions = {}): Promise<A> => {
  const response = await send(method, path, options)
  if (!response.ok) throw await failureOf(response)
  return response.status === 204 ? (undefined as A) : ((await response.json()) as A)
}

export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** Undefined on the last page. */
  readonly next: string | undefined
}

/** One page of a list. */
export const requestPage = async <A>(path: string, query: Query, signal?: AbortSignal): Promise<Page<A>> => {
  const response = await send("GET", path, { query, ...(signal && { signal }) })
  if (!response.ok) throw await failureOf(response)
  const items = (await response.json()) as ReadonlyArray<A>
  return { items, next: response.headers.get("x-next-cursor") ?? undefined }
}
