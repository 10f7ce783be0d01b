// How top-ups are put together: who collects the money, where it is written down, and the actors that see to it.
import { Layer, Redacted } from "effect"
import * as PayerPhoneLockActor from "../actors/topups/PayerPhoneLockActor.ts"
import * as PerformIncomingPayment from "../actors/topups/PerformIncomingPayment.ts"
import { PaymentNotices } from "../actors/ingest/PaymentNotices.ts"
import * as ReconciliationActor from "../actors/topups/ReconciliationActor.ts"
import { TopUps } from "../actors/topups/TopUps.ts"
import * as PerformTopUp from "../actors/topups/PerformTopUp.ts"
import { MobileMoney } from "../domain/ports/PaymentProvider.ts"
import * as CardSimulator from "../layers/card/CardSimulator.ts"
import { deriveKeys, type Secrets } from "../layers/keyring/Secrets.ts"
import * as Daraja from "../layers/mobilemoney/daraja/Daraja.ts"
import * as MobileMoneySimulator from "../layers/mobilemoney/simulator/MobileMoneySimulator.ts"
import * as SimulatedNotices from "../layers/mobilemoney/simulator/SimulatedNotices.ts"
import * as SecretPathAuth from "../layers/mobilemoney/daraja/SecretPathAuth.ts"
import * as IncomingPaymentReferences from "../layers/postgres/reads/IncomingPaymentReferences.ts"
import * as TopUpLimitTable from "../layers/postgres/reads/TopUpLimitTable.ts"
import * as TopUpReads from "../layers/postgres/reads/TopUpReads.ts"
import type { Settings } from "./Settings.ts"

type SettingsShape = Settings["Service"]

/** Safaricom's, from which it posts (Daraja documentation, "Going live"). */
const safaricom = [
  "196.201.214.200",
  "196.201.214.206",
  "196.201.213.114",
  "196.201.214.207",
  "196.201.214.208",
  "196.201.213.44",
  "196.201.212.127",
  "196.201.212.138",
  "196.201.212.129",
  "196.201.212.136",
  "196.201.212.74",
  "196.201.212.69"
]

/** The first is in the URLs that the provider is given; what it was given before is called still. */
const callbackSecrets = ({ master_keys }: Secrets) =>
  deriveKeys(master_keys, "mobilemoney").map((key) => Redacted.make(Buffer.from(key).toString("base64url")))

const mobileMoney = (settings: SettingsShape, secrets: Secrets) => {
  if (settings.mobilemoney_provider === "none") return Layer.succeed(MobileMoney)({ provider: undefined })
  return settings.mobilemoney_provider === "simulator"
    ? MobileMoneySimulator.layer
    : Daraja.layer({
        url: settings.daraja_url,
        consumer_key: settings.daraja_consumer_key!,
        consumer_secret: settings.daraja_consumer_secret!,
        shortcode: settings.daraja_shortcode!,
        passkey: settings.daraja_passkey!,
        callbacks: `${settings.base_url}/v1/ingest/mobilemoney`,
        callback_secret: callbackSecrets(secrets)[0]!
      })
}

const sourcesOf = ({ daraja_sources }: SettingsShape): ReadonlyArray<string> | undefined =>
  daraja_sources.includes("any") ? undefined : daraja_sources.length === 0 ? safaricom : daraja_sources

export const paymentPorts = (settings: SettingsShape, secrets: Secrets) =>
  Layer.mergeAll(
    TopUpLimitTable.layer,
    TopUpReads.layer,
    IncomingPaymentReferences.layer,
    mobileMoney(settings, secrets),
    settings.card_provider === "simulator" ? CardSimulator.layer : CardSimulator.none,
    SecretPathAuth.layer({ secrets: callbackSecrets(secrets), sources: sourcesOf(settings) })
  )

export const paymentActors = Layer.mergeAll(
  PerformTopUp.layer,
  PerformIncomingPayment.layer,
  PayerPhoneLockActor.layer,
  ReconciliationActor.layer
)

/** To be opened once the actors are started: then what the provider lists is read, and what a simulated one says is heard. */
export const paymentDoors = Layer.merge(
  Layer.effectDiscard(ReconciliationActor.beginReconciliation),
  SimulatedNotices.announcements
).pipe(Layer.provideMerge(Layer.merge(TopUps.layer, PaymentNotices.layer)))
