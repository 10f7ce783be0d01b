import { HttpApiMiddleware } from "effect/http-api"
import { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import { responses } from "../request/Responses.ts"
import type { CurrentPrincipal } from "../request/CurrentPrincipal.ts"

/** Limits how often an API key or a session may call: `read` for GET, `write` for all other methods. */
export class RateLimiting extends HttpApiMiddleware.Service<RateLimiting, { requires: CurrentPrincipal }>()(
  "trunkline/http/RateLimiting",
  { error: responses(RateLimited) }
) {}
