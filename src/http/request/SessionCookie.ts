import { Context, Effect, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { isCrossSite } from "../../domain/access/CrossSite.ts"
import { session_life_ms } from "../../domain/access/SessionLife.ts"
import { SessionInvalid } from "../../domain/errors/AuthErrors.ts"

/** Whether the service is reached over https: then cookies are sent over it alone, and browsers use nothing else. */
export class SecureCookies extends Context.Service<SecureCookies, boolean>()("trunkline/http/SecureCookies") {}

/**
 * Over https a cookie's name has the prefix `__Host-`, which binds it to this host (RFC 6265bis, section 4.1.3.2).
 * Another host of the domain can set a cookie without the prefix, so that one is not read then.
 */
const cookieName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** The value of a cookie that `setCookie` set; undefined without one. */
export const cookieOf = (
  { cookies }: HttpServerRequest.HttpServerRequest,
  name: string,
  secure: boolean
): string | undefined => {
  const value = cookies[cookieName(name, secure)]
  return value === "" ? undefined : value
}

/** The token in the session cookie; undefined without one. */
export const sessionOf = (
  request: HttpServerRequest.HttpServerRequest,
  secure: boolean
): Redacted.Redacted | undefined => {
  const token = cookieOf(request, "session", secure)
  return token === undefined ? undefined : Redacted.make(token)
}

/**
 * `lax`: the browser sends the cookie when a link of another site is followed, but not with that site's own requests.
 */
const cookieOptions = (secure: boolean, maxAge: number) =>
  ({ httpOnly: true, sameSite: "lax", path: "/", secure, maxAge }) as const

/** Sets a cookie that, over https, no other host can set or read. `max_age_ms` 0 deletes it. */
export const setCookie =
  (name: string, value: string, max_age_ms: number) => (response: HttpServerResponse.HttpServerResponse) =>
    Effect.map(SecureCookies, (secure) =>
      HttpServerResponse.setCookieUnsafe(response, cookieName(name, secure), value, cookieOptions(secure, max_age_ms))
    )

export const setSession = (token: Redacted.Redacted) => setCookie("session", Redacted.value(token), session_life_ms)

export const clearSession = setCookie("session", "", 0)

/** Refuses a request that a page of another site sends with the cookies of this site. */
export const refuseCrossSite = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, method }) =>
  isCrossSite({ method, host: headers["host"], origin: headers["origin"], fetch_site: headers["sec-fetch-site"] })
    ? Effect.fail(
        new SessionInvalid({
          message: "A page of another site sent this request, so your session is not accepted.",
          reason: "cross_site"
        })
      )
    : Effect.void
)
