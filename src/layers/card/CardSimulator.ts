// Simulated card payments for development, tests and sandboxes. The last two digits of an amount decide; most succeed.
import { Effect, Layer } from "effect"
import { CardPayments, type PaymentProvider } from "../../domain/ports/PaymentProvider.ts"
import { traced } from "../../domain/Traced.ts"
import type { PushRequest, Standing } from "../../domain/topups/ProviderPayment.ts"

const receiptOf = ({ topup_id }: PushRequest): string => `C${topup_id.replaceAll("-", "").slice(-19).toUpperCase()}`

const failures: ReadonlyMap<number, Extract<Standing, { readonly _tag: "Failed" }>> = new Map([
  [2, { _tag: "Failed", code: "payer_insufficient_funds", message: "The card was declined." }],
  [3, { _tag: "Failed", code: "cancelled_by_user", message: "The payer left the payment page." }],
  [4, { _tag: "Failed", code: "expired", message: "The payment page has expired." }],
  [6, { _tag: "Failed", code: "provider_error", message: "The card provider failed." }]
])

/** The ending of an amount that the provider refuses at once. */
const refused = 5

const endingOf = ({ amount_minor }: PushRequest): number => amount_minor % 100

export const simulatedCard: PaymentProvider = {
  push: traced("CardSimulator.push")((request: PushRequest) =>
    Effect.succeed(
      endingOf(request) === refused
        ? ({ _tag: "Refused", code: "provider_error", message: "The card provider refused the request." } as const)
        : ({ _tag: "Accepted", request_id: `card_${request.topup_id}` } as const)
    )
  ),
  query: traced("CardSimulator.query")((request: PushRequest) =>
    Effect.succeed(
      failures.get(endingOf(request)) ??
        ({ _tag: "Paid", receipt: receiptOf(request), amount_minor: request.amount_minor } as const)
    )
  )
}

export const layer = Layer.succeed(CardPayments)({ provider: simulatedCard })
