// Automatic top-ups for HTTP and the library.
import { Context, Effect, Layer } from "effect"
import { forEverybody } from "../../domain/access/CurrentTenant.ts"
import type { Origin } from "../../domain/access/Origin.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { ApiKeyScopeDenied } from "../../domain/errors/ApiKeyErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { CardProviderUnavailable } from "../../domain/errors/TopUpErrors.ts"
import { type WalletCardMissing, WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { IncomingPaymentReferences } from "../../domain/ports/money/IncomingPaymentReferences.ts"
import { CardPayments } from "../../domain/ports/money/PaymentProvider.ts"
import { SandboxPayments } from "../../domain/ports/money/SandboxPayments.ts"
import { TopUpLimitTable } from "../../domain/ports/money/TopUpLimitTable.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { checkTopUp, type TopUpRefusal } from "../../domain/topups/TopUpLimits.ts"
import { traced } from "../../domain/Traced.ts"
import type { AutoTopUpRecord, AutoTopUpRequest } from "../../domain/wallet/AutoTopUpRecord.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

export class AutoTopUps extends Context.Service<
  AutoTopUps,
  {
    readonly show: (workspace_id: WorkspaceId) => Effect.Effect<AutoTopUpRecord, WalletNotFound | NotCommitted>
    /**
     * Sets them as a whole. To enable them needs a saved card, and amounts that a top-up may have. An API key cannot
     * raise the monthly ceiling.
     */
    readonly set: (
      workspace_id: WorkspaceId,
      settings: AutoTopUpRequest,
      origin: Origin
    ) => Effect.Effect<
      AutoTopUpRecord,
      TopUpRefusal | WalletNotFound | WalletCardMissing | ApiKeyScopeDenied | NotCommitted | ReadFailed
    >
    /** Forgets the saved card and turns them off. */
    readonly removeCard: (
      workspace_id: WorkspaceId,
      origin: Origin
    ) => Effect.Effect<AutoTopUpRecord, WalletNotFound | NotCommitted>
  }
>()("trunkline/actors/AutoTopUps") {
  static readonly layer = Layer.suspend(() => Layer.effect(AutoTopUps, make))
}

const make = Effect.gen(function* () {
  const cards = yield* CardPayments
  const limits = yield* TopUpLimitTable
  const references = yield* IncomingPaymentReferences
  const sandbox = yield* SandboxPayments
  const system = yield* ActorSystem
  const wallets = yield* WalletReads

  /** Fails unless top-ups of this amount can be charged by themselves. */
  const check = Effect.fnUntraced(function* (workspace_id: WorkspaceId, settings: AutoTopUpRequest) {
    const { amount_minor, monthly_ceiling_minor } = settings
    const { currency } = (yield* wallets.balance(workspace_id)) ?? (yield* new WalletNotFound())
    const provider = isSandbox(workspace_id) ? sandbox.card : cards.provider
    if (provider?.charge === undefined) return yield* new CardProviderUnavailable()
    const providers = { mobileMoney: undefined, card: true, card_unit_minor: provider.unitOf?.(currency) ?? 1 }
    const request = { provider: "card", amount_minor, currency }
    yield* Effect.fromResult(checkTopUp(request, currency, providers, yield* limits.of(currency)))
    if (monthly_ceiling_minor < amount_minor) {
      const message = "The ceiling of a month is less than the amount of one top-up."
      return yield* new WalletInvalidAmount({ message, reason: "ceiling_below_amount" })
    }
  })

  return AutoTopUps.of({
    show: traced("AutoTopUps.show")((workspace_id) => system.ask(WalletCommands.ShowAutoTopUp, workspace_id, {})),
    set: traced("AutoTopUps.set")(function* (workspace_id, settings, origin) {
      if (settings.enabled) yield* check(workspace_id, settings)
      const account_ref = yield* forEverybody(references.of(workspace_id))
      return yield* system.ask(WalletCommands.SetAutoTopUp, workspace_id, { settings, account_ref, origin })
    }),
    removeCard: traced("AutoTopUps.removeCard")((workspace_id, origin) =>
      system.ask(WalletCommands.RemoveCard, workspace_id, { origin })
    )
  })
})
