// The layers of top-ups: payment providers, tables and actors.
import { Layer, Redacted } from "effect"
import { PaymentNotices, takeStream } from "../actors/ingest/PaymentNotices.ts"
import * as PayerPhoneLockActor from "../actors/topups/PayerPhoneLockActor.ts"
import * as PerformIncomingPayment from "../actors/topups/PerformIncomingPayment.ts"
import * as PerformTopUp from "../actors/topups/PerformTopUp.ts"
import * as ReconciliationActor from "../actors/topups/ReconciliationActor.ts"
import { TopUps } from "../actors/topups/TopUps.ts"
import { MobileMoneyNotices } from "../domain/ports/MobileMoneyNotices.ts"
import { CardPayments, MobileMoney } from "../domain/ports/PaymentProvider.ts"
import * as CardSimulator from "../layers/card/CardSimulator.ts"
import { deriveKeys, type Secrets } from "../layers/keyring/Secrets.ts"
import * as IncomingPaymentReferences from "../layers/postgres/reads/IncomingPaymentReferences.ts"
import * as TopUpLimitTable from "../layers/postgres/reads/TopUpLimitTable.ts"
import * as SimulatedPayments from "../layers/sandbox/SimulatedPayments.ts"
import * as TopUpReads from "../layers/postgres/reads/TopUpReads.ts"
import { vendors } from "./MobileMoneyVendors.ts"
import type { Settings } from "./Settings.ts"
import { mobileMoneyIngestPath } from "../domain/topups/PostedNotice.ts"

type SettingsShape = Settings["Service"]

const pathSecret = (key: Uint8Array) => Redacted.make(Buffer.from(key).toString("base64url"))

const mobileMoney = (settings: SettingsShape, { master_keys }: Secrets) => {
  if (settings.mobilemoney_provider === "none") return Layer.merge(MobileMoney.none, MobileMoneyNotices.none)
  // Callback URLs derived from a previous master key stay valid.
  const [current, ...previous] = deriveKeys(master_keys, "mobilemoney")
  return vendors[settings.mobilemoney_provider].layer(settings, {
    callbacks: settings.base_url + mobileMoneyIngestPath,
    callback_secrets: [pathSecret(current), ...previous.map(pathSecret)]
  })
}

export const paymentPorts = (settings: SettingsShape, secrets: Secrets) =>
  Layer.mergeAll(
    TopUpLimitTable.layer,
    TopUpReads.layer,
    IncomingPaymentReferences.layer,
    mobileMoney(settings, secrets),
    SimulatedPayments.layer,
    settings.card_provider === "simulator" ? CardSimulator.layer : CardPayments.none
  )

export const paymentActors = Layer.mergeAll(
  PerformTopUp.layer,
  PerformIncomingPayment.layer,
  PayerPhoneLockActor.layer,
  ReconciliationActor.layer
)

/** Must be built after the actors have started: it begins to read the provider's list of payments and its notices. */
export const paymentEntryPoints = Layer.merge(
  Layer.effectDiscard(ReconciliationActor.beginReconciliation),
  takeStream
).pipe(Layer.provideMerge(Layer.merge(TopUps.layer, PaymentNotices.layer)))
