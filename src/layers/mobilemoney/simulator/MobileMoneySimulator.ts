// A provider for development and tests, on Effect's clock. The last digits of the phone say what its owner does.
import { Clock, Context, Effect, Layer, Queue } from "effect"
import {
  type ListedPayment,
  MobileMoney,
  type PushRequest,
  type Standing
} from "../../../domain/ports/PaymentProvider.ts"
import { failureCodeOf } from "../../../domain/topups/ResultCodes.ts"
import { type Announced, SimulatedNotices } from "./SimulatedNotices.ts"

/** How long its owner looks at the phone. */
const answers_after = "5 seconds"

const refusals: Readonly<Record<string, string>> = { "32": "1032", "37": "1037", "19": "1019" }
const messages: Readonly<Record<string, string>> = {
  "1032": "Request cancelled by user",
  "1037": "DS timeout user cannot be reached",
  "1019": "Transaction has expired"
}

const resultCode = ({ phone_e164 }: PushRequest): string => refusals[phone_e164.slice(-2)] ?? "0"
/** Paid, and nobody is told: the payment is found in the list. */
const isSilent = ({ phone_e164 }: PushRequest): boolean => phone_e164.endsWith("99")

/** Ten capital letters and digits, as M-Pesa's are, the same for the same top-up. */
export const simulatedReceipt = (topup_id: string): string =>
  `S${(BigInt(`0x${topup_id.replaceAll("-", "")}`) % 36n ** 9n).toString(36).toUpperCase().padStart(9, "0")}`

const failed = (code: string) =>
  ({ _tag: "Failed", code: failureCodeOf(code), message: messages[code] ?? code }) as const

export const layer = Layer.effectContext(
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<Announced>()
    const scope = yield* Effect.scope
    const taken = new Map<string, ListedPayment>()

    const take = ({ account_ref, amount_minor, topup_id }: PushRequest) =>
      Effect.map(Clock.currentTimeMillis, (paid_at): ListedPayment => {
        const receipt = simulatedReceipt(topup_id)
        const payment = taken.get(receipt) ?? { receipt, amount_minor, account_ref, paid_at }
        taken.set(receipt, payment)
        return payment
      })

    const answer = (request: PushRequest) =>
      Effect.gen(function* () {
        yield* Effect.sleep(answers_after)
        const code = resultCode(request)
        if (code !== "0")
          return yield* Queue.offer(queue, { topup_id: request.topup_id, result: failed(code), payment: undefined })
        const payment = yield* take(request)
        if (isSilent(request)) return
        const { amount_minor, paid_at, receipt } = payment
        return yield* Queue.offer(queue, {
          topup_id: request.topup_id,
          result: { _tag: "Paid", receipt, amount_minor, paid_at },
          payment
        })
      })

    const provider = MobileMoney.of({
      provider: {
        push: (request) =>
          Effect.as(Effect.forkIn(answer(request), scope), {
            _tag: "Accepted",
            request_id: `ws_CO_${request.topup_id}`
          } as const),
        query: (request) => {
          const code = resultCode(request)
          const standing: Effect.Effect<Standing> =
            code === "0"
              ? Effect.map(take(request), ({ amount_minor }) => ({ _tag: "Paid", receipt: null, amount_minor }))
              : Effect.succeed(failed(code))
          return standing
        },
        payments: (from, to) =>
          Effect.sync(() => [...taken.values()].filter(({ paid_at }) => paid_at >= from && paid_at <= to))
      }
    })
    return Context.make(MobileMoney, provider).pipe(Context.add(SimulatedNotices, { queue }))
  })
)
