// Prompts and payments as a provider knows them.
import { Schema } from "effect"
import { EpochMs } from "../kit/Fields.ts"
import type { SavedCard } from "../wallet/SavedCard.ts"
import type { FailureCode } from "../wallet/FailureCode.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { TopUpId } from "../BrandedIds.ts"

export interface PushRequest {
  readonly topup_id: TopUpId
  readonly amount_minor: number
  readonly currency: Currency
  /** The phone to prompt, in E.164; empty for a card. */
  readonly phone_e164: string
  /** Shown to the payer. The provider repeats it in the payment. */
  readonly account_ref: string
  /** When the top-up was started, in epoch milliseconds. */
  readonly created_at: number
  /** Whether the payer wants the card to be saved. */
  readonly save_card?: true
}

/** A page of the provider on which the payer pays. */
export const PaymentPage = Schema.Struct({
  url: Schema.String,
  /** Nobody can pay on the page later. */
  expires_at: EpochMs
})
export type PaymentPage = typeof PaymentPage.Type

export type Pushed =
  | { readonly _tag: "Accepted"; readonly request_id: string; readonly page?: PaymentPage }
  /** Nobody was prompted. */
  | { readonly _tag: "Refused"; readonly code: FailureCode; readonly message: string }

export type Standing =
  | { readonly _tag: "Pending" }
  /** `receipt` is null if the provider confirms the payment without naming its receipt. */
  | {
      readonly _tag: "Paid"
      readonly receipt: string | null
      readonly amount_minor: number
      /** ISO 4217, if the provider says in which currency it was paid. */
      readonly currency?: string
      /** How much of the amount the provider has given back to the payer by now: refunds and disputes. Default 0. */
      readonly taken_back_minor?: number
      /** The card that the payer has saved. */
      readonly card?: SavedCard
    }
  | { readonly _tag: "Failed"; readonly code: FailureCode; readonly message: string }

/** A payment to the platform's account, as the provider lists or announces it. */
export interface ListedPayment {
  readonly receipt: string
  readonly amount_minor: number
  readonly currency: Currency
  /** The reference, as the payer wrote it. */
  readonly account_ref: string
  /** Epoch milliseconds. */
  readonly paid_at: number
}
