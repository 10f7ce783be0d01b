import { HttpApiMiddleware } from "effect/http-api"
import { AccountSuspended, AdminRequired, RoleChangeDenied, WriteDenied } from "../../domain/errors/AccountErrors.ts"
import {
  ApiKeyExpired,
  ApiKeyInvalid,
  ApiKeyMissing,
  ApiKeyRevoked,
  ApiKeyScopeDenied
} from "../../domain/errors/ApiKeyErrors.ts"
import { NoWorkspace, SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, RateLimited, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { responses } from "../request/Responses.ts"
import type { CurrentPrincipal, StillAdmitted } from "../request/CurrentPrincipal.ts"
import { apiKeyBearer, sessionCookie } from "./SecuritySchemes.ts"

/**
 * Identifies the API key or the member that makes a request, and checks that it may call the endpoint: the scope or the
 * role (`EndpointPolicy`), and whether its workspace is suspended.
 */
export class Authentication extends HttpApiMiddleware.Service<
  Authentication,
  { provides: CurrentPrincipal | StillAdmitted }
>()("trunkline/http/Authentication", {
  security: { api_key: apiKeyBearer, session: sessionCookie },
  error: responses(
    BadRequest,
    ApiKeyMissing,
    ApiKeyInvalid,
    ApiKeyExpired,
    ApiKeyRevoked,
    ApiKeyScopeDenied,
    SessionInvalid,
    NoWorkspace,
    WriteDenied,
    AdminRequired,
    RoleChangeDenied,
    AccountSuspended,
    RateLimited,
    ServiceUnavailable
  )
}) {}
