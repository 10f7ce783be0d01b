import { Context, Effect, Layer } from "effect"
import { reaches } from "../../domain/access/Role.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { Letter } from "../../domain/mail/Mail.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { WorkspaceReads } from "../../domain/ports/access/WorkspaceReads.ts"
import { makePost } from "./MailboxActor.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

export interface AdminNotification {
  readonly workspace_id: WorkspaceId
  /** Each admin gets one message per id, however often the notification is sent. */
  readonly id: string
  /** Takes the name of the workspace. */
  readonly letter: (workspace: string) => Letter
  /** The messages are not sent after this instant, epoch milliseconds. */
  readonly expires_at: number
}

/** Sends mail to the owners and admins of a workspace. */
export class NotifyAdmins extends Context.Service<
  NotifyAdmins,
  {
    /** Returns once the messages are on disk. A workspace that does not exist gets none. */
    readonly notify: (notification: AdminNotification) => Effect.Effect<void, RateLimited | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/NotifyAdmins") {
  static readonly layer = Layer.effect(
    NotifyAdmins,
    Effect.gen(function* () {
      const post = yield* makePost
      const ids = yield* Ids
      const reads = yield* WorkspaceReads
      return NotifyAdmins.of({
        notify: traced("NotifyAdmins.notify")(function* ({ expires_at, id, letter, workspace_id }) {
          const found = yield* reads.find(workspace_id)
          // A sandbox has the members of its workspace.
          const live = found?.record.sandbox_of ?? null
          const workspace = live === null ? found : yield* reads.find(live)
          if (workspace === undefined) return
          const admins = workspace.members.filter(({ role }) => reaches(role, "admin"))
          yield* Effect.forEach(
            admins,
            // Each message is one of its own, also as a file and by its Message-ID.
            ({ email }) =>
              post({
                id: `${id}-${ids.named(email).slice(-12)}`,
                to: email,
                letter: letter(workspace.record.name),
                expires_at
              }),
            { discard: true }
          )
        })
      })
    })
  )

  /** Sends nothing. For engines without accounts. */
  static readonly none = Layer.succeed(NotifyAdmins)({ notify: () => Effect.void })
}
