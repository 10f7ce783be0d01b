// The door to the members of a workspace and to invitations.
import { Clock, Context, Effect, Layer } from "effect"
import { readEmail } from "../../domain/access/Email.ts"
import type { Origin } from "../../domain/access/Origin.ts"
import { InvitationNotFound } from "../../domain/errors/AccountErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { InternalError, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Tokens } from "../../domain/ports/Tokens.ts"
import { WorkspaceReads } from "../../domain/ports/WorkspaceReads.ts"
import type {
  InvitationRecord,
  InvitationRequest,
  MemberPatch,
  MemberRecord
} from "../../domain/workspace/MemberRecords.ts"
import { isUuid } from "../../domain/Uuid.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { MemberContext } from "../shared/RequestContext.ts"
import { invitation_purpose, WorkspaceActor } from "./WorkspaceActor.ts"

type Unhappy = Failure | NotCommitted | ReadFailed

export class Members extends Context.Service<
  Members,
  {
    readonly list: (workspace_id: string) => Effect.Effect<ReadonlyArray<MemberRecord>, Unhappy>
    readonly change: (
      context: MemberContext,
      user_id: string,
      patch: MemberPatch
    ) => Effect.Effect<MemberRecord, Unhappy>
    /** Somebody else, or oneself: that is leaving. */
    readonly remove: (context: MemberContext, user_id: string) => Effect.Effect<void, Unhappy>
    readonly invitations: (workspace_id: string) => Effect.Effect<ReadonlyArray<InvitationRecord>, Unhappy>
    /** The link goes out by mail, and only there. */
    readonly invite: (context: MemberContext, request: InvitationRequest) => Effect.Effect<InvitationRecord, Unhappy>
    readonly revoke: (context: MemberContext, id: string) => Effect.Effect<void, Unhappy>
    readonly resend: (context: MemberContext, id: string) => Effect.Effect<InvitationRecord, Unhappy>
    /** Fails where the token is none of ours, without asking anybody. */
    readonly readToken: (
      token: string
    ) => Effect.Effect<{ readonly workspace_id: string; readonly id: string }, InvitationNotFound>
    readonly accept: (
      token: string,
      user: { readonly user_id: string; readonly email: string },
      origin: Origin
    ) => Effect.Effect<{ readonly workspace_id: string; readonly member: MemberRecord }, Unhappy>
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

  const view = (workspace_id: string) =>
    Effect.flatMap(reads.find(workspace_id), (found) =>
      found === undefined
        ? Effect.fail(new NotFound({ message: "There is no such workspace." }))
        : Effect.succeed(found)
    )

  const invitation = Effect.fnUntraced(function* (
    workspace_id: string,
    command: Parameters<typeof WorkspaceActor.decide>[1]
  ) {
    const reply = yield* system.ask(WorkspaceActor, workspace_id, command)
    return reply._tag === "Invitation" ? reply.invitation : yield* new InternalError({ cause: reply })
  })

  const readToken = (token: string) => {
    const [workspace_id = "", id = ""] = tokens.read(token, invitation_purpose)?.split(" ") ?? []
    return isUuid(id) ? Effect.succeed({ workspace_id, id }) : Effect.fail(new InvitationNotFound())
  }

  return Members.of({
    list: (workspace_id) => Effect.map(view(workspace_id), ({ members }) => members),
    change: Effect.fnUntraced(function* ({ by, origin, workspace_id }, user_id, patch) {
      const reply = yield* system.ask(WorkspaceActor, workspace_id, {
        _tag: "ChangeMember",
        by,
        user_id,
        ...patch,
        origin
      })
      return reply._tag === "Member" ? reply.member : yield* new InternalError({ cause: reply })
    }),
    remove: ({ by, origin, workspace_id }, user_id) =>
      Effect.asVoid(system.ask(WorkspaceActor, workspace_id, { _tag: "RemoveMember", by, user_id, origin })),
    invitations: Effect.fnUntraced(function* (workspace_id) {
      const { invitations } = yield* view(workspace_id)
      return invitations(yield* Clock.currentTimeMillis)
    }),
    invite: Effect.fnUntraced(function* (
      { by, idempotency, origin, workspace_id },
      { email: text, read_only = false, role }
    ) {
      const email = yield* Effect.fromResult(readEmail(text))
      return yield* invitation(workspace_id, {
        _tag: "Invite",
        by,
        id: ids.uuid(),
        email,
        role,
        read_only,
        origin,
        ...(idempotency && { idempotency })
      })
    }),
    revoke: ({ by, origin, workspace_id }, id) =>
      Effect.asVoid(system.ask(WorkspaceActor, workspace_id, { _tag: "RevokeInvitation", by, id, origin })),
    resend: ({ by, idempotency, workspace_id }, id) =>
      invitation(workspace_id, { _tag: "ResendInvitation", by, id, ...(idempotency && { idempotency }) }),
    readToken,
    accept: Effect.fnUntraced(function* (token, { email, user_id }, origin) {
      const { id, workspace_id } = yield* readToken(token)
      const reply = yield* system.ask(WorkspaceActor, workspace_id, {
        _tag: "AcceptInvitation",
        id,
        user_id,
        email,
        origin
      })
      return reply._tag === "Member"
        ? { workspace_id, member: reply.member }
        : yield* new InternalError({ cause: reply })
    })
  })
})
