import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import type { ApiKeyClaims } from "../../domain/access/ApiKeyClaims.ts"
import { CurrentTenant } from "../../domain/access/CurrentTenant.ts"
import { Sandboxes } from "../../actors/workspace/Sandboxes.ts"
import { authorize, type Member, type Principal, principalOf } from "../../domain/access/Principal.ts"
import { rightsOf } from "../../domain/access/Role.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import {
  ApiKeyExpired,
  ApiKeyInvalid,
  ApiKeyMissing,
  ApiKeyRevoked,
  ApiKeyScopeDenied
} from "../../domain/errors/ApiKeyErrors.ts"
import { NoWorkspace, SessionInvalid } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, type RateLimited, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { DenyList } from "../../domain/ports/numbers/DenyList.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Keyring } from "../../domain/ports/engine/Keyring.ts"
import { KeyUse } from "../../domain/ports/access/KeyUse.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { isWithin } from "../../domain/targets/AddressRange.ts"
import { isShut } from "../../domain/workspace/Workspace.ts"
import { CurrentPrincipal, StillAdmitted } from "../request/CurrentPrincipal.ts"
import { refuseUnknownQuery } from "../request/QueryNames.ts"
import { RateLimits } from "../request/RateLimits.ts"
import { sheddable, tooMuchToDo } from "../request/Sheddable.ts"
import { Overload } from "../request/Overload.ts"
import { apiKeyOf } from "../request/BearerToken.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { lookUpSession } from "../request/FindSession.ts"
import { refuseCrossSite, SecureCookies, sessionOf } from "../request/SessionCookie.ts"
import { countWrong } from "../request/WrongCredentials.ts"
import { Authentication } from "./Authentication.ts"

type Request = HttpServerRequest.HttpServerRequest

const accessOf = (endpoint: HttpApiEndpoint.Top) => {
  const { account = false, anyKey, role, scope } = Context.get(endpoint.annotations, EndpointPolicy)
  return { account, anyKey, role, scope, mutates: endpoint.method !== "GET" }
}

/** The header by which a signed-in member chooses the mode. API keys have their own. */
const modeHeader = "x-service-mode"

const isTestMode = ({ headers }: Request): Effect.Effect<boolean, BadRequest> => {
  const mode = headers[modeHeader]?.toLowerCase()
  if (mode === undefined || mode === "live" || mode === "test") return Effect.succeed(mode === "test")
  return Effect.fail(new BadRequest({ message: "X-Service-Mode is either live or test.", reason: "invalid_mode" }))
}

/** The sandbox to which a test key, or a member in test mode, is led. */
const makeSandboxOf = Effect.map(
  Sandboxes,
  (sandboxes) => (workspace_id: WorkspaceId) =>
    sandboxes.of(workspace_id).pipe(
      Effect.catchTag("not_found", () => Effect.fail(noSuchWorkspace())),
      Effect.catchTag("NotCommitted", (cause) => Effect.fail(new ServiceUnavailable({ cause })))
    )
)

/** Who makes a request, and whether the credential still says so later. */
interface Admission {
  readonly principal: Principal
  readonly still: Effect.Effect<boolean>
}

const noSuchWorkspace = () => new ApiKeyInvalid({ message: "The key's workspace does not exist." })

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
  const sandboxOf = yield* makeSandboxOf
  const limits = yield* RateLimits

  /** Both schemes ask for the same key (see `admit`). A wrong one is verified and counted once. */
  const refusals = new WeakMap<Request, ApiKeyExpired | ApiKeyInvalid | RateLimited>()

  /** An address that sends many wrong keys has none verified, except those that were right before. */
  const verified = (token: Redacted.Redacted, request: Request) => {
    const refusal = refusals.get(request)
    if (refusal !== undefined) return Effect.fail(refusal)
    if (keyring.knows(token)) return keyring.verify(token)
    const isWrong = (outcome: unknown) => outcome instanceof ApiKeyInvalid || outcome instanceof ApiKeyExpired
    return Effect.tapError(countWrong(limits, request, keyring.verify(token), isWrong), (error) =>
      Effect.sync(() => refusals.set(request, error))
    )
  }

  return Effect.fnUntraced(function* (token: Redacted.Redacted, request: Request) {
    const claims = yield* verified(token, request)
    if (denyList.isRevoked(claims.jti)) return yield* new ApiKeyRevoked()
    if (!mayComeFrom(claims, request)) {
      return yield* new ApiKeyScopeDenied({ message: "The API key may not be used from this address." })
    }
    used(claims.sub)
    const { env, workspace_id } = claims
    const admission: Admission = {
      principal: principalOf(claims, env === "test" ? yield* sandboxOf(workspace_id) : workspace_id),
      still: Effect.map(Clock.currentTimeMillis, (now) => now < claims.exp * 1000 && !denyList.isRevoked(claims.jti))
    }
    return admission
  })
})

const makeMembers = Effect.gen(function* () {
  const sessions = yield* Sessions
  const limits = yield* RateLimits
  const sandboxOf = yield* makeSandboxOf
  return Effect.fnUntraced(function* (token: Redacted.Redacted, request: Request, account: boolean) {
    yield* refuseCrossSite
    const test = yield* isTestMode(request)
    const session = yield* lookUpSession(sessions, limits, request, token)
    if (session === undefined) return yield* new SessionInvalid()
    if (session.membership === null) return yield* new NoWorkspace()
    const { email, id, membership, user_id } = session
    const { workspace_id: account_id } = membership
    const workspace_id = test && !account ? yield* sandboxOf(account_id) : account_id
    const member: Member = {
      kind: "session",
      session_id: id,
      user_id,
      email,
      workspace_id,
      account_id,
      ...rightsOf(membership)
    }
    const admission: Admission = {
      principal: member,
      // While sessions cannot be read, an open response is not cut off.
      still: sessions.look(token).pipe(
        Effect.map((found) => found?.membership?.workspace_id === account_id),
        Effect.orElseSucceed(() => true)
      )
    }
    return admission
  })
})

/** Fails for a suspended workspace, and in its sandbox: it may read, but not change anything. */
const makeMayMutate = Effect.map(Directory, (directory) => {
  const isOpen = (workspace_id: WorkspaceId) =>
    Effect.flatMap(
      directory.workspace(workspace_id),
      (workspace): Effect.Effect<void, AccountSuspended | ApiKeyInvalid> => {
        if (workspace === undefined) return Effect.fail(noSuchWorkspace())
        return isShut(workspace.status) ? Effect.fail(new AccountSuspended()) : Effect.void
      }
    )
  return ({ account_id, workspace_id }: Principal) =>
    workspace_id === account_id ? isOpen(workspace_id) : Effect.andThen(isOpen(account_id), isOpen(workspace_id))
})

export const AuthenticationLive = Layer.effect(
  Authentication,
  Effect.gen(function* () {
    const apiKeyHolder = yield* makeApiKeys
    const member = yield* makeMembers
    const mayMutate = yield* makeMayMutate
    const overload = yield* Overload
    const secure = yield* SecureCookies

    /** A request with an API key acts as that key; its cookies are ignored. */
    const identify = (request: Request, account: boolean) => {
      const key = apiKeyOf(request.headers["authorization"])
      if (key !== undefined) return apiKeyHolder(Redacted.make(key), request)
      const session = sessionOf(request, secure)
      return session === undefined ? Effect.fail(new ApiKeyMissing()) : member(session, request, account)
    }

    /**
     * Serves both schemes. The framework tries the schemes in order until one succeeds and answers with the error of
     * the last one, so each must look at both credentials. A request that the first scheme admits never reaches the
     * second.
     */
    const admit: Authentication["Service"]["api_key"] = Effect.fnUntraced(function* (httpEffect, { endpoint }) {
      const access = accessOf(endpoint)
      const kind = sheddable(endpoint)
      const { principal, still } = yield* identify(yield* HttpServerRequest.HttpServerRequest, access.account)
      yield* Effect.fromResult(authorize(principal, access))
      if (kind !== undefined && overload.refuses(principal.workspace_id, kind)) return yield* tooMuchToDo()
      if (access.mutates) yield* mayMutate(principal)
      yield* refuseUnknownQuery(endpoint)
      const served = httpEffect.pipe(
        Effect.provideService(CurrentPrincipal, principal),
        Effect.provideService(StillAdmitted, still),
        Effect.provideService(CurrentTenant, principal.workspace_id)
      )
      if (kind === undefined) return yield* served
      return yield* Effect.acquireUseRelease(
        Effect.sync(() => overload.admitted(principal.workspace_id, kind)),
        () => served,
        () => Effect.sync(() => overload.finished(principal.workspace_id, kind))
      )
    })

    return Authentication.of({ api_key: admit, session: admit })
  })
)
