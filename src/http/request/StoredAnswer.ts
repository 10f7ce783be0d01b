import { Clock, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import type { IdempotencyRow } from "../../domain/journal/Rows.ts"
import { IdempotencyContext } from "./JsonWrite.ts"

/**
 * For writes without an actor: `row` is what stores the response with this body, undefined for a request without an
 * Idempotency-Key. `response` makes the response itself, with the same text.
 */
export const storedAnswer = Effect.fnUntraced(function* (status: number) {
  const { request } = yield* IdempotencyContext
  const created_at = yield* Clock.currentTimeMillis
  return {
    row: (body: object): IdempotencyRow | undefined =>
      request && { ...request, status, body: JSON.stringify(body), headers: {}, created_at },
    response: (body: object) => HttpServerResponse.jsonUnsafe(body, { status })
  }
})
