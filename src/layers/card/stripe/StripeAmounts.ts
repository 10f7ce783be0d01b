// Amounts as Stripe writes them (https://docs.stripe.com/currencies): in the currency's minor unit by Stripe's own
// table, which is neither ISO 4217's nor ours.
import type { Currency } from "../../../domain/wallet/Currency.ts"

interface Unit {
  /** How many of our minor units are one of Stripe's. */
  readonly ours: number
  /** Amounts are multiples of this, in our minor units. */
  readonly step: number
}

const twoDecimals: Unit = { ours: 1, step: 1 }

/**
 * RWF is a zero-decimal currency: 500 francs are 500. UGX has no decimals either, but is written with two for backwards
 * compatibility: 5 shillings are 500, and fractions are refused ("Special cases").
 */
const units: Readonly<Record<Currency, Unit>> = {
  KES: twoDecimals,
  UGX: { ours: 1, step: 100 },
  TZS: twoDecimals,
  RWF: { ours: 100, step: 100 },
  ZAR: twoDecimals,
  GHS: twoDecimals,
  NGN: twoDecimals
}

/** The smallest step of an amount in this currency, in our minor units. */
export const unitOf = (currency: Currency): number => units[currency].step

/** Our minor units in Stripe's. The amount is a multiple of `unitOf`. */
export const stripeAmount = (amount_minor: number, currency: Currency): number => amount_minor / units[currency].ours

/** Stripe's minor units in ours. */
export const amountOfStripe = (amount: number, currency: Currency): number => amount * units[currency].ours
