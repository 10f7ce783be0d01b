// Stripe Checkout: its settings and its parts.
import { Layer, Redacted } from "effect"
import { httpUrl, optional, secret, variable } from "../../settings/Variable.ts"
import { refusedProviderUrl } from "../../settings/ProviderUrl.ts"
import type { Refusal } from "../../settings/Vendor.ts"
import { vendor } from "../Vendor.ts"
import * as StripeCards from "./StripeCards.ts"
import * as StripeNotices from "./StripeNotices.ts"

const secretsOf = (list: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> =>
  Redacted.value(list)
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => Redacted.make(one))

/** Keys of the test mode and of sandboxes: `sk_test_…`, `rk_test_…` (https://docs.stripe.com/keys). */
const testKey = /^[a-z_]*_test_/

const refusedKey = (key: Redacted.Redacted | undefined): ReadonlyArray<Refusal> =>
  key !== undefined && testKey.test(Redacted.value(key))
    ? [
        {
          setting: "STRIPE_SECRET_KEY with a test key",
          why: "Customers would top up with Stripe's test cards, without paying. Use a key of the live mode."
        }
      ]
    : []

export const stripe = vendor({
  variables: {
    stripe_url: variable("STRIPE_URL", "for stripe: Stripe's API", httpUrl, "https://api.stripe.com"),
    stripe_secret_key: optional(
      "STRIPE_SECRET_KEY",
      "for stripe: the secret key of the account, or a restricted one",
      secret("a key that begins with sk_ or rk_", /^[rs]k_[\x21-\x7e]+$/),
      "-"
    ),
    stripe_webhook_secret: optional(
      "STRIPE_WEBHOOK_SECRET",
      "for stripe: the signing secret of the webhook that posts to /v1/ingest/card",
      secret("secrets that begin with whsec_, separated by commas", /^whsec_[\x21-\x7e]+(\s*,\s*whsec_[\x21-\x7e]+)*$/),
      "-"
    ),
    stripe_return_url: optional(
      "STRIPE_RETURN_URL",
      "for stripe: the page to which payers return from the payment page",
      httpUrl,
      "a page of the engine"
    )
  },
  required: ["stripe_secret_key", "stripe_webhook_secret"],
  refusedInProduction: ({ stripe_secret_key, stripe_url }) => [
    ...refusedKey(stripe_secret_key),
    ...refusedProviderUrl("STRIPE_URL", stripe_url)
  ],
  layer: (settings, { live_only, return_url }) => {
    const options = {
      url: settings.stripe_url,
      secret_key: settings.stripe_secret_key,
      webhook_secrets: secretsOf(settings.stripe_webhook_secret),
      return_url: settings.stripe_return_url ?? return_url,
      live_only
    }
    return Layer.merge(StripeCards.layer(options), StripeNotices.layer(options))
  }
})
