import { Context, Effect, Layer } from "effect"
import { SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { CurrentSession } from "../request/CurrentSession.ts"
import { findSession } from "../request/FindSession.ts"
import { refuseCrossSite, SecureCookies } from "../request/SessionCookie.ts"
import { refuseUnknownQuery } from "../request/QueryNames.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { SignedIn } from "./SignedIn.ts"

export const SignedInLive = Layer.effect(
  SignedIn,
  Effect.gen(function* () {
    const services = Context.make(Sessions, yield* Sessions).pipe(
      Context.add(RateLimits, yield* RateLimits),
      Context.add(SecureCookies, yield* SecureCookies)
    )
    return SignedIn.of({
      session: Effect.fnUntraced(function* (httpEffect, { endpoint }) {
        yield* refuseCrossSite
        const session = yield* Effect.provide(findSession, services)
        if (session === undefined) return yield* new SessionInvalid()
        yield* refuseUnknownQuery(endpoint)
        return yield* Effect.provideService(httpEffect, CurrentSession, session)
      })
    })
  })
)
