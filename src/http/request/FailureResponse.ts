import { HttpServerResponse } from "effect/http"
import { Catalog } from "../../domain/errors/Catalog.ts"
import { toEnvelope } from "../../domain/errors/Envelope.ts"
import type { Failure } from "../../domain/errors/Failure.ts"

/** The response for a failure: its status, the error envelope and, where the failure has one, `Retry-After`. */
export const failureResponse = (failure: Failure, request_id: string): HttpServerResponse.HttpServerResponse => {
  const declared = Catalog.get(failure._tag)
  return HttpServerResponse.jsonUnsafe(toEnvelope(failure, request_id), {
    status: (failure.away === true ? declared?.status_while_away : declared?.status) ?? 500,
    ...(failure.retry_after_seconds !== undefined && {
      headers: { "retry-after": String(failure.retry_after_seconds) }
    })
  })
}
