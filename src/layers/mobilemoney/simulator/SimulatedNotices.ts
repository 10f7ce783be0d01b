import { Context, Effect, Layer, Option, Queue } from "effect"
import { PaymentNotices, type PromptResult } from "../../../actors/ingest/PaymentNotices.ts"
import type { ListedPayment } from "../../../domain/ports/PaymentProvider.ts"

export interface Announced {
  readonly topup_id: string
  readonly result: PromptResult
  /** As the account's own announcement says it, which comes for every payment. */
  readonly payment: ListedPayment | undefined
}

/** What it has to say, for `announcements`. */
export class SimulatedNotices extends Context.Service<
  SimulatedNotices,
  {
    readonly queue: Queue.Queue<Announced>
  }
>()("trunkline/layers/SimulatedNotices") {}

/** Takes what a simulated provider announces, if there is one, to whom it concerns: the prompt's word, and the account's. */
export const announcements = Layer.effectDiscard(
  Effect.gen(function* () {
    const simulated = yield* Effect.serviceOption(SimulatedNotices)
    const news = yield* PaymentNotices
    if (Option.isNone(simulated)) return
    yield* Queue.take(simulated.value.queue).pipe(
      Effect.flatMap(({ payment, result, topup_id }) =>
        Effect.andThen(news.promptEnded(topup_id, result), payment === undefined ? Effect.void : news.paidIn(payment))
      ),
      Effect.catch((error) => Effect.logWarning("A simulated payment was not taken; it is found in the list", error)),
      Effect.forever,
      Effect.forkScoped
    )
  })
)
