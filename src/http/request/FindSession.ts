import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { SecureCookies, sessionOf } from "./SessionCookie.ts"

/** The session whose cookie the current request carries; undefined without a cookie, or if the session has ended. */
export const findSession = Effect.gen(function* () {
  const token = sessionOf(yield* HttpServerRequest.HttpServerRequest, yield* SecureCookies)
  if (token === undefined) return undefined
  const { find } = yield* Sessions
  return yield* Effect.mapError(find(token), (cause) => new ServiceUnavailable({ cause }))
})
