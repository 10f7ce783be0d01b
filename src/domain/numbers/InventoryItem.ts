// A number that can be claimed, with its prices in one currency.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"
import { Capability, type NumberRecord, NumberType } from "./NumberRecord.ts"
import type { NumberStatus } from "./NumberStatus.ts"
import type { NumberTerms } from "./PhoneNumber.ts"

export const InventoryItem = Schema.Struct({
  inventory_id: Schema.String.annotate({ description: "Claims the number. It becomes the number's `id`." }),
  number: Schema.String.annotate({ description: "E.164." }),
  country: Schema.String.annotate({ description: "ISO 3166-1 alpha-2." }),
  type: NumberType,
  locality: Schema.NullOr(Schema.String),
  capabilities: Schema.Array(Capability),
  setup_price_minor: Schema.Int,
  monthly_price_minor: Schema.Int.annotate({ description: "The claim charges the first month." }),
  inbound_per_min_minor: Schema.Int,
  outbound_per_min_minor: Schema.Int.annotate({ description: "The price of a started minute that replaces the rate." }),
  currency: Currency
}).annotate({ identifier: "AvailableNumber" })
export type InventoryItem = typeof InventoryItem.Type

export interface InventoryFilter {
  readonly country?: string
  readonly type?: NumberRecord["type"]
  readonly capability?: Capability
  /** Consecutive digits of the number. */
  readonly contains?: string
}

/** Status and price of a number of the platform. */
export interface Offer {
  /** `retired` also if its series is retired and no workspace has the number. */
  readonly status: NumberStatus
  /** E.164. */
  readonly number: string
  /** Null: its series has no price in the currency. */
  readonly terms: NumberTerms | null
}
