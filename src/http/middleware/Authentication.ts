import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { CurrentTenant } from "../../domain/access/CurrentTenant.ts"
import {
  type ApiKeyHolder,
  authorize,
  type Member,
  type Principal,
  principalOf
} from "../../domain/access/Principal.ts"
import { AccountSuspended, AdminRequired, RoleChangeDenied, WriteDenied } from "../../domain/errors/AccountErrors.ts"
import {
  ApiKeyExpired,
  ApiKeyInvalid,
  ApiKeyMissing,
  ApiKeyRevoked,
  ApiKeyScopeDenied
} from "../../domain/errors/ApiKeyErrors.ts"
import { NoWorkspace, SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { DenyList } from "../../domain/ports/DenyList.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { KeyUse } from "../../domain/ports/KeyUse.ts"
import { Keyring } from "../../domain/ports/Keyring.ts"
import { Sessions } from "../../domain/ports/Sessions.ts"
import { isWithin } from "../../domain/targets/AddressRange.ts"
import { isShut } from "../../domain/workspace/Workspace.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { responses } from "../api/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { refuseCrossSite, sessionCookie, sessionOf } from "../request/SessionCookie.ts"

const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "An API key, from the dashboard. It acts for one workspace."),
  HttpApiSecurity.annotate(OpenApi.Format, "JWT")
)

/** Whose request it is, and whether its key or its session, and its workspace, may do this. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "trunkline/http/Authentication",
  {
    security: { api_key: bearer, session: sessionCookie },
    error: responses(
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
      ServiceUnavailable
    )
  }
) {}

/** Another scheme than Bearer carries no API key. */
const carriesCredential = (header: string | undefined): boolean => header !== undefined && /^bearer\s+\S/i.test(header)

const accessOf = (endpoint: HttpApiEndpoint.Top) => {
  const { role, scope } = Context.get(endpoint.annotations, EndpointPolicy)
  return { role, scope, mutates: endpoint.method !== "GET" }
}

/** The key of a header that carries one, whichever scheme looks at it. */
const keyIn = (header: string): Redacted.Redacted => Redacted.make(header.replace(/^bearer\s+/i, ""))

export const AuthenticationLive = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const keyring = yield* Keyring
    const denyList = yield* DenyList
    const directory = yield* Directory
    const sessions = yield* Sessions
    const { used } = yield* KeyUse

    const keyHolder = (token: Redacted.Redacted, request: HttpServerRequest.HttpServerRequest) =>
      Effect.flatMap(
        keyring.verify(token),
        (claims): Effect.Effect<ApiKeyHolder, ApiKeyRevoked | ApiKeyScopeDenied> => {
          if (denyList.isRevoked(claims.jti)) return Effect.fail(new ApiKeyRevoked())
          const { allowed_ips } = claims
          if (
            allowed_ips !== undefined &&
            !isWithin(
              allowed_ips,
              Option.getOrElse(request.remoteAddress, () => "")
            )
          ) {
            return Effect.fail(new ApiKeyScopeDenied({ message: "The API key may not be used from this address." }))
          }
          const principal = principalOf(claims)
          used(principal.key_id)
          return Effect.succeed(principal)
        }
      )

    const member = Effect.fnUntraced(function* (token: Redacted.Redacted) {
      yield* refuseCrossSite
      const session = yield* Effect.mapError(sessions.find(token), (cause) => new ServiceUnavailable({ cause }))
      if (session === undefined) return yield* new SessionInvalid()
      if (session.membership === null) return yield* new NoWorkspace()
      const { email, id, membership, user_id } = session
      const principal: Member = { kind: "session", session_id: id, user_id, email, ...membership }
      return principal
    })

    /** Reading stays open to a suspended workspace. */
    const mayMutate = (principal: Principal) =>
      Effect.flatMap(
        directory.workspace(principal.workspace_id),
        (workspace): Effect.Effect<Principal, AccountSuspended | ApiKeyInvalid> => {
          if (workspace === undefined)
            return Effect.fail(new ApiKeyInvalid({ message: "The key's workspace does not exist." }))
          return isShut(workspace.status) ? Effect.fail(new AccountSuspended()) : Effect.succeed(principal)
        }
      )

    /** A request that carries a key is the key's, whatever its cookies say. */
    const identify = (request: HttpServerRequest.HttpServerRequest) => {
      const { authorization } = request.headers
      if (carriesCredential(authorization)) return keyHolder(keyIn(authorization!), request)
      const session = sessionOf(request)
      return session === undefined ? Effect.fail(new ApiKeyMissing()) : member(session)
    }

    /**
     * Schemes are tried in order until one answers, and the refusal of the last is given: so each looks at both credentials.
     * What the first lets in never comes to the second.
     */
    const admit: Authentication["Service"]["api_key"] = Effect.fnUntraced(function* (httpEffect, { endpoint }) {
      const principal = yield* identify(yield* HttpServerRequest.HttpServerRequest)
      const access = accessOf(endpoint)
      yield* Effect.fromResult(authorize(principal, access))
      if (access.mutates) yield* mayMutate(principal)
      return yield* httpEffect.pipe(
        Effect.provideService(CurrentPrincipal, principal),
        Effect.provideService(CurrentTenant, principal.workspace_id)
      )
    })

    return Authentication.of({ api_key: admit, session: admit })
  })
)
