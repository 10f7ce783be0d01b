import { Data } from "effect"

/** One fault of one field. `field` is a JSON pointer (RFC 6901) into the request. */
export interface Detail {
  readonly field: string
  readonly code: string
  readonly message: string
}

export interface FailureFields {
  /** What failed, in words for the caller. Default: the summary of the code. */
  readonly message?: string
  readonly details?: ReadonlyArray<Detail>
  /** What the caller can do about it. */
  readonly resolution?: string
  /** A machine-readable refinement of the code, such as `rate_not_configured`. */
  readonly reason?: string
  /** The corrected number, if exactly one correction is possible. */
  readonly suggested_e164?: string
  /** Sent as the `Retry-After` header, not in the body. */
  readonly retry_after_seconds?: number
  /** The database is away, so the status is the class's `status_while_away`. */
  readonly away?: true
  /** The underlying error. For the log only: it is never sent to a client or to another process. */
  readonly cause?: unknown
}

/**
 * An error with a public code, which is its tag. Each code is one subclass, made by `failure`.
 */
export class Failure<Code extends string = string> extends Data.Error<FailureFields> {
  readonly _tag: Code
  constructor(code: Code, fields: FailureFields) {
    super(fields)
    this._tag = code
  }
}

/** `status` is null for a code that no HTTP response carries. */
export interface FailureClass<Code extends string = string, Status extends number | null = number | null> {
  new (fields?: FailureFields): Failure<Code>
  readonly code: Code
  readonly status: Status
  readonly summary: string
  readonly resolution: string | undefined
  /** Only of a class made by `operationFailure`. */
  readonly status_while_away?: number
}

/**
 * Declares an error code, once: the class is the value that fails, the tag that is caught, the HTTP status,
 * the row of the error reference and the entry in the OpenAPI document.
 *
 * `resolution` and `retry_after_seconds` are defaults, which the fields of a failure can replace.
 */
export const failure = <const Code extends string, const Status extends number | null>(
  code: Code,
  status: Status,
  summary: string,
  resolution?: string,
  retry_after_seconds?: number
): FailureClass<Code, Status> => {
  const defaults: FailureFields = {
    message: summary,
    ...(resolution !== undefined && { resolution }),
    ...(retry_after_seconds !== undefined && { retry_after_seconds })
  }
  class Declared extends Failure<Code> {
    static readonly code = code
    static readonly status = status
    static readonly summary = summary
    static readonly resolution = resolution
    constructor(fields?: FailureFields) {
      super(code, fields === undefined ? defaults : { ...defaults, ...fields })
    }
  }
  Declared.prototype.name = code
  return Declared
}

/**
 * Declares the internal failure of one operation, such as `calls.list_failed`. Its status is 500, or 503 while the
 * database is away, because trying again may help then.
 */
export const operationFailure = <const Code extends string>(code: Code, summary: string, resolution: string) =>
  Object.assign(failure(code, 500, summary, resolution), { status_while_away: 503 } as const)
