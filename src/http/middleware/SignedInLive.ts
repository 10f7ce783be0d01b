import { Context, Effect, Layer } from "effect"
import { SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { Sessions } from "../../domain/ports/Sessions.ts"
import { CurrentSession } from "../request/CurrentSession.ts"
import { findSession } from "../request/FindSession.ts"
import { refuseCrossSite, SecureCookies } from "../request/SessionCookie.ts"
import { SignedIn } from "./SignedIn.ts"

export const SignedInLive = Layer.effect(
  SignedIn,
  Effect.gen(function* () {
    const services = Context.make(Sessions, yield* Sessions).pipe(Context.add(SecureCookies, yield* SecureCookies))
    return SignedIn.of({
      session: Effect.fnUntraced(function* (httpEffect) {
        yield* refuseCrossSite
        const session = yield* Effect.provide(findSession, services)
        return yield* session === undefined
          ? new SessionInvalid()
          : Effect.provideService(httpEffect, CurrentSession, session)
      })
    })
  })
)
