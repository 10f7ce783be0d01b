// A session of a signed-in person.
import type { Role } from "./Role.ts"
import type { UserId, WorkspaceId } from "../BrandedIds.ts"
import type { RequestSource } from "./Origin.ts"

export interface Session {
  readonly id: string
  readonly user_id: UserId
  readonly email: string
  /** Whether the person operates the platform (`OPERATOR_EMAILS`). */
  readonly operator: boolean
  /** The workspace of the session and the person's membership in it; null before the onboarding. */
  readonly membership: { readonly workspace_id: WorkspaceId; readonly role: Role; readonly read_only: boolean } | null
}

export interface NewSession {
  readonly id: string
  readonly token_hash: string
  readonly at: number
  /** The client of the request, for the audit log. The actor is the person who signs in. */
  readonly origin: RequestSource
}

/** A session in the list of its person. */
export interface SessionRecord {
  readonly id: string
  readonly workspace_id: WorkspaceId | null
  readonly created_at: string
  readonly last_seen_at: string
  readonly expires_at: string
  readonly ip: string | null
  readonly user_agent: string | null
}
