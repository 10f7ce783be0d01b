// What a wallet needs of the workspace that owns it: whether it may be charged, its admins, and its cards.
import { Context, Effect, Layer } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { CardPayments, type ProviderUnanswered } from "../../domain/ports/money/PaymentProvider.ts"
import { SandboxPayments } from "../../domain/ports/money/SandboxPayments.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { type AdminNotification, NotifyAdmins } from "../mail/NotifyAdmins.ts"

export class WalletOwner extends Context.Service<
  WalletOwner,
  {
    /** Whether the workspace may be charged. */
    readonly standing: (workspace_id: WorkspaceId) => Effect.Effect<"active" | "suspended" | "closed">
    /** Sends mail to the admins. Returns once it is on disk. */
    readonly notify: (notification: AdminNotification) => Effect.Effect<void, RateLimited | NotCommitted | ReadFailed>
    /** Has the card provider forget a saved card (`SavedCard.reference`). Repeating it changes nothing. */
    readonly forgetCard: (workspace_id: WorkspaceId, card: string) => Effect.Effect<void, ProviderUnanswered>
  }
>()("trunkline/actors/WalletOwner") {
  static readonly layer = Layer.effect(
    WalletOwner,
    Effect.gen(function* () {
      const cards = yield* CardPayments
      const directory = yield* Directory
      const { notify } = yield* NotifyAdmins
      const sandbox = yield* SandboxPayments
      return WalletOwner.of({
        notify,
        forgetCard: (workspace_id, card) => {
          const provider = isSandbox(workspace_id) ? sandbox.card : cards.provider
          return (
            provider?.forget?.(card) ??
            Effect.logWarning("A removed card stays with a provider that is not configured any more")
          )
        },
        standing: (workspace_id) =>
          Effect.map(directory.workspace(workspace_id), (workspace) => {
            const status = workspace?.status
            return status === "suspended" || status === "closed" ? status : "active"
          })
      })
    })
  )

  /** Every workspace is active, nobody gets mail, and no card is kept. For engines without accounts. */
  static readonly none = Layer.succeed(WalletOwner)({
    standing: () => Effect.succeed("active" as const),
    notify: () => Effect.void,
    forgetCard: () => Effect.void
  })
}
