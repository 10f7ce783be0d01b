// How a request proves who makes it, as the OpenAPI document states it.
import { HttpApiSecurity, OpenApi } from "effect/http-api"

export const apiKeyBearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "An API key, created in the console. It acts for one workspace."),
  HttpApiSecurity.annotate(OpenApi.Format, "JWT")
)

export const sessionCookie = HttpApiSecurity.apiKey({ in: "cookie", key: "session" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The session of a signed-in member. Over https the cookie is called `__Host-session`."
  )
)
