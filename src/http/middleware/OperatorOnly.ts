import { HttpApiMiddleware } from "effect/http-api"
import { OperatorRequired, SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, RateLimited, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { responses } from "../request/Responses.ts"
import type { CurrentOperator } from "../request/CurrentOperator.ts"
import { sessionCookie } from "./SecuritySchemes.ts"

/** Admits the session of a platform operator. No API key is admitted. */
export class OperatorOnly extends HttpApiMiddleware.Service<OperatorOnly, { provides: CurrentOperator }>()(
  "trunkline/http/OperatorOnly",
  {
    security: { session: sessionCookie },
    error: responses(SessionInvalid, OperatorRequired, BadRequest, RateLimited, ServiceUnavailable)
  }
) {}
