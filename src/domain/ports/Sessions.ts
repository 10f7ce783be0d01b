// Who is signed in. A session is found by the token of its cookie; nothing but a hash of the token is stored.
import { Context, type Effect, type Redacted } from "effect"
import type { Role } from "../access/Role.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

export interface Session {
  readonly id: string
  readonly user_id: string
  readonly email: string
  /** Whether the person operates the platform (`OPERATOR_EMAILS`). */
  readonly operator: boolean
  /** The workspace that the session is in, and what the person is there; null before the onboarding. */
  readonly membership: { readonly workspace_id: WorkspaceId; readonly role: Role; readonly read_only: boolean } | null
}

export class Sessions extends Context.Service<
  Sessions,
  {
    /** Undefined: the session is unknown, has ended, or was ended within the last second by anyone. */
    readonly find: (token: Redacted.Redacted) => Effect.Effect<Session | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/Sessions") {}
