import { Result } from "effect"
import { ApiKeyScopeDenied } from "../errors/ApiKeyErrors.ts"
import type { ApiKeyClaims, KeyEnvironment } from "./ApiKeyClaims.ts"
import type { Scope } from "./Scope.ts"

/** Who makes a request. The workspace of every question and command comes from here and nowhere else. */
export interface Principal {
  readonly kind: "api_key"
  readonly key_id: string
  readonly workspace_id: string
  readonly scopes: ReadonlyArray<Scope>
  readonly env: KeyEnvironment
  /** Whether it may ask as often as it likes. */
  readonly unlimited: boolean
}

export const principalOf = ({ sub, workspace_id, scopes, env, unlimited = false }: ApiKeyClaims): Principal => ({
  kind: "api_key",
  key_id: sub,
  workspace_id,
  scopes,
  env,
  unlimited
})

/** Whether the principal may use a route that asks for the scope. */
export const authorize = (principal: Principal, scope: Scope): Result.Result<Principal, ApiKeyScopeDenied> =>
  principal.scopes.includes(scope)
    ? Result.succeed(principal)
    : Result.fail(new ApiKeyScopeDenied({ message: `The API key lacks the scope ${scope}.` }))
