// The door for what a mobile-money provider announces. Everything may come twice, late, or not at all.
import { Context, Effect, Layer, Option } from "effect"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { IncomingPaymentReferences } from "../../domain/ports/IncomingPaymentReferences.ts"
import type { ListedPayment } from "../../domain/ports/PaymentProvider.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WalletReads } from "../../domain/ports/WalletReads.ts"
import { readAccountRef } from "../../domain/topups/AccountRef.ts"
import type { FailureCode } from "../../domain/topups/TopUpRecord.ts"
import { mobileMoneyCurrency } from "../../domain/topups/TopUpLimits.ts"
import { IncomingPaymentActor } from "../topups/IncomingPaymentActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { TopUpActor } from "../topups/TopUpActor.ts"

export type PromptResult =
  | { readonly _tag: "Paid"; readonly receipt: string; readonly amount_minor: number; readonly paid_at: number }
  | { readonly _tag: "Failed"; readonly code: FailureCode; readonly message: string }

type Unhappy = Failure | NotCommitted

export class PaymentNotices extends Context.Service<
  PaymentNotices,
  {
    /** What became of a prompt. On disk when it returns; an unknown top-up is nobody's loss. */
    readonly promptEnded: (topup_id: string, result: PromptResult) => Effect.Effect<void, Unhappy>
    /** A payment to the account, of a prompt or by hand. */
    readonly paidIn: (payment: ListedPayment) => Effect.Effect<void, Unhappy>
    /** Whether a payment with this reference would reach a wallet. */
    readonly accepts: (account_ref: string) => Effect.Effect<boolean, ReadFailed>
  }
>()("trunkline/actors/PaymentNotices") {
  static readonly layer = Layer.effect(
    PaymentNotices,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const references = yield* IncomingPaymentReferences
      const wallets = yield* WalletReads
      return PaymentNotices.of({
        promptEnded: (topup_id, result) =>
          result._tag === "Paid"
            ? Effect.asVoid(
                system.ask(IncomingPaymentActor, result.receipt, {
                  _tag: "Arrive",
                  amount_minor: result.amount_minor,
                  account_ref: null,
                  paid_at: result.paid_at,
                  claimed_by: topup_id
                })
              )
            : system.ask(TopUpActor, topup_id, { _tag: "Fail", code: result.code, message: result.message }).pipe(
                Effect.catchTag("topup.not_found", () =>
                  Effect.logWarning(`A prompt of an unknown top-up, ${topup_id}, has failed`)
                ),
                Effect.asVoid
              ),
        paidIn: ({ account_ref, amount_minor, paid_at, receipt }) =>
          Effect.asVoid(
            system.ask(IncomingPaymentActor, receipt, {
              _tag: "Arrive",
              amount_minor,
              account_ref,
              paid_at,
              claimed_by: null
            })
          ),
        accepts: (account_ref) =>
          Option.match(readAccountRef(account_ref), {
            onNone: () => Effect.succeed(false),
            onSome: (ref) =>
              Effect.gen(function* () {
                const workspace_id = yield* references.workspaceOf(ref)
                const wallet = workspace_id && (yield* wallets.balance(workspace_id))
                return wallet !== undefined && wallet !== "" && wallet.currency === mobileMoneyCurrency
              })
          })
      })
    })
  )
}
