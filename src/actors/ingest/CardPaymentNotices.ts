// Takes what the card provider says about a payment: the top-up then reads the payment's standing.
import { Context, Effect, Layer } from "effect"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { TopUpNotFound } from "../../domain/errors/TopUpErrors.ts"
import type { CardNotice } from "../../domain/topups/CardNotice.ts"
import { TopUpCommands } from "../../domain/topups/TopUpCommand.ts"
import { traced } from "../../domain/Traced.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** What is done with the notices of this system. */
export const makeCardNotices = (system: ActorSystem["Service"]): CardPaymentNotices["Service"] => ({
  take: traced("CardPaymentNotices.take")(({ request_id, topup_id }) =>
    Effect.catchIf(
      system.ask(TopUpCommands.Notified, topup_id, { request_id }),
      (error) => error instanceof TopUpNotFound,
      () => Effect.logWarning(`The card provider reported the payment of an unknown top-up: ${topup_id}`)
    )
  )
})

export class CardPaymentNotices extends Context.Service<
  CardPaymentNotices,
  {
    /** Once it returns, the notice is on disk. A notice about an unknown top-up is logged and dropped. */
    readonly take: (notice: Extract<CardNotice, { readonly _tag: "Changed" }>) => Effect.Effect<void, NotCommitted>
  }
>()("trunkline/actors/CardPaymentNotices") {
  static readonly layer = Layer.effect(CardPaymentNotices, Effect.map(ActorSystem, makeCardNotices))
}
