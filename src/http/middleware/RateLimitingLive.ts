import { Effect, Layer } from "effect"
import { callerOf } from "../../domain/access/Principal.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { RateLimiting } from "./RateLimiting.ts"

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
