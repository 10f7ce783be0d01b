// What a mobile-money provider announces. A notice may come twice, late, or not at all.
import { Context, Effect, Layer, Option, Stream } from "effect"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { IncomingPaymentReferences } from "../../domain/ports/money/IncomingPaymentReferences.ts"
import { MobileMoneyNotices } from "../../domain/ports/money/MobileMoneyNotices.ts"
import { SandboxPayments } from "../../domain/ports/money/SandboxPayments.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { TopUpNotFound } from "../../domain/errors/TopUpErrors.ts"
import { IncomingPaymentCommands } from "../../domain/topups/IncomingPaymentCommand.ts"
import { TopUpCommands } from "../../domain/topups/TopUpCommand.ts"
import { readAccountRef } from "../../domain/topups/AccountRef.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { traced } from "../../domain/Traced.ts"
import type { TopUpId } from "../../domain/BrandedIds.ts"
import type { PaymentNotice, PromptResult } from "../../domain/topups/PaymentNotice.ts"
import type { ListedPayment } from "../../domain/topups/ProviderPayment.ts"

export class PaymentNotices extends Context.Service<
  PaymentNotices,
  {
    /** Takes a notice. It is on disk when this returns. A notice about an unknown top-up is logged and dropped. */
    readonly take: (notice: PaymentNotice) => Effect.Effect<void, NotCommitted>
    /** Whether a payment in this currency with this reference, as the payer wrote it, would reach a wallet. */
    readonly accepts: (account_ref: string, currency: Currency) => Effect.Effect<boolean, ReadFailed>
  }
>()("trunkline/actors/PaymentNotices") {
  static readonly layer = Layer.effect(
    PaymentNotices,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const references = yield* IncomingPaymentReferences
      const wallets = yield* WalletReads

      const promptEnded = (topup_id: TopUpId, result: PromptResult) => {
        if (result._tag === "Paid") {
          const { amount_minor, currency, paid_at, receipt } = result
          const payment = { amount_minor, currency, account_ref: null, paid_at, claimed_by: topup_id }
          return system.ask(IncomingPaymentCommands.Announce, receipt, payment)
        }
        const { code, message } = result
        return Effect.catchIf(
          system.ask(TopUpCommands.Fail, topup_id, { code, message }),
          (error) => error instanceof TopUpNotFound,
          () => Effect.logWarning(`The provider reported a failed prompt of an unknown top-up: ${topup_id}`)
        )
      }

      const paidIn = ({ account_ref, amount_minor, currency, paid_at, receipt }: ListedPayment) => {
        const payment = { amount_minor, currency, account_ref, paid_at, claimed_by: null }
        return system.ask(IncomingPaymentCommands.Announce, receipt, payment)
      }

      return PaymentNotices.of({
        take: traced("PaymentNotices.take")((notice) =>
          notice._tag === "PromptEnded" ? promptEnded(notice.topup_id, notice.result) : paidIn(notice.payment)
        ),
        accepts: traced("PaymentNotices.accepts")(function* (account_ref, currency) {
          const ref = readAccountRef(account_ref)
          if (Option.isNone(ref)) return false
          const workspace_id = yield* references.workspaceOf(ref.value)
          // A sandbox has a wallet, but none for money that is really paid.
          if (workspace_id === undefined || isSandbox(workspace_id)) return false
          return (yield* wallets.balance(workspace_id))?.currency === currency
        })
      })
    })
  )
}

/** Takes the notices of a provider that runs inside the engine. Start it after the actors. */
export const takeStream = Layer.effectDiscard(
  Effect.gen(function* () {
    const { stream } = yield* MobileMoneyNotices
    const { take } = yield* PaymentNotices
    const sandbox = yield* SandboxPayments
    yield* Effect.forkScoped(
      Stream.runForEach(Stream.merge(stream, sandbox.notices), (notice) =>
        Effect.catch(take(notice), (error) =>
          Effect.logWarning("A payment notice was not stored; the list of payments will show the payment", error)
        )
      )
    )
  })
)
