// Stripe Checkout: its settings and its parts.
import { Layer, Redacted } from "effect"
import { httpUrl, optional, secret, variable } from "../../settings/Variable.ts"
import { vendor } from "../Vendor.ts"
import * as StripeCards from "./StripeCards.ts"
import * as StripeNotices from "./StripeNotices.ts"

const secretsOf = (list: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> =>
  Redacted.value(list)
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")
    .map((one) => Redacted.make(one))

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
  layer: (settings, { return_url }) => {
    const options = {
      url: settings.stripe_url,
      secret_key: settings.stripe_secret_key,
      webhook_secrets: secretsOf(settings.stripe_webhook_secret),
      return_url: settings.stripe_return_url ?? return_url
    }
    return Layer.merge(StripeCards.layer(options), StripeNotices.layer(options))
  }
})
