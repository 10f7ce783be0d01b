// A provider for development and tests, on Effect's clock. The last two digits of the phone decide what its owner does.
import { Clock, Context, Effect, Layer, Queue, Stream } from "effect"
import { MobileMoneyNotices } from "../../../domain/ports/money/MobileMoneyNotices.ts"
import { MobileMoney, type MobileMoneyProvider } from "../../../domain/ports/money/PaymentProvider.ts"
import type { FailureCode } from "../../../domain/wallet/FailureCode.ts"
import type { Currency } from "../../../domain/wallet/Currency.ts"
import { traced } from "../../../domain/Traced.ts"
import type { TopUpId } from "../../../domain/BrandedIds.ts"
import type { PaymentNotice, PromptResult } from "../../../domain/topups/PaymentNotice.ts"
import type { ListedPayment, Pushed, PushRequest, Standing } from "../../../domain/topups/ProviderPayment.ts"

const currency: Currency = "KES"
const unit_minor = 100

/** How long the owner of the phone takes to answer a prompt. */
const answerDelay = "5 seconds"

type Failed = Extract<PromptResult, { readonly _tag: "Failed" }>

const failed = (code: FailureCode, message: string): Failed => ({ _tag: "Failed", code, message })

/** What ends a prompt, by the last two digits of the phone. */
const failures: Readonly<Record<string, Failed>> = {
  "19": failed("expired", "Transaction has expired"),
  "32": failed("cancelled_by_user", "Request cancelled by user"),
  "37": failed("payer_unreachable", "DS timeout user cannot be reached"),
  "51": failed("payer_insufficient_funds", "The balance is insufficient for the transaction"),
  "52": failed("provider_limit", "The payer has reached the provider's limit of the day"),
  "53": failed("wrong_pin", "The initiator information is invalid"),
  "54": failed("payer_locked", "The payer's account is locked"),
  "55": failed("push_failed", "An error occurred while sending the push request"),
  "56": failed("provider_error", "The provider failed")
}

/** What the provider refuses before it prompts anybody. */
const refusals: Readonly<Record<string, Extract<Pushed, { readonly _tag: "Refused" }>>> = {
  "61": { _tag: "Refused", code: "payer_busy", message: "The payer is answering another prompt" },
  "62": { _tag: "Refused", code: "duplicate_request", message: "The request was made before" },
  "63": { _tag: "Refused", code: "provider_misconfigured", message: "The provider does not know the account" }
}

const endingOf = ({ phone_e164 }: PushRequest): string => phone_e164.slice(-2)
const failureOf = (request: PushRequest): Failed | undefined => failures[endingOf(request)]
/** Nobody answers the prompt, and the provider knows no outcome. */
const isIgnored = (request: PushRequest): boolean => endingOf(request) === "64"
/** The payment is made, but not announced. The engine finds it in the list of payments. */
const isSilent = ({ phone_e164 }: PushRequest): boolean => phone_e164.endsWith("99")

/** Ten capital letters and digits, as in M-Pesa's receipts. The receipt follows from the top-up's id. */
export const simulatedReceipt = (topup_id: TopUpId): string =>
  `S${(BigInt(`0x${topup_id.replaceAll("-", "")}`) % 36n ** 9n).toString(36).toUpperCase().padStart(9, "0")}`

/** The provider, and what it announces. `receiptOf`: the receipt of the payment of a top-up. */
export const makeMobileMoneySimulator = Effect.fnUntraced(function* (receiptOf: (topup_id: TopUpId) => string) {
  const queue = yield* Queue.unbounded<PaymentNotice>()
  const scope = yield* Effect.scope
  const payments = new Map<string, ListedPayment>()

  const pay = ({ account_ref, amount_minor, topup_id }: PushRequest) =>
    Effect.map(Clock.currentTimeMillis, (paid_at): ListedPayment => {
      const receipt = receiptOf(topup_id)
      const payment = payments.get(receipt) ?? { receipt, amount_minor, currency, account_ref, paid_at }
      payments.set(receipt, payment)
      return payment
    })

  const answer = Effect.fnUntraced(function* (request: PushRequest) {
    yield* Effect.sleep(answerDelay)
    const { topup_id } = request
    if (isIgnored(request)) return
    const failure = failureOf(request)
    if (failure !== undefined) return yield* Queue.offer(queue, { _tag: "PromptEnded", topup_id, result: failure })
    const payment = yield* pay(request)
    if (isSilent(request)) return
    const { amount_minor, paid_at, receipt } = payment
    const result: PromptResult = { _tag: "Paid", receipt, amount_minor, currency, paid_at }
    return yield* Queue.offerAll(queue, [
      { _tag: "PromptEnded", topup_id, result },
      { _tag: "PaidIn", payment }
    ])
  })

  const provider: MobileMoneyProvider = {
    currency,
    unit_minor,
    push: traced("MobileMoneySimulator.push")(function* (request: PushRequest) {
      const refusal = refusals[endingOf(request)]
      if (refusal !== undefined) return refusal
      yield* Effect.forkIn(answer(request), scope)
      return { _tag: "Accepted", request_id: `ws_CO_${request.topup_id}` } satisfies Pushed
    }),
    query: traced("MobileMoneySimulator.query")(function* (request: PushRequest) {
      const failure: Standing | undefined = failureOf(request)
      if (failure !== undefined) return failure
      if (isIgnored(request)) return { _tag: "Pending" } satisfies Standing
      const { amount_minor } = yield* pay(request)
      return { _tag: "Paid", receipt: null, amount_minor } satisfies Standing
    }),
    payments: (from, to) =>
      Effect.sync(() => [...payments.values()].filter(({ paid_at }) => paid_at >= from && paid_at <= to))
  }
  return { provider, notices: Stream.fromQueue(queue) }
})

export const layer = Layer.effectContext(
  Effect.map(makeMobileMoneySimulator(simulatedReceipt), ({ notices, provider }) =>
    Context.make(MobileMoney, { provider }).pipe(
      Context.add(MobileMoneyNotices, { routes: [], admits: () => false, stream: notices })
    )
  )
)
