// M-Pesa through Safaricom's API: prompts, their outcome, and the list of payments to the account.
import { Clock, Effect, Layer, Redacted } from "effect"
import {
  MobileMoney,
  type MobileMoneyProvider,
  ProviderUnanswered
} from "../../../domain/ports/money/PaymentProvider.ts"
import { isReceipt } from "../../../domain/topups/ReceiptIds.ts"
import { type DarajaClient, type DarajaFault, type DarajaOptions, makeDarajaClient } from "./DarajaClient.ts"
import { currency, eastAfrican, minorOf, pastInstantOf, stamp, unit_minor } from "./DarajaValues.ts"
import { failureCodeOf } from "./ResultCodes.ts"
import { traced } from "../../../domain/Traced.ts"
import type { ListedPayment, Pushed, PushRequest, Standing } from "../../../domain/topups/ProviderPayment.ts"

/** "The transaction is being processed". A query reports it as an error. */
const inProgress = new Set(["500.001.1001", "4999"])
const alreadyRegistered = /already registered/i
const pages_max = 200

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "")

const unanswered = (cause: unknown) => new ProviderUnanswered({ cause })

/** A refusal with the provider's own code stands. A request that may have been carried out is in doubt. */
const refused = ({ code, message, sent }: DarajaFault): Effect.Effect<Pushed, ProviderUnanswered> =>
  sent
    ? Effect.fail(unanswered(message))
    : Effect.succeed({ _tag: "Refused", code: failureCodeOf(code ?? ""), message })

/** Zero or one payment: rows that are not of the documented form are skipped. */
const listed = (row: unknown, latest: number): ReadonlyArray<ListedPayment> => {
  const { amount, billreference, transactionId, trxDate } = row as Readonly<Record<string, unknown>>
  const receipt = text(transactionId).toUpperCase()
  const amount_minor = minorOf(text(amount))
  const paid_at = pastInstantOf(text(trxDate), latest)
  return isReceipt(receipt) && amount_minor !== undefined && amount_minor > 0 && paid_at !== undefined
    ? [{ receipt, amount_minor, currency, paid_at, account_ref: text(billreference) }]
    : []
}

/** Reads the pages of the list one after another. */
const makePayments = ({ post }: DarajaClient, { shortcode }: DarajaOptions): MobileMoneyProvider["payments"] => {
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
  return traced("Daraja.payments")(function* (from: number, to: number) {
    const found = new Map<string, ListedPayment>()
    let offset = 0
    let last = ""
    for (let n = 0; n < pages_max; n++) {
      const rows = yield* page(from, to, offset)
      const text = JSON.stringify(rows)
      // The list ends with an empty page, or with the last page repeated.
      if (rows.length === 0 || text === last) break
      for (const payment of rows.flatMap((row) => listed(row, to))) found.set(payment.receipt, payment)
      last = text
      offset += rows.length
    }
    return [...found.values()]
  })
}

const callbackOf =
  ({ callback_secret, callbacks }: DarajaOptions) =>
  (path: string): string =>
    `${callbacks}/${path}/${Redacted.value(callback_secret)}`

/** Tells Safaricom the URLs for payments by hand. An account registers once; Safaricom refuses to register it again. */
const register = ({ post }: DarajaClient, options: DarajaOptions) => {
  const callback = callbackOf(options)
  return post("/mpesa/c2b/v2/registerurl", {
    ShortCode: options.shortcode,
    ResponseType: "Completed",
    ConfirmationURL: callback("c2b/confirmation"),
    ValidationURL: callback("c2b/validation")
  }).pipe(
    Effect.catch(({ message }) =>
      alreadyRegistered.test(message)
        ? Effect.void
        : Effect.logWarning(`Registering the payment URLs with Safaricom failed: ${message}`)
    )
  )
}

/** The password of a request (Daraja documentation, "M-Pesa Express"): base64 of shortcode, passkey and timestamp. */
const signed = ({ passkey, shortcode }: DarajaOptions) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const Timestamp = stamp(now)
    const Password = Buffer.from(`${shortcode}${Redacted.value(passkey)}${Timestamp}`).toString("base64")
    return { BusinessShortCode: shortcode, Password, Timestamp }
  })

const makePush = (client: DarajaClient, options: DarajaOptions): MobileMoneyProvider["push"] =>
  traced("Daraja.push")(
    function* ({ account_ref, amount_minor, phone_e164, topup_id }: PushRequest) {
      const phone = phone_e164.slice(1)
      const answer = yield* client.post("/mpesa/stkpush/v1/processrequest", {
        ...(yield* signed(options)),
        TransactionType: "CustomerPayBillOnline",
        Amount: amount_minor / unit_minor,
        PartyA: phone,
        PartyB: options.shortcode,
        PhoneNumber: phone,
        CallBackURL: `${callbackOf(options)("stk")}/${topup_id}`,
        AccountReference: account_ref,
        TransactionDesc: "Top-up"
      })
      const request_id = text(answer["CheckoutRequestID"])
      const code = text(answer["ResponseCode"])
      if (code === "0" && request_id !== "") return { _tag: "Accepted", request_id } as const
      return { _tag: "Refused", code: failureCodeOf(code), message: text(answer["ResponseDescription"]) } as const
    },
    (pushed) => Effect.catch(pushed, refused)
  )

const makeQuery = (client: DarajaClient, options: DarajaOptions): MobileMoneyProvider["query"] =>
  traced("Daraja.query")(
    function* (request: PushRequest, request_id: string) {
      const answer = yield* client.post("/mpesa/stkpushquery/v1/query", {
        ...(yield* signed(options)),
        CheckoutRequestID: request_id
      })
      const code = text(answer["ResultCode"])
      if (code === "0") return { _tag: "Paid", receipt: null, amount_minor: request.amount_minor } as const
      if (code === "" || inProgress.has(code)) return { _tag: "Pending" } as const
      return { _tag: "Failed", code: failureCodeOf(code), message: text(answer["ResultDesc"]) } as const
    },
    (standing) =>
      Effect.catch(standing, (fault) =>
        fault.code !== undefined && inProgress.has(fault.code)
          ? Effect.succeed<Standing>({ _tag: "Pending" })
          : Effect.fail(unanswered(fault))
      )
  )

const make = Effect.fnUntraced(function* (options: DarajaOptions) {
  const client = yield* makeDarajaClient(options)
  yield* Effect.forkScoped(register(client, options))
  return MobileMoney.of({
    provider: {
      currency,
      unit_minor,
      push: makePush(client, options),
      query: makeQuery(client, options),
      payments: makePayments(client, options)
    }
  })
})

export const layer = (options: DarajaOptions): Layer.Layer<MobileMoney> => Layer.effect(MobileMoney, make(options))
