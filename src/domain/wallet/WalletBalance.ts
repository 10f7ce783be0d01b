// What a workspace can spend. Amounts are minor units: 100 make 1.00 of every currency.
import { Schema } from "effect"
import { Currency } from "./Currency.ts"
import { WorkspaceId } from "../BrandedIds.ts"

export const WalletBalance = Schema.Struct({
  workspace_id: WorkspaceId,
  balance_minor: Schema.Int.annotate({ description: "What the wallet holds. It can be negative after a renewal." }),
  held_minor: Schema.Int.annotate({ description: "The part set aside for calls under way." }),
  available_minor: Schema.Int.annotate({ description: "What can be spent: the balance less what is held." }),
  currency: Currency,
  low_balance_threshold_minor: Schema.Int.annotate({ description: "Below it you are warned." }),
  updated_at: Schema.String
}).annotate({ identifier: "WalletBalance", description: "Amounts are minor units: 100 make 1.00 of the currency." })
export type WalletBalance = typeof WalletBalance.Type

export const WalletPatch = Schema.Struct({
  low_balance_threshold_minor: Schema.Int.annotate({
    description: "0 or more; 0 warns of nothing but a negative balance."
  })
}).annotate({ identifier: "WalletPatch" })
export type WalletPatch = typeof WalletPatch.Type
