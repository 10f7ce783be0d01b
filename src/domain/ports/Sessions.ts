// Sessions of signed-in people. A session is found by the token of its cookie, of which only a hash is stored.
import { Context, type Effect, type Redacted } from "effect"
import type { Role } from "../access/Role.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { UserId, WorkspaceId } from "../BrandedIds.ts"

export interface Session {
  readonly id: string
  readonly user_id: UserId
  readonly email: string
  /** Whether the person operates the platform (`OPERATOR_EMAILS`). */
  readonly operator: boolean
  /** The workspace of the session and the person's membership in it; null before the onboarding. */
  readonly membership: { readonly workspace_id: WorkspaceId; readonly role: Role; readonly read_only: boolean } | null
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Undefined: the session is unknown or has ended. */
    readonly find: (token: Redacted.Redacted) => Effect.Effect<Session | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/Sessions") {}
