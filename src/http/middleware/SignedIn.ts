import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { Sessions } from "../../domain/ports/Sessions.ts"
import { CurrentSession } from "../request/CurrentSession.ts"
import { responses } from "../api/Responses.ts"
import { refuseCrossSite, sessionCookie, sessionOf } from "../request/SessionCookie.ts"

/** For what people do with their own accounts: any session does, and no key. */
export class SignedIn extends HttpApiMiddleware.Service<SignedIn, { provides: CurrentSession }>()(
  "trunkline/http/SignedIn",
  { security: { session: sessionCookie }, error: responses(SessionInvalid, ServiceUnavailable) }
) {}

/** The session of the request being served; undefined where it has none that is good. */
export const findSession = Effect.gen(function* () {
  const token = sessionOf(yield* HttpServerRequest.HttpServerRequest)
  if (token === undefined) return undefined
  const { find } = yield* Sessions
  return yield* Effect.mapError(find(token), (cause) => new ServiceUnavailable({ cause }))
})

export const SignedInLive = Layer.effect(
  SignedIn,
  Effect.map(Sessions, (sessions) =>
    SignedIn.of({
      session: Effect.fnUntraced(function* (httpEffect) {
        yield* refuseCrossSite
        const session = yield* Effect.provideService(findSession, Sessions, sessions)
        return yield* session === undefined
          ? new SessionInvalid()
          : Effect.provideService(httpEffect, CurrentSession, session)
      })
    })
  )
)
