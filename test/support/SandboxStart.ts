import { startingCredit_minor, testPrices } from "../../src/domain/numbers/TestNetwork.ts"
import type { Currency } from "../../src/domain/wallet/Currency.ts"

/** The balance of a new sandbox, in minor units: what it begins with, less the first month of its number. */
export const startingBalance_minor = (currency: Currency): number =>
  startingCredit_minor(currency) - testPrices[currency].monthly_price_minor
