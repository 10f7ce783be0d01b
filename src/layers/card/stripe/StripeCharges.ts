// Cards that Stripe keeps (https://docs.stripe.com/payments/save-during-payment), and their charge while the owner is
// away (https://docs.stripe.com/payments/save-and-reuse, "Charge the saved payment method later").
import { Effect } from "effect"
import type { Stripe } from "stripe"
import { type CardProvider, ProviderUnanswered } from "../../../domain/ports/money/PaymentProvider.ts"
import type { Pushed } from "../../../domain/topups/ProviderPayment.ts"
import type { SavedCard } from "../../../domain/wallet/SavedCard.ts"
import type { FailureCode } from "../../../domain/wallet/FailureCode.ts"
import { traced } from "../../../domain/Traced.ts"
import { stripeAmount } from "./StripeAmounts.ts"
import { counts, isTemporary, request, type StripeFault, type StripeOptions } from "./StripeClient.ts"

const idOf = (object: { readonly id: string } | string | null): string | undefined =>
  typeof object === "string" ? object : object?.id

/** The card that was saved with a payment. Its payment method must be expanded. */
export const savedCardOf = ({
  customer,
  payment_method,
  setup_future_usage
}: Stripe.PaymentIntent): SavedCard | undefined => {
  const owner = idOf(customer)
  if (setup_future_usage !== "off_session" || owner === undefined) return undefined
  if (payment_method === null || typeof payment_method === "string") return undefined
  const { card, id } = payment_method
  return { reference: `${owner} ${id}`, brand: card?.brand ?? "card", last4: card?.last4 ?? "" }
}

const refused = (code: FailureCode, message: string): Pushed => ({ _tag: "Refused", code, message })

/** Why a page or payment of the test mode counts for nothing. */
export const testMode = {
  code: "provider_misconfigured",
  message: "The payment is of the card provider's test mode."
} as const satisfies { readonly code: FailureCode; readonly message: string }

const declined = refused("card_declined", "The bank declined the card.")
const authentication = refused("authentication_required", "The bank wants the card's owner to confirm the payment.")

/** Why a charge was refused (https://docs.stripe.com/declines/codes). Nothing was charged. */
const refusalOf = ({ code = "", decline_code = "", status }: StripeFault): Pushed => {
  if (code === "authentication_required" || decline_code === "authentication_required") return authentication
  if (decline_code === "insufficient_funds")
    return refused("payer_insufficient_funds", "The card has not enough money.")
  if (status === 402) return declined
  if (code === "amount_too_large") return refused("provider_limit", "The amount is above the provider's maximum.")
  if (code === "amount_too_small") return refused("provider_limit", "The amount is below the provider's minimum.")
  // The customer or the card was removed at the provider.
  if (code === "resource_missing") return refused("card_declined", "The provider does not know the card any more.")
  return refused("provider_misconfigured", "The card provider refused the platform's request.")
}

const answerOf = (options: StripeOptions, intent: Stripe.PaymentIntent): Pushed => {
  const { id, status } = intent
  if (!counts(options, intent)) return { _tag: "Refused", ...testMode }
  if (status === "requires_action" || status === "requires_confirmation") return authentication
  if (status === "requires_payment_method" || status === "canceled") return declined
  return { _tag: "Accepted", request_id: id }
}

export const makeCharge = (stripe: Stripe, options: StripeOptions): NonNullable<CardProvider["charge"]> =>
  traced("StripeCards.charge")(({ account_ref, amount_minor, created_at, currency, topup_id }, reference) => {
    const [customer = "", payment_method = ""] = reference.split(" ")
    return request(() =>
      stripe.paymentIntents.create(
        {
          amount: stripeAmount(amount_minor, currency),
          currency: currency.toLowerCase(),
          customer,
          payment_method,
          allowed_payment_method_types: ["card"],
          off_session: true,
          confirm: true,
          metadata: { topup_id },
          description: `Automatic top-up ${account_ref}`
        },
        // Stripe answers a repeated request with its first answer, also if that was a refusal.
        { idempotencyKey: `${topup_id}:${created_at}` }
      )
    ).pipe(
      Effect.map((intent) => answerOf(options, intent)),
      Effect.catch((fault) =>
        isTemporary(fault)
          ? Effect.fail(new ProviderUnanswered({ cause: fault }))
          : Effect.as(Effect.logInfo("Stripe refused to charge a saved card", fault), refusalOf(fault))
      )
    )
  })

/**
 * Detaches a card from its customer (https://docs.stripe.com/api/payment_methods/detach), after which it can never be
 * charged again. Stripe refuses to detach it twice, so a refused request looks whether it is still attached.
 */
export const makeForget = (stripe: Stripe): NonNullable<CardProvider["forget"]> =>
  traced("StripeCards.forget")((reference) => {
    const [, payment_method = ""] = reference.split(" ")
    if (payment_method === "") return Effect.void
    const isAttached = request(() => stripe.paymentMethods.retrieve(payment_method)).pipe(
      Effect.map(({ customer }) => customer !== null),
      Effect.catch((fault) => (fault.status === 404 ? Effect.succeed(false) : Effect.fail(fault)))
    )
    return request(() => stripe.paymentMethods.detach(payment_method)).pipe(
      Effect.catch((fault) => Effect.flatMap(isAttached, (attached) => (attached ? Effect.fail(fault) : Effect.void))),
      Effect.mapError((cause) => new ProviderUnanswered({ cause })),
      Effect.asVoid
    )
  })
