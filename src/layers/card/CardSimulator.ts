// Simulated card payments for development and tests. An amount that ends in 02 is declined; others succeed.
import { Effect, Layer } from "effect"
import { CardPayments, type PushRequest } from "../../domain/ports/PaymentProvider.ts"
import { traced } from "../../domain/Traced.ts"

const receiptOf = ({ topup_id }: PushRequest): string => `C${topup_id.replaceAll("-", "").slice(-19).toUpperCase()}`
const isDeclined = ({ amount_minor }: PushRequest): boolean => amount_minor % 100 === 2

export const layer = Layer.succeed(CardPayments)({
  provider: {
    push: traced("CardSimulator.push")(({ topup_id }) =>
      Effect.succeed({ _tag: "Accepted" as const, request_id: `card_${topup_id}` })
    ),
    query: traced("CardSimulator.query")((request) =>
      Effect.succeed(
        isDeclined(request)
          ? { _tag: "Failed" as const, code: "payer_insufficient_funds" as const, message: "The card was declined." }
          : { _tag: "Paid" as const, receipt: receiptOf(request), amount_minor: request.amount_minor }
      )
    )
  }
})
