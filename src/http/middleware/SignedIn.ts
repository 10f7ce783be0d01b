import { HttpApiMiddleware } from "effect/http-api"
import { SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, RateLimited, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { responses } from "../request/Responses.ts"
import type { CurrentSession } from "../request/CurrentSession.ts"
import { sessionCookie } from "./SecuritySchemes.ts"

/** Admits any session, for what people do with their own accounts. No API key is admitted. */
export class SignedIn extends HttpApiMiddleware.Service<SignedIn, { provides: CurrentSession }>()(
  "trunkline/http/SignedIn",
  {
    security: { session: sessionCookie },
    error: responses(SessionInvalid, BadRequest, RateLimited, ServiceUnavailable)
  }
) {}
