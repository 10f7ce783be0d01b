// A provider for development and tests, on Effect's clock. The last two digits of the phone decide what its owner does.
import { Clock, Context, Effect, Layer, Queue, Stream } from "effect"
import { MobileMoneyNotices, type PaymentNotice, type PromptResult } from "../../../domain/ports/MobileMoneyNotices.ts"
import {
  type ListedPayment,
  MobileMoney,
  type MobileMoneyProvider,
  type Pushed,
  type PushRequest,
  type Standing
} from "../../../domain/ports/PaymentProvider.ts"
import type { Currency } from "../../../domain/wallet/Currency.ts"
import { traced } from "../../../domain/Traced.ts"
import type { TopUpId } from "../../../domain/BrandedIds.ts"

const currency: Currency = "KES"
const unit_minor = 100

/** How long the owner of the phone takes to answer a prompt. */
const answerDelay = "5 seconds"

type Failed = Extract<PromptResult, { readonly _tag: "Failed" }>

const failures: Readonly<Record<string, Failed>> = {
  "32": { _tag: "Failed", code: "cancelled_by_user", message: "Request cancelled by user" },
  "37": { _tag: "Failed", code: "payer_unreachable", message: "DS timeout user cannot be reached" },
  "19": { _tag: "Failed", code: "expired", message: "Transaction has expired" }
}

const failureOf = ({ phone_e164 }: PushRequest): Failed | undefined => failures[phone_e164.slice(-2)]
/** The payment is made, but not announced. The engine finds it in the list of payments. */
const isSilent = ({ phone_e164 }: PushRequest): boolean => phone_e164.endsWith("99")

/** Ten capital letters and digits, as in M-Pesa's receipts. The receipt follows from the top-up's id. */
export const simulatedReceipt = (topup_id: TopUpId): string =>
  `S${(BigInt(`0x${topup_id.replaceAll("-", "")}`) % 36n ** 9n).toString(36).toUpperCase().padStart(9, "0")}`

const make = Effect.gen(function* () {
  const queue = yield* Queue.unbounded<PaymentNotice>()
  const scope = yield* Effect.scope
  const payments = new Map<string, ListedPayment>()

  const pay = ({ account_ref, amount_minor, topup_id }: PushRequest) =>
    Effect.map(Clock.currentTimeMillis, (paid_at): ListedPayment => {
      const receipt = simulatedReceipt(topup_id)
      const payment = payments.get(receipt) ?? { receipt, amount_minor, currency, account_ref, paid_at }
      payments.set(receipt, payment)
      return payment
    })

  const answer = Effect.fnUntraced(function* (request: PushRequest) {
    yield* Effect.sleep(answerDelay)
    const { topup_id } = request
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
      yield* Effect.forkIn(answer(request), scope)
      return { _tag: "Accepted", request_id: `ws_CO_${request.topup_id}` } satisfies Pushed
    }),
    query: traced("MobileMoneySimulator.query")(function* (request: PushRequest) {
      const failure: Standing | undefined = failureOf(request)
      if (failure !== undefined) return failure
      const { amount_minor } = yield* pay(request)
      return { _tag: "Paid", receipt: null, amount_minor } satisfies Standing
    }),
    payments: (from, to) =>
      Effect.sync(() => [...payments.values()].filter(({ paid_at }) => paid_at >= from && paid_at <= to))
  }
  return Context.make(MobileMoney, { provider }).pipe(
    Context.add(MobileMoneyNotices, { routes: [], admits: () => false, stream: Stream.fromQueue(queue) })
  )
})

export const layer = Layer.effectContext(make)
