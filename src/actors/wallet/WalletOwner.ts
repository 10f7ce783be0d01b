// What a wallet needs to know of the workspace that owns it, and how it reaches its admins.
import { Context, Effect, Layer } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { type AdminNotification, NotifyAdmins } from "../mail/NotifyAdmins.ts"

export class WalletOwner extends Context.Service<
  WalletOwner,
  {
    /** Whether the workspace may be charged. */
    readonly standing: (workspace_id: WorkspaceId) => Effect.Effect<"active" | "suspended" | "closed">
    /** Sends mail to the admins. Returns once it is on disk. */
    readonly notify: (notification: AdminNotification) => Effect.Effect<void, RateLimited | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/WalletOwner") {
  static readonly layer = Layer.effect(
    WalletOwner,
    Effect.gen(function* () {
      const directory = yield* Directory
      const { notify } = yield* NotifyAdmins
      return WalletOwner.of({
        notify,
        standing: (workspace_id) =>
          Effect.map(directory.workspace(workspace_id), (workspace) => {
            const status = workspace?.status
            return status === "suspended" || status === "closed" ? status : "active"
          })
      })
    })
  )

  /** Every workspace is active, and nobody gets mail. For engines without accounts. */
  static readonly none = Layer.succeed(WalletOwner)({
    standing: () => Effect.succeed("active" as const),
    notify: () => Effect.void
  })
}
