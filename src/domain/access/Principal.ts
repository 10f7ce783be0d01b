import { Result } from "effect"
import { AdminRequired, RoleChangeDenied, WriteDenied } from "../errors/AccountErrors.ts"
import { ApiKeyScopeDenied } from "../errors/ApiKeyErrors.ts"
import type { ApiKeyClaims, KeyEnvironment } from "./ApiKeyClaims.ts"
import type { AuditActor } from "./Origin.ts"
import { mayWrite, reaches, type Rights, type Role } from "./Role.ts"
import type { Scope } from "./Scope.ts"
import type { ApiKeyId, UserId, WorkspaceId } from "../BrandedIds.ts"

export interface ApiKeyHolder {
  readonly kind: "api_key"
  readonly key_id: ApiKeyId
  /** Where it acts: the workspace of the key, or for a test key the sandbox of that workspace. */
  readonly workspace_id: WorkspaceId
  /** The workspace of the key. */
  readonly account_id: WorkspaceId
  readonly scopes: ReadonlyArray<Scope>
  readonly env: KeyEnvironment
  /** Whether it is exempt from rate limits. */
  readonly unlimited: boolean
}

/** A person with a session in one of their workspaces. */
export interface Member extends Rights {
  readonly kind: "session"
  readonly session_id: string
  readonly user_id: UserId
  readonly email: string
  /** Where the member acts: the workspace of the session, or in test mode its sandbox. */
  readonly workspace_id: WorkspaceId
  /** The workspace of the session. */
  readonly account_id: WorkspaceId
}

/** Who makes a request. Every query and command takes its workspace from here. */
export type Principal = ApiKeyHolder | Member

/** The id under which rate limits count: of the key, or of the session. */
export const callerOf = (principal: Principal): string =>
  principal.kind === "api_key" ? principal.key_id : principal.session_id

export const actorOf = (principal: Principal): AuditActor =>
  principal.kind === "api_key"
    ? { type: "api_key", id: principal.key_id, label: null }
    : { type: "user", id: principal.user_id, label: principal.email }

/** Who the key is. `workspace_id`: where it acts. */
export const principalOf = (
  { env, scopes, sub, unlimited = false, workspace_id: account_id }: ApiKeyClaims,
  workspace_id: WorkspaceId
): ApiKeyHolder => ({
  kind: "api_key",
  key_id: sub,
  workspace_id,
  account_id,
  scopes,
  env,
  unlimited
})

/** What an endpoint requires. */
export interface Access {
  /** The scope that an API key must have. Absent: no API key is admitted. */
  readonly scope?: Scope | undefined
  /** Every API key is admitted, whatever its scopes. */
  readonly anyKey?: boolean | undefined
  /** The least role of a member. Default: viewer for reads, admin for changes. */
  readonly role?: Role | undefined
  readonly mutates: boolean
}

const noKeys = {
  message: "API keys are not admitted here. A signed-in member is required.",
  resolution: "Sign in and use the session: no scope of a key opens this route."
}

const ofKey = (key: ApiKeyHolder, { anyKey, scope }: Access): Result.Result<ApiKeyHolder, ApiKeyScopeDenied> => {
  if (anyKey === true) return Result.succeed(key)
  if (scope === undefined) return Result.fail(new ApiKeyScopeDenied(noKeys))
  return key.scopes.includes(scope)
    ? Result.succeed(key)
    : Result.fail(new ApiKeyScopeDenied({ message: `The API key lacks the scope ${scope}.` }))
}

const ofMember = (
  member: Member,
  { mutates, role = mutates ? "admin" : "viewer" }: Access
): Result.Result<Member, WriteDenied | AdminRequired | RoleChangeDenied> => {
  if (mutates && role !== "viewer" && !mayWrite(member)) return Result.fail(new WriteDenied())
  if (reaches(member.role, role)) return Result.succeed(member)
  return Result.fail(role === "owner" ? new RoleChangeDenied() : new AdminRequired())
}

/** Whether the principal may use a route (docs/accounts.md, docs/api-keys.md). */
export const authorize = (
  principal: Principal,
  access: Access
): Result.Result<Principal, ApiKeyScopeDenied | WriteDenied | AdminRequired | RoleChangeDenied> =>
  principal.kind === "api_key" ? ofKey(principal, access) : ofMember(principal, access)
