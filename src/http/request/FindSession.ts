import { Effect, type Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Session } from "../../domain/access/Session.ts"
import { type RateLimited, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { RateLimits } from "./RateLimits.ts"
import { SecureCookies, sessionOf } from "./SessionCookie.ts"
import { countWrong } from "./WrongCredentials.ts"

/** Undefined: the session has ended, or never was. Tokens that are not in memory are limited for each address. */
export const lookUpSession = (
  sessions: Sessions["Service"],
  limits: RateLimits["Service"],
  request: HttpServerRequest.HttpServerRequest,
  token: Redacted.Redacted
): Effect.Effect<Session | undefined, RateLimited | ServiceUnavailable> => {
  const found = Effect.mapError(sessions.find(token), (cause) => new ServiceUnavailable({ cause }))
  const counted = countWrong(limits, request, found, (session) => session === undefined)
  return Effect.flatMap(sessions.knows(token), (known) => (known ? found : counted))
}

/** The session whose cookie the current request carries; undefined without a cookie, or if the session has ended. */
export const findSession = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const token = sessionOf(request, yield* SecureCookies)
  return token === undefined ? undefined : yield* lookUpSession(yield* Sessions, yield* RateLimits, request, token)
})
