// Reads the provider's list of payments now and then, so that no money is missed whose announcement was lost.
import { Clock, Effect, Layer, Schema } from "effect"
import { MobileMoney } from "../../domain/ports/PaymentProvider.ts"
import { TopUpReads } from "../../domain/ports/TopUpReads.ts"
import { isReceipt } from "../../domain/topups/ReceiptIds.ts"
import {
  decideReconciliation,
  evolveReconciliation,
  initialReconciliation,
  planReconciliation,
  type ReadPayments,
  type Reconciliation,
  ReconciliationCommand,
  type ReconciliationEvent,
  ReconciliationReply,
  window_ms
} from "../../domain/topups/Reconciliation.ts"
import { IncomingPaymentActor } from "./IncomingPaymentActor.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Definition, Perform } from "../runtime/Definition.ts"

/** There is one. */
export const reconciliation_id = "mobilemoney"

export const ReconciliationActor: Definition<
  Reconciliation,
  ReconciliationCommand,
  ReconciliationEvent,
  ReconciliationReply,
  ReadPayments
> = {
  type: "Reconciliation",
  initial: initialReconciliation,
  restore: ({ state }) => JSON.parse(state) as Reconciliation,
  decide: decideReconciliation,
  evolve: evolveReconciliation,
  plan: planReconciliation,
  record: ({ after }) => ({ workspace_id: null, state: JSON.stringify(after), columns: {} }),
  wire: { command: ReconciliationCommand, reply: ReconciliationReply, notice: Schema.Never }
}

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const { provider } = yield* MobileMoney
    const reads = yield* TopUpReads

    const readPayments = Effect.gen(function* () {
      if (provider === undefined) return
      const now = yield* Clock.currentTimeMillis
      const listed = (yield* provider.payments(now - window_ms, now)).filter(({ receipt }) => isReceipt(receipt))
      const unknown = yield* reads.unknownReceipts(listed.map(({ receipt }) => receipt))
      yield* Effect.forEach(
        listed.filter(({ receipt }) => unknown.has(receipt)),
        ({ receipt, ...payment }) =>
          system.ask(IncomingPaymentActor, receipt, {
            _tag: "Arrive",
            ...payment,
            claimed_by: null
          }),
        { concurrency: 4, discard: true }
      )
    }).pipe(Effect.catch((error) => Effect.logWarning("The list of payments could not be read; it is again", error)))

    const perform: Perform<Reconciliation, ReconciliationCommand, ReconciliationReply, ReadPayments> = (_work, self) =>
      Effect.andThen(readPayments, Effect.asVoid(retryWithBackoff(self.tell({ _tag: "Read" }))))
    yield* system.register(ReconciliationActor, perform)
  })
)

/** Once the actors are started. It goes on where it was. */
export const beginReconciliation = Effect.gen(function* () {
  const { provider } = yield* MobileMoney
  const system = yield* ActorSystem
  if (provider !== undefined)
    yield* Effect.forkScoped(retryWithBackoff(system.ask(ReconciliationActor, reconciliation_id, { _tag: "Begin" })))
})
