// Simulated card payments for development, tests and sandboxes. The last two digits of an amount decide; most succeed.
import { Effect, Layer } from "effect"
import { CardPayments, type CardProvider } from "../../domain/ports/money/PaymentProvider.ts"
import { traced } from "../../domain/Traced.ts"
import type { Pushed, PushRequest, Standing } from "../../domain/topups/ProviderPayment.ts"
import type { SavedCard } from "../../domain/wallet/SavedCard.ts"

const receiptOf = ({ topup_id }: PushRequest): string => `C${topup_id.replaceAll("-", "").slice(-19).toUpperCase()}`

const failures: ReadonlyMap<number, Extract<Standing, { readonly _tag: "Failed" }>> = new Map([
  [2, { _tag: "Failed", code: "payer_insufficient_funds", message: "The card was declined." }],
  [3, { _tag: "Failed", code: "cancelled_by_user", message: "The payer left the payment page." }],
  [4, { _tag: "Failed", code: "expired", message: "The payment page has expired." }],
  [6, { _tag: "Failed", code: "provider_error", message: "The card provider failed." }]
])

/** The same for the charge of a saved card, which nobody sees a page of. */
const chargeFailures: typeof failures = new Map([...failures].filter(([ending]) => ending === 6))

/** The ending of an amount that the provider refuses at once. */
const refused = 5

const endingOf = ({ amount_minor }: PushRequest): number => amount_minor % 100

/** The card that every payer saves. */
const card: SavedCard = { reference: "simulated", brand: "visa", last4: "4242" }

/** How the ids of charges without a page begin. */
const chargePrefix = "card_saved_"

/** The endings of amounts for which a saved card is not charged. */
const refusals: ReadonlyMap<number, Extract<Pushed, { readonly _tag: "Refused" }>> = new Map([
  [2, { _tag: "Refused", code: "payer_insufficient_funds", message: "The card has not enough money." }],
  [5, { _tag: "Refused", code: "provider_error", message: "The card provider refused the request." }],
  [7, { _tag: "Refused", code: "authentication_required", message: "The bank wants the owner to confirm." }],
  [8, { _tag: "Refused", code: "card_declined", message: "The bank declined the card." }]
])

export const simulatedCard: CardProvider = {
  push: traced("CardSimulator.push")((request: PushRequest) =>
    Effect.succeed(
      endingOf(request) === refused
        ? ({ _tag: "Refused", code: "provider_error", message: "The card provider refused the request." } as const)
        : ({ _tag: "Accepted", request_id: `card_${request.topup_id}` } as const)
    )
  ),
  query: traced("CardSimulator.query")((request: PushRequest, request_id: string) =>
    Effect.succeed(
      (request_id.startsWith(chargePrefix) ? chargeFailures : failures).get(endingOf(request)) ??
        ({
          _tag: "Paid",
          receipt: receiptOf(request),
          amount_minor: request.amount_minor,
          ...(request.save_card && { card })
        } as const)
    )
  ),
  charge: traced("CardSimulator.charge")((request: PushRequest) =>
    Effect.succeed(
      refusals.get(endingOf(request)) ?? ({ _tag: "Accepted", request_id: chargePrefix + request.topup_id } as const)
    )
  ),
  forget: () => Effect.void
}

export const layer = Layer.succeed(CardPayments)({ provider: simulatedCard })
