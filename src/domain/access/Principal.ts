import { Result } from "effect"
import { AdminRequired, RoleChangeDenied, WriteDenied } from "../errors/AccountErrors.ts"
import { ApiKeyScopeDenied } from "../errors/ApiKeyErrors.ts"
import type { ApiKeyClaims, KeyEnvironment } from "./ApiKeyClaims.ts"
import type { AuditActor } from "./Origin.ts"
import { reaches, type Role } from "./Role.ts"
import type { Scope } from "./Scope.ts"

export interface ApiKeyHolder {
  readonly kind: "api_key"
  readonly key_id: string
  readonly workspace_id: string
  readonly scopes: ReadonlyArray<Scope>
  readonly env: KeyEnvironment
  /** Whether it may ask as often as it likes. */
  readonly unlimited: boolean
}

/** A person who is signed in, in one of their workspaces. */
export interface Member {
  readonly kind: "session"
  readonly session_id: string
  readonly user_id: string
  readonly email: string
  readonly workspace_id: string
  readonly role: Role
  readonly read_only: boolean
}

/** Who makes a request. The workspace of every question and command comes from here and nowhere else. */
export type Principal = ApiKeyHolder | Member

/** What is counted and bounded apart: a key, or a session. */
export const callerOf = (principal: Principal): string =>
  principal.kind === "api_key" ? principal.key_id : principal.session_id

export const actorOf = (principal: Principal): AuditActor =>
  principal.kind === "api_key"
    ? { type: "api_key", id: principal.key_id, label: null }
    : { type: "user", id: principal.user_id, label: principal.email }

export const principalOf = ({ sub, workspace_id, scopes, env, unlimited = false }: ApiKeyClaims): ApiKeyHolder => ({
  kind: "api_key",
  key_id: sub,
  workspace_id,
  scopes,
  env,
  unlimited
})

/** What a route asks of whoever comes. */
export interface Access {
  /** What a key must hold; absent where no key may come at all. */
  readonly scope?: Scope | undefined
  /** What a member must be at least. Default: viewer to read, admin to change. */
  readonly role?: Role | undefined
  readonly mutates: boolean
}

const ofKey = (key: ApiKeyHolder, { scope }: Access): Result.Result<ApiKeyHolder, ApiKeyScopeDenied> =>
  scope === undefined
    ? Result.fail(new ApiKeyScopeDenied({ message: "No API key may do this: it needs a signed-in member." }))
    : key.scopes.includes(scope)
      ? Result.succeed(key)
      : Result.fail(new ApiKeyScopeDenied({ message: `The API key lacks the scope ${scope}.` }))

const ofMember = (
  member: Member,
  { mutates, role = mutates ? "admin" : "viewer" }: Access
): Result.Result<Member, WriteDenied | AdminRequired | RoleChangeDenied> => {
  const writes = member.role !== "viewer" && !member.read_only
  if (mutates && role !== "viewer" && !writes) return Result.fail(new WriteDenied())
  if (reaches(member.role, role)) return Result.succeed(member)
  return Result.fail(role === "owner" ? new RoleChangeDenied() : new AdminRequired())
}

/** Whether the principal may use a route (docs/accounts.md, docs/api-keys.md). */
export const authorize = (
  principal: Principal,
  access: Access
): Result.Result<Principal, ApiKeyScopeDenied | WriteDenied | AdminRequired | RoleChangeDenied> =>
  principal.kind === "api_key" ? ofKey(principal, access) : ofMember(principal, access)
