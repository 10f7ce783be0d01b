// Whoever looks after a workspace, its owners and admins, is written to.
import { Context, Effect, Layer } from "effect"
import { reaches } from "../../domain/access/Role.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { Letter } from "../../domain/mail/Mail.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WorkspaceReads } from "../../domain/ports/WorkspaceReads.ts"
import { makePost } from "./MailboxActor.ts"

export interface News {
  readonly workspace_id: string
  /** The same news is written once to each, however often it is given. */
  readonly id: string
  /** By the name of the workspace. */
  readonly letter: (workspace: string) => Letter
  /** When it is no news any more, epoch milliseconds. */
  readonly expires_at: number
}

/** Returns once the messages are on disk. */
export type SendToAdmins = (news: News) => Effect.Effect<void, Failure | NotCommitted | ReadFailed>

/** Where there are no people there is nobody to write to. */
export class NotifyAdmins extends Context.Reference<SendToAdmins>("trunkline/actors/NotifyAdmins", {
  defaultValue: () => () => Effect.void
}) {}

export const layer = Layer.effect(
  NotifyAdmins,
  Effect.gen(function* () {
    const post = yield* makePost
    const reads = yield* WorkspaceReads
    return Effect.fnUntraced(function* ({ expires_at, id, letter, workspace_id }: News) {
      const workspace = yield* reads.find(workspace_id)
      if (workspace === undefined) return
      const heads = workspace.members.filter(({ role }) => reaches(role, "admin"))
      yield* Effect.forEach(
        heads,
        ({ email }) => post({ id, to: email, letter: letter(workspace.record.name), expires_at }),
        { discard: true }
      )
    })
  })
)
