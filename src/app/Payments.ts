// The layers of top-ups: payment providers, tables and actors.
import { Layer, Redacted } from "effect"
import { CardPaymentNotices } from "../actors/ingest/CardPaymentNotices.ts"
import { PaymentNotices, takeStream } from "../actors/ingest/PaymentNotices.ts"
import * as PayerPhoneLockActor from "../actors/topups/PayerPhoneLockActor.ts"
import * as PerformIncomingPayment from "../actors/topups/PerformIncomingPayment.ts"
import * as PerformTopUp from "../actors/topups/PerformTopUp.ts"
import * as ReconciliationActor from "../actors/topups/ReconciliationActor.ts"
import { SandboxFunds } from "../actors/topups/SandboxFunds.ts"
import { TopUps } from "../actors/topups/TopUps.ts"
import { AutoTopUps } from "../actors/wallet/AutoTopUps.ts"
import { Billing } from "../actors/wallet/Billing.ts"
import { CardNotices } from "../domain/ports/money/CardNotices.ts"
import { InvoiceIssuer } from "../domain/ports/money/InvoiceIssuer.ts"
import { MobileMoneyNotices } from "../domain/ports/money/MobileMoneyNotices.ts"
import { CardPayments, MobileMoney } from "../domain/ports/money/PaymentProvider.ts"
import { addressLines } from "../domain/wallet/Issuer.ts"
import { deriveKeys, type Secrets } from "../layers/keyring/Secrets.ts"
import * as BillingReads from "../layers/postgres/reads/BillingReads.ts"
import * as IncomingPaymentReferences from "../layers/postgres/reads/IncomingPaymentReferences.ts"
import * as TopUpLimitTable from "../layers/postgres/reads/TopUpLimitTable.ts"
import * as SimulatedPayments from "../layers/sandbox/SimulatedPayments.ts"
import * as TopUpReads from "../layers/postgres/reads/TopUpReads.ts"
import { cardVendors, mobileMoneyVendors } from "./Vendors.ts"
import type { Settings } from "./Settings.ts"
import { cardReturnPath } from "../domain/topups/CardNotice.ts"
import { mobileMoneyIngestPath } from "../domain/topups/PostedNotice.ts"

type SettingsShape = Settings["Service"]

const pathSecret = (key: Uint8Array) => Redacted.make(Buffer.from(key).toString("base64url"))

const mobileMoney = (settings: SettingsShape, { master_keys }: Secrets) => {
  if (settings.mobilemoney_provider === "none") return Layer.merge(MobileMoney.none, MobileMoneyNotices.none)
  // Callback URLs derived from a previous master key stay valid.
  const [current, ...previous] = deriveKeys(master_keys, "mobilemoney")
  return mobileMoneyVendors[settings.mobilemoney_provider].layer(settings, {
    callbacks: settings.base_url + mobileMoneyIngestPath,
    callback_secrets: [pathSecret(current), ...previous.map(pathSecret)]
  })
}

const cards = (settings: SettingsShape) =>
  settings.card_provider === "none"
    ? Layer.merge(CardPayments.none, CardNotices.none)
    : cardVendors[settings.card_provider].layer(settings, {
        return_url: settings.base_url + cardReturnPath,
        live_only: settings.environment === "production"
      })

const issuer = ({ invoice_address = "", invoice_name, invoice_tax_number }: SettingsShape) =>
  Layer.succeed(InvoiceIssuer)({
    name: invoice_name ?? null,
    address: addressLines(invoice_address),
    tax_number: invoice_tax_number ?? null
  })

export const paymentPorts = (settings: SettingsShape, secrets: Secrets) =>
  Layer.mergeAll(
    TopUpLimitTable.layer,
    TopUpReads.layer,
    BillingReads.layer,
    issuer(settings),
    IncomingPaymentReferences.layer,
    mobileMoney(settings, secrets),
    SimulatedPayments.layer,
    cards(settings)
  )

export const paymentActors = ({ fresh_card_days }: SettingsShape) =>
  Layer.mergeAll(
    PerformTopUp.layer({ fresh_card_days }),
    PerformIncomingPayment.layer,
    PayerPhoneLockActor.layer,
    ReconciliationActor.layer
  )

/** Must be built after the actors have started: it begins to read the provider's list of payments and its notices. */
export const paymentEntryPoints = Layer.merge(
  Layer.effectDiscard(ReconciliationActor.beginReconciliation),
  takeStream
).pipe(
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
