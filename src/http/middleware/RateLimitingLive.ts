import { Effect, Layer } from "effect"
import { callerOf } from "../../domain/access/Principal.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { RateLimiting } from "./RateLimiting.ts"

export const RateLimitingLive = Layer.effect(
  RateLimiting,
  Effect.map(RateLimits, ({ count }) =>
    RateLimiting.of((httpEffect, { endpoint }) => {
      const [quota, together] =
        endpoint.method === "GET" ? (["read", "workspace_read"] as const) : (["write", "workspace_write"] as const)
      return Effect.flatMap(CurrentPrincipal, (principal) =>
        principal.kind === "api_key" && principal.unlimited
          ? httpEffect
          : // The headers of the response are those of the quota that is counted last, or that refuses.
            count(together, principal.account_id).pipe(
              Effect.andThen(count(quota, callerOf(principal))),
              Effect.andThen(httpEffect)
            )
      )
    })
  )
)
