import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { ApiKeyClaims } from "../../domain/access/ApiKeyClaims.ts"
import { CurrentTenant } from "../../domain/access/CurrentTenant.ts"
import {
  type ApiKeyHolder,
  authorize,
  type Member,
  type Principal,
  principalOf
} from "../../domain/access/Principal.ts"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import { ApiKeyInvalid, ApiKeyMissing, ApiKeyRevoked, ApiKeyScopeDenied } from "../../domain/errors/ApiKeyErrors.ts"
import { NoWorkspace, SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { DenyList } from "../../domain/ports/DenyList.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { Keyring } from "../../domain/ports/Keyring.ts"
import { KeyUse } from "../../domain/ports/KeyUse.ts"
import { Sessions } from "../../domain/ports/Sessions.ts"
import { isWithin } from "../../domain/targets/AddressRange.ts"
import { isShut } from "../../domain/workspace/Workspace.ts"
import { CurrentPrincipal } from "../request/CurrentPrincipal.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { refuseCrossSite, SecureCookies, sessionOf } from "../request/SessionCookie.ts"
import { Authentication } from "./Authentication.ts"

type Request = HttpServerRequest.HttpServerRequest

const accessOf = (endpoint: HttpApiEndpoint.Top) => {
  const { role, scope } = Context.get(endpoint.annotations, EndpointPolicy)
  return { role, scope, mutates: endpoint.method !== "GET" }
}

/** The API key in the header Authorization. Only the scheme Bearer carries one. */
const apiKeyIn = ({ headers: { authorization } }: Request): Redacted.Redacted | undefined => {
  const key = /^bearer\s+(\S.*)$/is.exec(authorization ?? "")?.[1]
  return key === undefined ? undefined : Redacted.make(key)
}

const mayComeFrom = ({ allowed_ips }: ApiKeyClaims, { remoteAddress }: Request): boolean =>
  allowed_ips === undefined ||
  isWithin(
    allowed_ips,
    Option.getOrElse(remoteAddress, () => "")
  )

const makeApiKeys = Effect.gen(function* () {
  const keyring = yield* Keyring
  const denyList = yield* DenyList
  const { used } = yield* KeyUse
  return (token: Redacted.Redacted, request: Request) =>
    Effect.flatMap(keyring.verify(token), (claims): Effect.Effect<ApiKeyHolder, ApiKeyRevoked | ApiKeyScopeDenied> => {
      if (denyList.isRevoked(claims.jti)) return Effect.fail(new ApiKeyRevoked())
      if (!mayComeFrom(claims, request)) {
        return Effect.fail(new ApiKeyScopeDenied({ message: "The API key may not be used from this address." }))
      }
      const principal = principalOf(claims)
      used(principal.key_id)
      return Effect.succeed(principal)
    })
})

const makeMembers = Effect.map(Sessions, (sessions) =>
  Effect.fnUntraced(function* (token: Redacted.Redacted) {
    yield* refuseCrossSite
    const session = yield* Effect.mapError(sessions.find(token), (cause) => new ServiceUnavailable({ cause }))
    if (session === undefined) return yield* new SessionInvalid()
    if (session.membership === null) return yield* new NoWorkspace()
    const { email, id, membership, user_id } = session
    const principal: Member = { kind: "session", session_id: id, user_id, email, ...membership }
    return principal
  })
)

/** Fails for a suspended workspace: it may read, but not change anything. */
const makeMayMutate = Effect.map(
  Directory,
  (directory) => (principal: Principal) =>
    Effect.flatMap(
      directory.workspace(principal.workspace_id),
      (workspace): Effect.Effect<Principal, AccountSuspended | ApiKeyInvalid> => {
        if (workspace === undefined)
          return Effect.fail(new ApiKeyInvalid({ message: "The key's workspace does not exist." }))
        return isShut(workspace.status) ? Effect.fail(new AccountSuspended()) : Effect.succeed(principal)
      }
    )
)

export const AuthenticationLive = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const apiKeyHolder = yield* makeApiKeys
    const member = yield* makeMembers
    const mayMutate = yield* makeMayMutate
    const secure = yield* SecureCookies

    /** A request with an API key acts as that key; its cookies are ignored. */
    const identify = (request: Request) => {
      const key = apiKeyIn(request)
      if (key !== undefined) return apiKeyHolder(key, request)
      const session = sessionOf(request, secure)
      return session === undefined ? Effect.fail(new ApiKeyMissing()) : member(session)
    }

    /**
     * Serves both schemes. The framework tries the schemes in order until one succeeds and answers with the error of
     * the last one, so each must look at both credentials. A request that the first scheme admits never reaches the
     * second.
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
