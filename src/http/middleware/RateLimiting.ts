import { Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"
import { RateLimits } from "../RateLimits.ts"
import { responses } from "../Responses.ts"

/** Whether the key asks too often. */
export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting, { requires: CurrentPrincipal }>()(
  "trunkline/http/RateLimiting",
  { error: responses(RateLimited) }
) {}

export const RateLimitingLive = Layer.effect(RateLimiting, Effect.map(RateLimits, ({ count }) =>
  RateLimiting.of((httpEffect, { endpoint }) => {
    const quota = endpoint.method === "GET" ? "read" : "write"
    return Effect.flatMap(CurrentPrincipal, ({ key_id, unlimited }) =>
      unlimited ? httpEffect : Effect.andThen(count(quota, key_id), httpEffect))
  })))
