import { Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiSecurity, OpenApi } from "effect/http-api"

/** Over https the name binds the cookie to this very host (RFC 6265bis, section 4.1.3.2). */
const names = ["__Host-session", "session"]

export const sessionCookie = HttpApiSecurity.apiKey({ in: "cookie", key: "session" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "The session of a signed-in member; `__Host-session` over https.")
)

/** The token of the session's cookie, if the request carries one. */
export const sessionOf = ({ cookies }: HttpServerRequest.HttpServerRequest): Redacted.Redacted | undefined => {
  const token = names.map((name) => cookies[name]).find((value) => value !== undefined && value !== "")
  return token === undefined ? undefined : Redacted.make(token)
}
