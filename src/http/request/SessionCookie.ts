import { Context, Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiSecurity, OpenApi } from "effect/http-api"
import { isCrossSite } from "../../domain/access/CrossSite.ts"
import { session_life_ms } from "../../domain/access/SessionLife.ts"
import { SessionInvalid } from "../../domain/errors/AuthErrors.ts"

export const sessionCookie = HttpApiSecurity.apiKey({ in: "cookie", key: "session" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "The session of a signed-in member; `__Host-session` over https.")
)

/** The value of a cookie that `setCookie` has set: over https its name binds it to this very host (RFC 6265bis, 4.1.3.2). */
export const cookieOf = ({ cookies }: HttpServerRequest.HttpServerRequest, name: string): string | undefined =>
  [cookies[`__Host-${name}`], cookies[name]].find((value) => value !== undefined && value !== "")

/** The token of the session's cookie, if the request carries one. */
export const sessionOf = (request: HttpServerRequest.HttpServerRequest): Redacted.Redacted | undefined => {
  const token = cookieOf(request, "session")
  return token === undefined ? undefined : Redacted.make(token)
}

/** Whether cookies go over https alone. */
export class SecureCookies extends Context.Service<SecureCookies, boolean>()("trunkline/http/SecureCookies") {}

/** Sent along on links from other sites, and not with what those sites do. No script sees it. */
const options = (secure: boolean, maxAge: number) =>
  ({ httpOnly: true, sameSite: "lax", path: "/", secure, maxAge }) as const

/** A cookie that no other host can set or read, where the engine is behind https. */
export const setCookie =
  (name: string, value: string, max_age_ms: number) => (response: HttpServerResponse.HttpServerResponse) =>
    Effect.map(SecureCookies, (secure) =>
      HttpServerResponse.setCookieUnsafe(response, secure ? `__Host-${name}` : name, value, options(secure, max_age_ms))
    )

export const setSession = (token: Redacted.Redacted) => setCookie("session", Redacted.value(token), session_life_ms)

export const clearSession = setCookie("session", "", 0)

/** Refuses what a page of another site sends with the cookies of this one. */
export const refuseCrossSite = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, method }) =>
  isCrossSite({ method, host: headers["host"], origin: headers["origin"], fetch_site: headers["sec-fetch-site"] })
    ? Effect.fail(
        new SessionInvalid({
          message: "A page of another site sent this: your session is not used for it.",
          reason: "cross_site"
        })
      )
    : Effect.void
)
