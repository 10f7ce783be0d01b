// What Safaricom posts to the engine (Daraja documentation, "M-Pesa Express" callback; "Customer To Business"
// validation and confirmation).
import { Option, Schema } from "effect"
import { isReceipt } from "../../../domain/topups/ReceiptIds.ts"
import { currency, instantOf, minorOf } from "./DarajaValues.ts"
import { failureCodeOf } from "./ResultCodes.ts"
import type { PromptResult } from "../../../domain/topups/PaymentNotice.ts"
import type { ListedPayment } from "../../../domain/topups/ProviderPayment.ts"

/** Safaricom writes numbers as JSON numbers or as strings. */
const Loose = Schema.Union([Schema.String, Schema.Number])

const StkCallback = Schema.Struct({
  Body: Schema.Struct({
    stkCallback: Schema.Struct({
      ResultCode: Loose,
      ResultDesc: Schema.optionalKey(Schema.String),
      CallbackMetadata: Schema.optionalKey(
        Schema.Struct({
          Item: Schema.Array(Schema.Struct({ Name: Schema.String, Value: Schema.optionalKey(Loose) }))
        })
      )
    })
  })
})

const C2b = Schema.Struct({
  TransID: Schema.String,
  TransAmount: Loose,
  BillRefNumber: Schema.optionalKey(Schema.String),
  TransTime: Schema.optionalKey(Loose)
})

const message_max = 200
const reference_max = 64

const decodeStk = Schema.decodeUnknownOption(StkCallback)
const decodeC2b = Schema.decodeUnknownOption(C2b)

const receiptOf = (text: unknown): Option.Option<string> => {
  const receipt = String(text ?? "")
    .trim()
    .toUpperCase()
  return isReceipt(receipt) ? Option.some(receipt) : Option.none()
}

const positiveMinor = (amount: unknown): Option.Option<number> =>
  Option.fromNullishOr(minorOf(String(amount ?? ""))).pipe(Option.filter((minor) => minor > 0))

/**
 * The result of a prompt from an "M-Pesa Express" callback. None if the document is not of the documented form, or
 * reports success without a receipt or an amount. `now`, in epoch milliseconds, stands for a missing time of payment.
 */
export const promptResultOf = (document: unknown, now: number): Option.Option<PromptResult> =>
  Option.flatMap(decodeStk(document), ({ Body: { stkCallback } }) => {
    const { CallbackMetadata, ResultCode, ResultDesc = "" } = stkCallback
    if (String(ResultCode) !== "0") {
      return Option.some<PromptResult>({
        _tag: "Failed",
        code: failureCodeOf(String(ResultCode)),
        message: ResultDesc.slice(0, message_max)
      })
    }
    const value = (name: string) => CallbackMetadata?.Item.find((item) => item.Name === name)?.Value
    return Option.map(
      Option.all({ receipt: receiptOf(value("MpesaReceiptNumber")), amount_minor: positiveMinor(value("Amount")) }),
      (paid): PromptResult => ({
        _tag: "Paid",
        ...paid,
        currency,
        paid_at: instantOf(String(value("TransactionDate") ?? "")) ?? now
      })
    )
  })

/**
 * A payment to the account from a "Customer To Business" document. None if a receipt or a positive amount is missing.
 */
export const accountPaymentOf = (document: unknown, now: number): Option.Option<ListedPayment> =>
  Option.flatMap(decodeC2b(document), ({ BillRefNumber = "", TransAmount, TransID, TransTime }) =>
    Option.map(Option.all({ receipt: receiptOf(TransID), amount_minor: positiveMinor(TransAmount) }), (paid) => ({
      ...paid,
      currency,
      account_ref: BillRefNumber.slice(0, reference_max),
      paid_at: instantOf(String(TransTime ?? "")) ?? now
    }))
  )
