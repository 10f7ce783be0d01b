// Automatic top-ups as customers set and read them (docs/topups.md). Amounts are minor units.
import { Schema } from "effect"
import { TopUpId } from "../BrandedIds.ts"
import { isoInstant } from "../kit/Instants.ts"
import { type AutoTopUp, chargedIn, DisabledReason } from "./AutoTopUp.ts"
import { Currency } from "./Currency.ts"

const Amount = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

export const AutoTopUpRequest = Schema.Struct({
  enabled: Schema.Boolean.annotate({ description: "Whether the saved card is charged while the wallet is low." }),
  threshold_minor: Amount.annotate({ description: "A top-up starts while less than this is available." }),
  amount_minor: Amount.annotate({ description: "Of each top-up. Positive, within the limits of top-ups." }),
  monthly_ceiling_minor: Amount.annotate({
    description: "What automatic top-ups may sum up to in a calendar month (UTC). At least `amount_minor`."
  })
}).annotate({ identifier: "AutoTopUpRequest" })
export type AutoTopUpRequest = typeof AutoTopUpRequest.Type

export const AutoTopUpRecord = Schema.Struct({
  enabled: Schema.Boolean.annotate({ description: "Whether the saved card is charged while the wallet is low." }),
  threshold_minor: Schema.NullOr(Schema.Int).annotate({
    description: "A top-up starts while less than this is available; `null`: it was never set."
  }),
  amount_minor: Schema.NullOr(Schema.Int),
  monthly_ceiling_minor: Schema.NullOr(Schema.Int).annotate({
    description: "What they may sum up to in a month (UTC); `null`: it was never set."
  }),
  currency: Currency,
  card: Schema.NullOr(
    Schema.Struct({ brand: Schema.String, last4: Schema.String }).annotate({ identifier: "CardOnFile" })
  ).annotate({ description: "The saved card. A top-up by card with `save_card` saves one." }),
  month: Schema.String.annotate({ description: "The calendar month (UTC) of `charged_minor`." }),
  charged_minor: Schema.Int.annotate({ description: "What automatic top-ups have charged in the month." }),
  topup_in_progress: Schema.NullOr(TopUpId),
  next_attempt_at: Schema.NullOr(Schema.String).annotate({
    description: "Until then no top-up starts, because a payment has failed."
  }),
  disabled_reason: Schema.NullOr(DisabledReason).annotate({
    description: "Why the engine turned automatic top-ups off. Null once they are set again."
  })
}).annotate({ identifier: "AutoTopUp" })
export type AutoTopUpRecord = typeof AutoTopUpRecord.Type

const neverSet = { enabled: false, threshold_minor: null, amount_minor: null, monthly_ceiling_minor: null }

export const autoTopUpRecord = (auto: AutoTopUp, currency: Currency, now: number): AutoTopUpRecord => {
  const { card, charge, disabled, not_before, settings } = auto
  return {
    ...(settings ?? neverSet),
    currency,
    card: card && { brand: card.brand, last4: card.last4 },
    ...chargedIn(auto, now),
    topup_in_progress: charge?.topup_id ?? null,
    next_attempt_at: not_before > now ? isoInstant(not_before) : null,
    disabled_reason: disabled
  }
}
