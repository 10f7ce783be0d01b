// What Safaricom posts to the engine ("M-Pesa Express" callback; "Customer To Business" validation and confirmation).
import { Option, Schema } from "effect"
import type { ListedPayment } from "../ports/PaymentProvider.ts"
import { instantOf, minorOf } from "./DarajaValues.ts"
import { isReceipt } from "./ReceiptIds.ts"
import { failureCodeOf } from "./ResultCodes.ts"
import type { FailureCode } from "./TopUpRecord.ts"

/** Numbers come as numbers or as text, as it pleases. */
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

export type PromptNews =
  | { readonly _tag: "Paid"; readonly receipt: string; readonly amount_minor: number; readonly paid_at: number }
  | { readonly _tag: "Failed"; readonly code: FailureCode; readonly message: string }

const decodeStk = Schema.decodeUnknownOption(StkCallback)
const decodeC2b = Schema.decodeUnknownOption(C2b)

const receiptOf = (text: unknown): Option.Option<string> => {
  const receipt = String(text ?? "")
    .trim()
    .toUpperCase()
  return isReceipt(receipt) ? Option.some(receipt) : Option.none()
}

const positive = (amount: unknown): Option.Option<number> =>
  Option.fromNullishOr(minorOf(String(amount ?? ""))).pipe(Option.filter((minor) => minor > 0))

/** None: it is not of the documented form, or says success without a receipt. `now` stands for a time that is not said. */
export const promptNews = (document: unknown, now: number): Option.Option<PromptNews> =>
  Option.flatMap(decodeStk(document), ({ Body: { stkCallback } }) => {
    const { CallbackMetadata, ResultCode, ResultDesc = "" } = stkCallback
    if (String(ResultCode) !== "0") {
      return Option.some<PromptNews>({
        _tag: "Failed",
        code: failureCodeOf(String(ResultCode)),
        message: ResultDesc.slice(0, 200)
      })
    }
    const value = (name: string) => CallbackMetadata?.Item.find((item) => item.Name === name)?.Value
    return Option.map(
      Option.all({ receipt: receiptOf(value("MpesaReceiptNumber")), amount_minor: positive(value("Amount")) }),
      (paid): PromptNews => ({
        _tag: "Paid",
        ...paid,
        paid_at: instantOf(String(value("TransactionDate") ?? "")) ?? now
      })
    )
  })

/** A payment to the account, as it is announced and confirmed. */
export const paymentNews = (document: unknown, now: number): Option.Option<ListedPayment> =>
  Option.flatMap(decodeC2b(document), ({ BillRefNumber = "", TransAmount, TransID, TransTime }) =>
    Option.map(Option.all({ receipt: receiptOf(TransID), amount_minor: positive(TransAmount) }), (paid) => ({
      ...paid,
      account_ref: BillRefNumber.slice(0, 64),
      paid_at: instantOf(String(TransTime ?? "")) ?? now
    }))
  )
