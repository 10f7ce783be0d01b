// Stores people, sign-in links and sessions. Of links and sessions only hashes are stored, so the database lets nobody
// sign in.
import { Context, type Effect } from "effect"
import type { Origin } from "../../access/Origin.ts"
import type { EmailTaken } from "../../errors/AuthErrors.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { UserId, WorkspaceId } from "../../BrandedIds.ts"
import type { Identity } from "../../access/Identity.ts"
import type { NewSession, Session, SessionRecord } from "../../access/Session.ts"
import type { OwnWorkspace } from "../../access/AuthRecords.ts"
import type { Redeemed, User } from "../../access/User.ts"

export class SignIns extends Context.Service<
  SignIns,
  {
    readonly userByEmail: (email: string) => Effect.Effect<User | undefined, ReadFailed>
    /** Creates a person, with the identity by which they came, if any. */
    readonly register: (user: {
      readonly id: UserId
      readonly email: string
      readonly at: number
      readonly identity?: Identity
    }) => Effect.Effect<User, EmailTaken | ReadFailed>
    /** Whether an invitation to a workspace is open for the address. `now`: epoch milliseconds. */
    readonly isInvited: (email: string, now: number) => Effect.Effect<boolean, ReadFailed>
    readonly userByIdentity: (identity: Identity) => Effect.Effect<User | undefined, ReadFailed>
    /** Links an identity and replaces the one linked before. Fails if it belongs to somebody else. */
    readonly linkIdentity: (
      session: Session,
      identity: Identity,
      origin: Origin,
      at: number
    ) => Effect.Effect<void, EmailTaken | ReadFailed>
    readonly unlinkIdentity: (session: Session, origin: Origin, at: number) => Effect.Effect<void, ReadFailed>
    /** Ordered by the time of joining; closed workspaces last. */
    readonly workspacesOf: (user_id: UserId) => Effect.Effect<ReadonlyArray<OwnWorkspace>, ReadFailed>
    /** `user_id` is null if nobody has the address; the link then signs nobody in. */
    readonly issueLink: (link: {
      readonly secret_hash: string
      readonly user_id: UserId | null
      readonly at: number
      readonly expires_at: number
    }) => Effect.Effect<void, ReadFailed>
    /** Uses the link up and opens the session, both or neither. Of many concurrent uses one succeeds. */
    readonly redeemLink: (secret_hash: string, session: NewSession) => Effect.Effect<Redeemed, ReadFailed>
    /** Opens a session in the given workspace, of which the person must be a member, or in their first one. */
    readonly openSession: (
      user_id: UserId,
      session: NewSession,
      workspace_id?: WorkspaceId
    ) => Effect.Effect<void, ReadFailed>
    /** Moves the session, with a new token, to another workspace of which its person is a member. */
    readonly moveSession: (
      id: string,
      session: NewSession,
      workspace_id: WorkspaceId
    ) => Effect.Effect<void, ReadFailed>
    /** The sessions that are valid at `now`, latest first. */
    readonly sessionsOf: (user_id: UserId, now: number) => Effect.Effect<ReadonlyArray<SessionRecord>, ReadFailed>
    /** Ends a session in all processes within a second. False if the person has no such session. */
    readonly endSession: (user_id: UserId, id: string, origin: Origin, at: number) => Effect.Effect<boolean, ReadFailed>
  }
>()("trunkline/domain/ports/SignIns") {}
