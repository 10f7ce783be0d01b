import { Context, Effect, Layer, type Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { authorize, type Principal, principalOf } from "../../domain/access/Principal.ts"
import type { Scope } from "../../domain/access/Scope.ts"
import { AccountSuspended } from "../../domain/errors/AccountErrors.ts"
import {
  ApiKeyExpired,
  ApiKeyInvalid,
  ApiKeyMissing,
  ApiKeyRevoked,
  ApiKeyScopeDenied
} from "../../domain/errors/ApiKeyErrors.ts"
import { DenyList } from "../../domain/ports/DenyList.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { KeyUse } from "../../domain/ports/KeyUse.ts"
import { Keyring } from "../../domain/ports/Keyring.ts"
import { CurrentPrincipal } from "../CurrentPrincipal.ts"
import { responses } from "../Responses.ts"
import { Rules } from "../Rules.ts"

const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "An API key, from the dashboard. It acts for one workspace."),
  HttpApiSecurity.annotate(OpenApi.Format, "JWT")
)

/** Whose request it is, and whether its key and its workspace may do this. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "trunkline/http/Authentication",
  {
    security: { api_key: bearer },
    error: responses(ApiKeyMissing, ApiKeyInvalid, ApiKeyExpired, ApiKeyRevoked, ApiKeyScopeDenied, AccountSuspended)
  }
) {}

/** Another scheme than Bearer carries no API key. */
const carriesCredential = (header: string | undefined): boolean => header !== undefined && /^bearer\s+\S/i.test(header)

export const AuthenticationLive = Layer.effect(Authentication, Effect.gen(function*() {
  const keyring = yield* Keyring
  const denyList = yield* DenyList
  const directory = yield* Directory
  const { used } = yield* KeyUse

  const principal = (token: Redacted.Redacted, scope: Scope | undefined) =>
    Effect.flatMap(keyring.verify(token), (claims): Effect.Effect<Principal, ApiKeyRevoked | ApiKeyScopeDenied> => {
      if (denyList.isRevoked(claims.jti)) return Effect.fail(new ApiKeyRevoked())
      const principal = principalOf(claims)
      used(principal.key_id)
      return scope === undefined ? Effect.succeed(principal) : Effect.fromResult(authorize(principal, scope))
    })

  /** Reading stays open to a suspended workspace. */
  const mayMutate = (principal: Principal) =>
    Effect.flatMap(
      directory.workspace(principal.workspace_id),
      (workspace): Effect.Effect<Principal, AccountSuspended | ApiKeyInvalid> => {
        if (workspace === undefined) return Effect.fail(new ApiKeyInvalid({ message: "The key's workspace does not exist." }))
        return workspace.status === "suspended" || workspace.status === "closed"
          ? Effect.fail(new AccountSuspended())
          : Effect.succeed(principal)
      }
    )

  return Authentication.of({
    api_key: Effect.fnUntraced(function*(httpEffect, { credential, endpoint }) {
      const request = yield* HttpServerRequest.HttpServerRequest
      if (!carriesCredential(request.headers.authorization)) return yield* new ApiKeyMissing()
      const holder = yield* principal(credential, Context.get(endpoint.annotations, Rules).scope)
      if (endpoint.method !== "GET") yield* mayMutate(holder)
      return yield* Effect.provideService(httpEffect, CurrentPrincipal, holder)
    })
  })
}))
