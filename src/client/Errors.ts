// The errors of the client. Each has a class of its own; an answer of the engine also has a `code`.
import type { ErrorCode, ErrorDetail } from "./generated/Types.ts"

const mark = Symbol.for("trunkline.client.error")

export class TrunklineError extends Error {
  override readonly name: string = "TrunklineError"
  readonly [mark] = true

  /** Whether a value is an error of the client, also of another copy of this package. */
  static is(value: unknown): value is TrunklineError {
    return typeof value === "object" && value !== null && mark in value
  }
}

export interface ApiErrorFields {
  readonly status: number
  readonly code: ErrorCode | (string & {})
  readonly message: string
  readonly requestId: string
  readonly details: ReadonlyArray<ErrorDetail>
  readonly reason: string | undefined
  readonly resolution: string | undefined
  readonly suggestedE164: string | undefined
  readonly docUrl: string
  readonly retryable: boolean
  readonly retryAfter: number | null
  readonly attempts: number
  readonly idempotencyKey: string | null
}

/** The engine refused the request. */
export class ApiError extends TrunklineError {
  override readonly name: string = "ApiError"
  readonly status: number
  /** What is wrong; the page of errors lists all codes. */
  readonly code: ErrorCode | (string & {})
  /** For support, and for the logs of the engine. */
  readonly requestId: string
  /** What is wrong with which member of the request. */
  readonly details: ReadonlyArray<ErrorDetail>
  /** Tells the cases of a code that has several. */
  readonly reason: string | undefined
  readonly resolution: string | undefined
  /** The corrected number, if exactly one correction is possible. */
  readonly suggestedE164: string | undefined
  readonly docUrl: string
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** Seconds after which it may, if the engine said so. */
  readonly retryAfter: number | null
  readonly attempts: number
  readonly idempotencyKey: string | null

  constructor(fields: ApiErrorFields) {
    super(fields.message)
    this.status = fields.status
    this.code = fields.code
    this.requestId = fields.requestId
    this.details = fields.details
    this.reason = fields.reason
    this.resolution = fields.resolution
    this.suggestedE164 = fields.suggestedE164
    this.docUrl = fields.docUrl
    this.retryable = fields.retryable
    this.retryAfter = fields.retryAfter
    this.attempts = fields.attempts
    this.idempotencyKey = fields.idempotencyKey
  }
}

/** 401: the key or the session is missing, wrong, expired or revoked. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError"
}
/** 402: the wallet cannot pay it. */
export class InsufficientFundsError extends ApiError {
  override readonly name = "InsufficientFundsError"
}
/** 403: the key or the member may not do it. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError"
}
/** 404, 410: it does not exist, or not any more. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError"
}
/** 409: it conflicts with the present state. */
export class ConflictError extends ApiError {
  override readonly name = "ConflictError"
}
/** 429: too many requests, calls or streams. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError"
}
/** 5xx: the engine could not do it. */
export class EngineError extends ApiError {
  override readonly name = "EngineError"
}
/** Any other 4xx: the request is wrong. */
export class InvalidRequestError extends ApiError {
  override readonly name = "InvalidRequestError"
}

const byStatus: Readonly<Record<number, new (fields: ApiErrorFields) => ApiError>> = {
  401: AuthenticationError,
  402: InsufficientFundsError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: NotFoundError,
  429: RateLimitError
}

export const apiError = (fields: ApiErrorFields): ApiError => {
  const Family = byStatus[fields.status] ?? (fields.status >= 500 ? EngineError : InvalidRequestError)
  return new Family(fields)
}

/** No answer came. The engine may have carried the request out: repeat it with the same `idempotencyKey`. */
export class ConnectionError extends TrunklineError {
  override readonly name: string = "ConnectionError"
  readonly attempts: number
  readonly idempotencyKey: string | null
  /** The id of the last event of a stream; null for other requests. */
  readonly lastEventId: string | null

  constructor(
    message: string,
    fields: {
      readonly attempts: number
      readonly idempotencyKey?: string | null
      readonly lastEventId?: string | null
      readonly cause?: unknown
    }
  ) {
    super(message, { cause: fields.cause })
    this.attempts = fields.attempts
    this.idempotencyKey = fields.idempotencyKey ?? null
    this.lastEventId = fields.lastEventId ?? null
  }
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError"
}
