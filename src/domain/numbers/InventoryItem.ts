// A number that can be claimed, with its prices in one currency.
import { Schema } from "effect"
import { Currency } from "../wallet/Currency.ts"
import { Capability, NumberType } from "./NumberRecord.ts"

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
  outbound_per_min_minor: Schema.Int,
  currency: Currency
}).annotate({ identifier: "AvailableNumber" })
export type InventoryItem = typeof InventoryItem.Type
