// A session of a signed-in person.
import type { SessionRow } from "./AuthRecords.ts"
import type { Rights } from "./Role.ts"
import type { UserId, WorkspaceId } from "../BrandedIds.ts"
import type { RequestSource } from "./Origin.ts"

export interface Session {
  readonly id: string
  readonly user_id: UserId
  readonly email: string
  /** Whether the person operates the platform (`OPERATOR_EMAILS`). */
  readonly operator: boolean
  /** The workspace of the session and the person's membership in it; null before the onboarding. */
  readonly membership: ({ readonly workspace_id: WorkspaceId } & Rights) | null
}

export interface NewSession {
  readonly id: string
  readonly token_hash: string
  readonly at: number
  /** The client of the request, for the audit log. The actor is the person who signs in. */
  readonly origin: RequestSource
}

/** A session in the list of its person. */
export type SessionRecord = Omit<SessionRow, "current">
