// M-Pesa through Safaricom's API: prompts, what became of them, and the list of payments to the account.
import { Clock, Effect, Layer, Redacted } from "effect"
import {
  type ListedPayment,
  MobileMoney,
  ProviderUnanswered,
  type Pushed,
  type PushRequest,
  type Standing
} from "../../../domain/ports/PaymentProvider.ts"
import { isReceipt } from "../../../domain/topups/ReceiptIds.ts"
import { failureCodeOf } from "../../../domain/topups/ResultCodes.ts"
import { mobileMoneyUnit_minor } from "../../../domain/topups/TopUpLimits.ts"
import { type DarajaClient, type DarajaFault, type DarajaOptions, makeDarajaClient } from "./DarajaClient.ts"
import { eastAfrican, minorOf, pastInstantOf, stamp } from "../../../domain/topups/DarajaValues.ts"

/** "The transaction is being processed", which is an error to the query. */
const in_progress = new Set(["500.001.1001", "4999"])
const already_registered = /already registered/i
const pages_max = 200

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")

const unanswered = (cause: unknown) => new ProviderUnanswered({ cause })

/** The provider's own word is what it is; without one, a request that may have been carried out is in doubt. */
const refused = ({ code, message, sent }: DarajaFault): Effect.Effect<Pushed, ProviderUnanswered> =>
  sent
    ? Effect.fail(unanswered(message))
    : Effect.succeed({ _tag: "Refused", code: failureCodeOf(code ?? ""), message })

const listed = (row: unknown, latest: number): ReadonlyArray<ListedPayment> => {
  const { amount, billreference, transactionId, trxDate } = row as Readonly<Record<string, unknown>>
  const receipt = text(transactionId).toUpperCase()
  const amount_minor = minorOf(text(amount))
  const paid_at = pastInstantOf(text(trxDate), latest)
  return isReceipt(receipt) && amount_minor !== undefined && amount_minor > 0 && paid_at !== undefined
    ? [{ receipt, amount_minor, paid_at, account_ref: text(billreference) }]
    : []
}

/** The pages of the list, one after another. */
const payments = ({ post }: DarajaClient, shortcode: string) => {
  const page = (from: number, to: number, offset: number) =>
    post("/pulltransactions/v1/query", {
      ShortCode: shortcode,
      StartDate: eastAfrican(from),
      EndDate: eastAfrican(to),
      OffSetValue: String(offset)
    }).pipe(
      Effect.map(({ Response }) => (Array.isArray(Response) ? (Response.flat() as ReadonlyArray<unknown>) : [])),
      Effect.mapError(unanswered)
    )
  return Effect.fnUntraced(function* (from: number, to: number) {
    const found = new Map<string, ListedPayment>()
    let offset = 0
    let last = ""
    for (let n = 0; n < pages_max; n++) {
      const rows = yield* page(from, to, offset)
      const text = JSON.stringify(rows)
      // An end, or the same page again.
      if (rows.length === 0 || text === last) break
      for (const payment of rows.flatMap((row) => listed(row, to))) found.set(payment.receipt, payment)
      last = text
      offset += rows.length
    }
    return [...found.values()]
  })
}

/** Once for an account is enough; the provider refuses every further time. */
const register = ({ post }: DarajaClient, shortcode: string, callback: (path: string) => string) =>
  post("/mpesa/c2b/v2/registerurl", {
    ShortCode: shortcode,
    ResponseType: "Completed",
    ConfirmationURL: callback("c2b/confirmation"),
    ValidationURL: callback("c2b/validation")
  }).pipe(
    Effect.catch(({ message }) =>
      already_registered.test(message)
        ? Effect.void
        : Effect.logWarning(`The payment URLs are not registered: ${message}`)
    )
  )

export const layer = (options: DarajaOptions) =>
  Layer.effect(
    MobileMoney,
    Effect.gen(function* () {
      const { callbacks, callback_secret, passkey, shortcode } = options
      const client = yield* makeDarajaClient(options)
      const callback = (path: string) => `${callbacks}/${path}/${Redacted.value(callback_secret)}`

      const signed = Effect.map(Clock.currentTimeMillis, (now) => {
        const Timestamp = stamp(now)
        const Password = Buffer.from(`${shortcode}${Redacted.value(passkey)}${Timestamp}`).toString("base64")
        return { BusinessShortCode: shortcode, Password, Timestamp }
      })

      const push = ({
        account_ref,
        amount_minor,
        phone_e164,
        topup_id
      }: PushRequest): Effect.Effect<Pushed, ProviderUnanswered> =>
        Effect.gen(function* () {
          const phone = phone_e164.slice(1)
          const answer = yield* client.post("/mpesa/stkpush/v1/processrequest", {
            ...(yield* signed),
            TransactionType: "CustomerPayBillOnline",
            Amount: amount_minor / mobileMoneyUnit_minor,
            PartyA: phone,
            PartyB: shortcode,
            PhoneNumber: phone,
            CallBackURL: `${callback("stk")}/${topup_id}`,
            AccountReference: account_ref,
            TransactionDesc: "Top-up"
          })
          const request_id = text(answer["CheckoutRequestID"])
          const code = text(answer["ResponseCode"])
          if (code === "0" && request_id !== "") return { _tag: "Accepted", request_id } as const
          return { _tag: "Refused", code: failureCodeOf(code), message: text(answer["ResponseDescription"]) } as const
        }).pipe(Effect.catch(refused))

      const query = (request: PushRequest, request_id: string): Effect.Effect<Standing, ProviderUnanswered> =>
        Effect.gen(function* () {
          const answer = yield* client.post("/mpesa/stkpushquery/v1/query", {
            ...(yield* signed),
            CheckoutRequestID: request_id
          })
          const code = text(answer["ResultCode"])
          if (code === "0") return { _tag: "Paid", receipt: null, amount_minor: request.amount_minor } as const
          if (code === "" || in_progress.has(code)) return { _tag: "Pending" } as const
          return { _tag: "Failed", code: failureCodeOf(code), message: text(answer["ResultDesc"]) } as const
        }).pipe(
          Effect.catch((fault) =>
            fault.code !== undefined && in_progress.has(fault.code)
              ? Effect.succeed<Standing>({ _tag: "Pending" })
              : Effect.fail(unanswered(fault))
          )
        )

      yield* Effect.forkScoped(register(client, shortcode, callback))
      return MobileMoney.of({ provider: { push, query, payments: payments(client, shortcode) } })
    })
  )
