import { Context, Schema } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import {
  BadRequest,
  IdempotencyConflict,
  IdempotencyInProgress,
  IdempotencyKeyInvalid,
  PayloadTooLarge,
  ServiceUnavailable,
  UnsupportedMediaType
} from "../../domain/errors/GeneralErrors.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { responses } from "./Responses.ts"
import type { CurrentPrincipal } from "./CurrentPrincipal.ts"

/** The Idempotency-Key of the current request, with all that its response is stored under. */
export class IdempotencyContext extends Context.Service<
  IdempotencyContext,
  {
    /** Undefined: the request has no Idempotency-Key. */
    readonly request: IdempotentRequest | undefined
  }
>()("trunkline/http/IdempotencyContext") {}

/** The header that `JsonWrite`, `OnboardingWrite` and `OperatorWrite` read. Endpoints declare it. */
export const idempotencyHeader = {
  "idempotency-key": Schema.optionalKey(Schema.String).annotate({
    description:
      "1 to 255 printable ASCII characters. For 24 hours, the same request with the same key gets the same response."
  })
}

/** The errors of a write before its body is decoded. */
export const writeErrors = responses(
  UnsupportedMediaType,
  PayloadTooLarge,
  BadRequest,
  IdempotencyKeyInvalid,
  IdempotencyConflict,
  IdempotencyInProgress,
  ServiceUnavailable
)

/** Reads the JSON body of a POST of the customer API and handles its Idempotency-Key (docs/idempotency.md). */
export class JsonWrite extends HttpApiMiddleware.Service<
  JsonWrite,
  {
    provides: IdempotencyContext
    requires: CurrentPrincipal
  }
>()("trunkline/http/JsonWrite", { error: writeErrors }) {}
