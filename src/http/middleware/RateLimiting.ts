import { Effect, Layer } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import { callerOf } from "../../domain/access/Principal.ts"
import { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { responses } from "../api/Responses.ts"

/** Whether the key, or the session, asks too often. */
export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting, { requires: CurrentPrincipal }>()(
  "trunkline/http/RateLimiting",
  { error: responses(RateLimited) }
) {}

export const RateLimitingLive = Layer.effect(
  RateLimiting,
  Effect.map(RateLimits, ({ count }) =>
    RateLimiting.of((httpEffect, { endpoint }) => {
      const quota = endpoint.method === "GET" ? "read" : "write"
      return Effect.flatMap(CurrentPrincipal, (principal) =>
        principal.kind === "api_key" && principal.unlimited
          ? httpEffect
          : Effect.andThen(count(quota, callerOf(principal)), httpEffect)
      )
    })
  )
)
