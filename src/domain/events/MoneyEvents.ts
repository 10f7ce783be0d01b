import { Schema } from "effect"
import { TopUpRecord } from "../topups/TopUpRecord.ts"
import { FailureCode } from "../wallet/FailureCode.ts"
import { DisabledReason } from "../wallet/AutoTopUp.ts"
import { StatementEntry } from "../wallet/StatementEntry.ts"
import { WalletBalance } from "../wallet/WalletBalance.ts"
import { at, workspace_id } from "./ExampleIds.ts"
import { webhookEvent } from "./WebhookEvent.ts"
import { toTopUpId } from "../BrandedIds.ts"

const { Int, String: Text } = Schema

const { available_minor, balance_minor, currency, low_balance_threshold_minor } = WalletBalance.fields
const walletFields = { workspace_id: Text, balance_minor, available_minor, currency, low_balance_threshold_minor }
const { actor: _, metadata: __, ...entryFields } = StatementEntry.fields

const topUp = {
  topup_id: toTopUpId("01981d5e-0000-7000-8000-000000000004"),
  workspace_id,
  provider: "mobilemoney",
  amount_minor: 100_000,
  currency: "KES",
  phone_e164: "+254700000089",
  status: "succeeded",
  mobilemoney_account_ref: "4T7K2M9QX3",
  provider_reference: "NLJ7RT61SV",
  failure_code: null,
  failure_message: null,
  created_at: at,
  completed_at: at,
  payment_url: null,
  reversed_minor: 0,
  expires_at: at
} as const

const wallet = {
  workspace_id,
  balance_minor: 4_500,
  available_minor: 4_200,
  currency: "KES",
  low_balance_threshold_minor: 5_000
} as const

const topUps = [
  webhookEvent("topup.succeeded", { families: ["billing"], fields: TopUpRecord.fields, example: topUp }),
  webhookEvent("topup.failed", {
    families: ["billing"],
    fields: TopUpRecord.fields,
    example: {
      ...topUp,
      status: "failed",
      provider_reference: null,
      failure_code: "cancelled_by_user",
      failure_message: "Request cancelled by user"
    }
  }),
  webhookEvent("topup.reversed", {
    families: ["billing"],
    fields: TopUpRecord.fields,
    example: { ...topUp, status: "reversed", reversed_minor: 100_000 }
  })
] as const

const wallets = [
  webhookEvent("wallet.low_balance", { families: ["billing"], fields: walletFields, example: wallet }),
  webhookEvent("wallet.negative", {
    families: ["billing"],
    fields: walletFields,
    example: { ...wallet, balance_minor: -500, available_minor: -500 }
  }),
  webhookEvent("wallet.auto_topup_disabled", {
    families: ["billing"],
    fields: {
      ...walletFields,
      reason: DisabledReason.annotate({ description: "Why automatic top-ups were turned off." }),
      failure_code: Schema.NullOr(FailureCode).annotate({ description: "Of the last payment, if it failed." })
    },
    example: { ...wallet, reason: "payments_failed", failure_code: "card_declined" }
  }),
  webhookEvent("wallet.adjusted", {
    families: ["billing"],
    fields: { ...walletFields, entry: Schema.Struct(entryFields) },
    example: {
      ...wallet,
      entry: {
        id: "01981d5e-0000-7000-8000-000000000005",
        sequence: 12,
        kind: "refund",
        amount_minor: 1_000,
        balance_after_minor: 4_500,
        currency: "KES",
        reference_type: "adjustment",
        reference_id: "01981d5e-0000-7000-8000-000000000005",
        description: "Goodwill",
        created_at: at
      }
    }
  })
] as const

const storage = [
  webhookEvent("storage.tier_changed", {
    families: ["billing"],
    fields: {
      workspace_id: Text,
      from_tier_mb: Int,
      to_tier_mb: Int,
      charge_minor: Int.annotate({ description: "What this change debited; 0 if nothing." }),
      currency,
      reason: Schema.Literals(["customer", "renewal", "downgrade", "past_due"]),
      changed_at: Text.annotate({ format: "date-time" })
    },
    example: {
      workspace_id,
      from_tier_mb: 100,
      to_tier_mb: 1024,
      charge_minor: 29_950,
      currency: "KES",
      reason: "customer",
      changed_at: at
    }
  }),
  webhookEvent("storage.usage_high", {
    families: [],
    fields: {
      workspace_id: Text,
      percent: Schema.Literals([80, 100]).annotate({ description: "The mark that was passed." }),
      used_bytes: Int,
      tier_mb: Int
    },
    example: { workspace_id, percent: 80, used_bytes: 90_000_000, tier_mb: 100 }
  }),
  webhookEvent("storage.recordings_evicted", {
    families: [],
    fields: {
      workspace_id: Text,
      recordings: Int.annotate({ description: "How many recordings were deleted." }),
      freed_bytes: Int,
      used_bytes: Int.annotate({ description: "What is used afterwards." }),
      tier_mb: Int
    },
    example: { workspace_id, recordings: 2, freed_bytes: 1_760_088, used_bytes: 104_000_000, tier_mb: 100 }
  })
] as const

export const moneyEvents = [...topUps, ...wallets, ...storage] as const
