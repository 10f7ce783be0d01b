// M-Pesa through Safaricom's Daraja API: its settings and its parts.
import { Layer, Stream } from "effect"
import { MobileMoneyNotices } from "../../../domain/ports/money/MobileMoneyNotices.ts"
import { digits, httpUrl, optional, secret, sources, variable, word } from "../../settings/Variable.ts"
import { refusedProviderUrl } from "../../settings/ProviderUrl.ts"
import { secretPathAuth } from "../SecretPathAuth.ts"
import { vendor } from "../Vendor.ts"
import * as Daraja from "./Daraja.ts"
import { darajaRoutes } from "./DarajaRoutes.ts"

/** The addresses from which Safaricom posts (Daraja documentation, "Going live"). */
const safaricomAddresses = [
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

const addressesOf = (setting: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  if (setting.includes("any")) return undefined
  return setting.length === 0 ? safaricomAddresses : setting
}

export const daraja = vendor({
  variables: {
    daraja_url: variable("DARAJA_URL", "for daraja: Safaricom's API", httpUrl, "https://api.safaricom.co.ke"),
    daraja_consumer_key: optional("DARAJA_CONSUMER_KEY", "for daraja: consumer key of the app", word, "-"),
    daraja_consumer_secret: optional(
      "DARAJA_CONSUMER_SECRET",
      "for daraja: consumer secret of the app",
      secret("a secret"),
      "-"
    ),
    daraja_shortcode: optional("DARAJA_SHORTCODE", "for daraja: the paybill number", digits, "-"),
    daraja_passkey: optional(
      "DARAJA_PASSKEY",
      "for daraja: the passkey that signs payment prompts",
      secret("a passkey"),
      "-"
    ),
    daraja_sources: variable(
      "DARAJA_SOURCES",
      "for daraja: addresses from which notices are accepted; any: all, because a proxy checks them",
      sources,
      [],
      "Safaricom's"
    )
  },
  required: ["daraja_consumer_key", "daraja_consumer_secret", "daraja_shortcode", "daraja_passkey"],
  refusedInProduction: ({ daraja_url }) => refusedProviderUrl("DARAJA_URL", daraja_url),
  layer: (settings, { callback_secrets, callbacks }) =>
    Layer.merge(
      Daraja.layer({
        url: settings.daraja_url,
        consumer_key: settings.daraja_consumer_key,
        consumer_secret: settings.daraja_consumer_secret,
        shortcode: settings.daraja_shortcode,
        passkey: settings.daraja_passkey,
        callbacks,
        callback_secret: callback_secrets[0]
      }),
      Layer.succeed(MobileMoneyNotices)({
        routes: darajaRoutes,
        admits: secretPathAuth({ secrets: callback_secrets, sources: addressesOf(settings.daraja_sources) }),
        stream: Stream.never
      })
    )
})
