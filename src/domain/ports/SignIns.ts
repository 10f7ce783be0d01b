// People, the links that sign them in, and their sessions, as they are stored. Nothing is stored that signs anybody in:
// of links and sessions only hashes are.
import { Context, type Effect } from "effect"
import type { Role } from "../access/Role.ts"
import type { Origin, RequestSource } from "../access/Origin.ts"
import type { EmailTaken } from "../errors/AuthErrors.ts"
import type { Identity } from "./IdentityProvider.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { Session } from "./Sessions.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

export interface User {
  readonly id: string
  readonly email: string
  /** Whether the person has used a link that was mailed there. */
  readonly email_verified: boolean
  /** Whether an identity provider signs the person in too. */
  readonly idp_linked: boolean
}

/** A workspace that a person is a member of. */
export interface OwnWorkspace {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly role: Role
  readonly read_only: boolean
}

export interface NewSession {
  readonly id: string
  readonly token_hash: string
  readonly at: number
  /** Where it comes from, without the actor: that is who signs in. */
  readonly origin: RequestSource
}

/** A session as its person sees it in a list. */
export interface SessionRecord {
  readonly id: string
  readonly workspace_id: WorkspaceId | null
  readonly created_at: string
  readonly last_seen_at: string
  readonly expires_at: string
  readonly ip: string | null
  readonly user_agent: string | null
}

export type Redeemed =
  | { readonly _tag: "SignedIn"; readonly user: User }
  | { readonly _tag: "Used" }
  /** Or so old that it is forgotten. */
  | { readonly _tag: "Expired" }

export class SignIns extends Context.Service<
  SignIns,
  {
    readonly userByEmail: (email: string) => Effect.Effect<User | undefined, ReadFailed>
    /** With an identity that signs the person in as well, if it is by one that they came. */
    readonly register: (user: {
      readonly id: string
      readonly email: string
      readonly at: number
      readonly identity?: Identity
    }) => Effect.Effect<User, EmailTaken | ReadFailed>
    readonly userByIdentity: (identity: Identity) => Effect.Effect<User | undefined, ReadFailed>
    /** In place of the one that was linked before. Fails where the identity is somebody else's already. */
    readonly linkIdentity: (
      session: Session,
      identity: Identity,
      origin: Origin,
      at: number
    ) => Effect.Effect<void, EmailTaken | ReadFailed>
    readonly unlinkIdentity: (session: Session, origin: Origin, at: number) => Effect.Effect<void, ReadFailed>
    /** By the time that the person joined them; closed ones last. */
    readonly workspacesOf: (user_id: string) => Effect.Effect<ReadonlyArray<OwnWorkspace>, ReadFailed>
    /** `user_id` is null where nobody has the address: the link then signs nobody in. */
    readonly issueLink: (link: {
      readonly secret_hash: string
      readonly user_id: string | null
      readonly at: number
      readonly expires_at: number
    }) => Effect.Effect<void, ReadFailed>
    /** Uses the link up and opens the session, both or neither. Of many at once one is let in. */
    readonly redeemLink: (secret_hash: string, session: NewSession) => Effect.Effect<Redeemed, ReadFailed>
    /** Opens a session in the person's first workspace, or in the one that is given, of which they are a member. */
    readonly openSession: (
      user_id: string,
      session: NewSession,
      workspace_id?: WorkspaceId
    ) => Effect.Effect<void, ReadFailed>
    /** The session goes on under a new token in another workspace, of which its person is a member. */
    readonly moveSession: (
      id: string,
      session: NewSession,
      workspace_id: WorkspaceId
    ) => Effect.Effect<void, ReadFailed>
    /** Those that could be used at `now`, the latest first. */
    readonly sessionsOf: (user_id: string, now: number) => Effect.Effect<ReadonlyArray<SessionRecord>, ReadFailed>
    /** False where the person has no such session. It is gone everywhere within a second. */
    readonly endSession: (user_id: string, id: string, origin: Origin, at: number) => Effect.Effect<boolean, ReadFailed>
  }
>()("trunkline/domain/ports/SignIns") {}
