import { Context, Effect, Layer } from "effect"
import { OperatorRequired, SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { CurrentOperator } from "../request/CurrentOperator.ts"
import { findSession } from "../request/FindSession.ts"
import { refuseCrossSite, SecureCookies } from "../request/SessionCookie.ts"
import { refuseUnknownQuery } from "../request/QueryNames.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { OperatorOnly } from "./OperatorOnly.ts"

export const OperatorOnlyLive = Layer.effect(
  OperatorOnly,
  Effect.gen(function* () {
    const services = Context.make(Sessions, yield* Sessions).pipe(
      Context.add(RateLimits, yield* RateLimits),
      Context.add(SecureCookies, yield* SecureCookies)
    )
    return OperatorOnly.of({
      session: Effect.fnUntraced(function* (httpEffect, { endpoint }) {
        yield* refuseCrossSite
        const session = yield* Effect.provide(findSession, services)
        if (session === undefined) return yield* new SessionInvalid()
        if (!session.operator) return yield* new OperatorRequired()
        yield* refuseUnknownQuery(endpoint)
        return yield* Effect.provideService(httpEffect, CurrentOperator, session)
      })
    })
  })
)
