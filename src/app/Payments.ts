// The payment providers, and who issues invoices.
import { Layer, Redacted } from "effect"
import { CardNotices } from "../domain/ports/money/CardNotices.ts"
import { InvoiceIssuer } from "../domain/ports/money/InvoiceIssuer.ts"
import { MobileMoneyNotices } from "../domain/ports/money/MobileMoneyNotices.ts"
import { CardPayments, MobileMoney } from "../domain/ports/money/PaymentProvider.ts"
import { addressLines } from "../domain/wallet/Issuer.ts"
import { deriveKeys, type Secrets } from "../layers/keyring/Secrets.ts"
import * as SimulatedPayments from "../layers/sandbox/SimulatedPayments.ts"
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
  Layer.mergeAll(issuer(settings), mobileMoney(settings, secrets), SimulatedPayments.layer, cards(settings))
