// The members and invitations of a workspace, for HTTP.
import { Clock, Context, Effect, Layer } from "effect"
import { readEmail } from "../../domain/access/Email.ts"
import type { Origin } from "../../domain/access/Origin.ts"
import { leastRights } from "../../domain/access/Role.ts"
import type { Refusal } from "../../domain/Command.ts"
import { InvitationNotFound } from "../../domain/errors/AccountErrors.ts"
import { type BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { Tokens } from "../../domain/ports/access/Tokens.ts"
import { WorkspaceReads } from "../../domain/ports/access/WorkspaceReads.ts"
import { MemberCommands } from "../../domain/workspace/MemberCommand.ts"
import type {
  InvitationRecord,
  InvitationRequest,
  MemberPatch,
  MemberRecord
} from "../../domain/workspace/MemberRecords.ts"
import { isUuid } from "../../domain/Uuid.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { MemberContext } from "../shared/RequestContext.ts"
import { invitationPurpose } from "./WorkspaceActor.ts"
import { toWorkspaceId, type UserId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

type Refused<T extends keyof MemberCommands> = Refusal<MemberCommands, T> | NotCommitted

/** What the token of an invitation names. */
export interface InvitationRef {
  readonly workspace_id: WorkspaceId
  readonly id: string
}

export class Members extends Context.Service<
  Members,
  {
    readonly list: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<MemberRecord>, NotFound | ReadFailed>
    readonly change: (
      context: MemberContext,
      user_id: UserId,
      patch: MemberPatch
    ) => Effect.Effect<MemberRecord, Refused<"ChangeMember">>
    /** Removes a member. A member who removes themselves leaves the workspace. */
    readonly remove: (context: MemberContext, user_id: UserId) => Effect.Effect<void, Refused<"RemoveMember">>
    readonly invitations: (
      workspace_id: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<InvitationRecord>, NotFound | ReadFailed>
    /** Creates an invitation. Its link is only in the e-mail. */
    readonly invite: (
      context: MemberContext,
      request: InvitationRequest
    ) => Effect.Effect<InvitationRecord, BadRequest | Refused<"Invite">>
    readonly revoke: (context: MemberContext, id: string) => Effect.Effect<void, Refused<"RevokeInvitation">>
    readonly resend: (
      context: MemberContext,
      id: string
    ) => Effect.Effect<InvitationRecord, Refused<"ResendInvitation">>
    /** Checks the signature of an invitation's token. Does not look the invitation up. */
    readonly readToken: (token: string) => Effect.Effect<InvitationRef, InvitationNotFound>
    readonly accept: (
      token: string,
      user: { readonly user_id: UserId; readonly email: string },
      origin: Origin
    ) => Effect.Effect<
      { readonly workspace_id: WorkspaceId; readonly member: MemberRecord },
      InvitationNotFound | Refused<"AcceptInvitation">
    >
  }
>()("trunkline/actors/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const ids = yield* Ids
  const reads = yield* WorkspaceReads
  const system = yield* ActorSystem
  const tokens = yield* Tokens

  const find = (workspace_id: WorkspaceId) =>
    Effect.filterOrFail(
      reads.find(workspace_id),
      (found) => found !== undefined,
      () => new NotFound({ message: "There is no such workspace." })
    )

  const readToken = (token: string): Effect.Effect<InvitationRef, InvitationNotFound> => {
    const [workspace_id = "", id = ""] = tokens.read(token, invitationPurpose)?.split(" ") ?? []
    return isUuid(id)
      ? Effect.succeed({ workspace_id: toWorkspaceId(workspace_id), id })
      : Effect.fail(new InvitationNotFound())
  }

  return Members.of({
    list: traced("Members.list")(function* (workspace_id) {
      const { members } = yield* find(workspace_id)
      return members
    }),
    change: traced("Members.change")(({ by, origin, workspace_id }, user_id, patch) =>
      system.ask(MemberCommands.ChangeMember, workspace_id, { by, user_id, ...patch, origin })
    ),
    remove: traced("Members.remove")(({ by, origin, workspace_id }, user_id) =>
      system.ask(MemberCommands.RemoveMember, workspace_id, { by, user_id, origin })
    ),
    invitations: traced("Members.invitations")(function* (workspace_id) {
      const { invitations } = yield* find(workspace_id)
      return invitations(yield* Clock.currentTimeMillis)
    }),
    invite: traced("Members.invite")(function* ({ workspace_id, ...context }, request) {
      const email = yield* Effect.fromResult(readEmail(request.email))
      return yield* system.ask(MemberCommands.Invite, workspace_id, {
        id: ids.uuid(),
        ...leastRights,
        ...request,
        email,
        ...context
      })
    }),
    revoke: traced("Members.revoke")(({ by, origin, workspace_id }, id) =>
      system.ask(MemberCommands.RevokeInvitation, workspace_id, { by, id, origin })
    ),
    resend: traced("Members.resend")(({ by, idempotency, workspace_id }, id) =>
      system.ask(MemberCommands.ResendInvitation, workspace_id, { by, id, ...(idempotency && { idempotency }) })
    ),
    readToken,
    accept: traced("Members.accept")(function* (token, { email, user_id }, origin) {
      const { id, workspace_id } = yield* readToken(token)
      const member = yield* system.ask(MemberCommands.AcceptInvitation, workspace_id, { id, user_id, email, origin })
      return { workspace_id, member }
    })
  })
})
