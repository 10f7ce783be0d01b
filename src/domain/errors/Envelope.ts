import type { Detail, Failure } from "./Failure.ts"

/** The body of every error response. */
export interface Envelope<Code extends string = string> {
  readonly error: {
    readonly code: Code
    readonly message: string
    readonly request_id: string
    /** Where the code is explained, relative to the server. */
    readonly doc_url: string
    readonly details?: ReadonlyArray<Detail>
    readonly resolution?: string
    readonly reason?: string
    readonly suggested_e164?: string
  }
}

/** The page of errors, which the server itself has. */
export const errorsPath = "/docs/errors"

const docUrl = (code: string): string => `${errorsPath}#${code}`

/** Copies the public fields one by one, so that a `cause` never leaves the process. */
export const toEnvelope = <Code extends string>(failure: Failure<Code>, request_id: string): Envelope<Code> => {
  const { _tag: code, message, details, resolution, reason, suggested_e164 } = failure
  return {
    error: {
      code,
      message,
      request_id,
      doc_url: docUrl(code),
      ...(details !== undefined && { details }),
      ...(resolution !== undefined && { resolution }),
      ...(reason !== undefined && { reason }),
      ...(suggested_e164 !== undefined && { suggested_e164 })
    }
  }
}
