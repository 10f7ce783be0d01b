// Top-ups, receipts and invoices, and the payments that come in.
import { Layer } from "effect"
import { CardPaymentNotices } from "../ingest/CardPaymentNotices.ts"
import { PaymentNotices, takeStream } from "../ingest/PaymentNotices.ts"
import * as PayerPhoneLockActor from "../topups/PayerPhoneLockActor.ts"
import * as PerformIncomingPayment from "../topups/PerformIncomingPayment.ts"
import * as PerformTopUp from "../topups/PerformTopUp.ts"
import * as ReconciliationActor from "../topups/ReconciliationActor.ts"
import { SandboxFunds } from "../topups/SandboxFunds.ts"
import { TopUps } from "../topups/TopUps.ts"
import { AutoTopUps } from "../wallet/AutoTopUps.ts"
import { Billing } from "../wallet/Billing.ts"

export const moneyActors = Layer.mergeAll(
  PerformTopUp.layer,
  PerformIncomingPayment.layer,
  PayerPhoneLockActor.layer,
  ReconciliationActor.layer
)

/** Begins to read the provider's list of payments and its notices: the actors must have started. */
export const moneyFacades = Layer.merge(Layer.effectDiscard(ReconciliationActor.beginReconciliation), takeStream).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      TopUps.layer,
      SandboxFunds.layer,
      Billing.layer,
      AutoTopUps.layer,
      PaymentNotices.layer,
      CardPaymentNotices.layer
    )
  )
)
