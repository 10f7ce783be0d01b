// Top-ups as customers request and read them (docs/topups.md).
import { Schema } from "effect"
import { TopUpId, WorkspaceId } from "../BrandedIds.ts"
import { e164 } from "../numbers/E164.ts"
import { FailureCode } from "../wallet/FailureCode.ts"

export const TopUpStatus = Schema.Literals(["pending", "succeeded", "failed", "expired", "reversed"]).annotate({
  identifier: "TopUpStatus"
})
export type TopUpStatus = typeof TopUpStatus.Type

export const TopUpProvider = Schema.Literals(["mobilemoney", "card", "manual"]).annotate({
  identifier: "TopUpProvider",
  description: "`manual`: the payer used the workspace's account reference instead of a prompt."
})
export type TopUpProvider = typeof TopUpProvider.Type

export const TopUpRequest = Schema.Struct({
  provider: Schema.String.check(Schema.isMaxLength(64)).annotate({
    description:
      "`mobilemoney` prompts a phone; the wallet must be in the currency of the provider, KES for M-Pesa. `card` answers " +
      "with a page to pay on. Another provider is refused with `cardprovider.unavailable`."
  }),
  amount_minor: Schema.Int.annotate({
    description: "Positive. For mobile money a multiple of 100. Each currency has a minimum and a maximum."
  }),
  currency: Schema.String.annotate({ description: "The currency of the wallet." }),
  phone_e164: Schema.optionalKey(Schema.String.check(Schema.isPattern(e164))).annotate({
    description: "The phone to prompt. Required for mobile money. It need not belong to the workspace.",
    format: "e164"
  }),
  save_card: Schema.optionalKey(Schema.Boolean).annotate({
    description: "By card only: saves the card for automatic top-ups, in place of the one before it."
  })
}).annotate({ identifier: "TopUpRequest" })
export type TopUpRequest = typeof TopUpRequest.Type

export const TopUpRecord = Schema.Struct({
  topup_id: TopUpId,
  workspace_id: WorkspaceId,
  provider: TopUpProvider,
  amount_minor: Schema.Int,
  currency: Schema.String,
  phone_e164: Schema.NullOr(Schema.String).annotate({ description: "The payer's phone. Masked in lists." }),
  status: TopUpStatus,
  payment_url: Schema.NullOr(Schema.String).annotate({
    description: "The page on which the payer pays by card, while the top-up is pending. Null if there is no page."
  }),
  mobilemoney_account_ref: Schema.String.annotate({
    description: "The workspace's account reference for manual payments. It never changes."
  }),
  provider_reference: Schema.NullOr(Schema.String).annotate({ description: "The provider's receipt." }),
  failure_code: Schema.NullOr(FailureCode),
  failure_message: Schema.NullOr(Schema.String),
  created_at: Schema.String,
  completed_at: Schema.NullOr(Schema.String),
  reversed_minor: Schema.Int.annotate({
    description: "How much of the amount the provider took back again. If it is all, the status is `reversed`."
  }),
  expires_at: Schema.String
}).annotate({ identifier: "TopUp" })
export type TopUpRecord = typeof TopUpRecord.Type

/** Masks a phone number, `+254700000089` as `+2547******89`, so that its owner still recognises it. */
export const maskedPhone = (phone: string): string =>
  `${phone.slice(0, 5)}${"*".repeat(Math.max(0, phone.length - 7))}${phone.slice(-2)}`

export interface TopUpFilter {
  readonly status?: TopUpStatus
}
