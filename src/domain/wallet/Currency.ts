import { Schema } from "effect"

/** The currencies of wallets (ISO 4217). Amounts are minor units: 100 make 1.00 of each of them. */
export const Currency = Schema.Literals(["KES", "UGX", "TZS", "RWF", "ZAR", "GHS", "NGN"])
export type Currency = typeof Currency.Type

export const isCurrency = Schema.is(Currency)
