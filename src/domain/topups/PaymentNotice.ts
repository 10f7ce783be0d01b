// What a mobile-money provider announces or asks, in the terms of the engine.
import type { FailureCode } from "../wallet/FailureCode.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { ListedPayment } from "./ProviderPayment.ts"
import type { TopUpId } from "../BrandedIds.ts"

export type PromptResult =
  | {
      readonly _tag: "Paid"
      readonly receipt: string
      readonly amount_minor: number
      readonly currency: Currency
      /** Epoch milliseconds. */
      readonly paid_at: number
    }
  | { readonly _tag: "Failed"; readonly code: FailureCode; readonly message: string }

export type PaymentNotice =
  /** A prompt was paid or has failed. */
  | { readonly _tag: "PromptEnded"; readonly topup_id: TopUpId; readonly result: PromptResult }
  /** The account received a payment, after a prompt or by hand. */
  | { readonly _tag: "PaidIn"; readonly payment: ListedPayment }

/** The provider asks whether it should take a payment that is being made. */
export interface PaymentInquiry {
  readonly _tag: "Inquiry"
  readonly account_ref: string
  readonly currency: Currency
}
