// The test network, which sandboxes call and whose numbers they claim: the country code 999, which no network holds
// (ITU-T E.164, list of assigned codes), and eight digits. docs/test-mode.md has its phones.
import type { Currency } from "../wallet/Currency.ts"
import type { Rate } from "./Rate.ts"

/** A country that no number has (ISO 3166-1, user-assigned), so that nothing is dialled without a country code. */
export const testCountry = "ZZ"

/** Minor units. */
interface TestPrices {
  /** A minute to a test phone. */
  readonly per_min_minor: number
  /** A month of a test number, and a minute to it. */
  readonly monthly_price_minor: number
  readonly inbound_per_min_minor: number
}

const prices = (per_min_minor: number, inbound_per_min_minor: number): TestPrices => ({
  per_min_minor,
  monthly_price_minor: per_min_minor * 100,
  inbound_per_min_minor
})

/** About as much as real calls cost, so that what is tried here is near to what happens later. */
export const testPrices: Readonly<Record<Currency, TestPrices>> = {
  KES: prices(300, 100),
  UGX: prices(8_700, 2_900),
  TZS: prices(6_000, 2_000),
  RWF: prices(3_000, 1_000),
  ZAR: prices(45, 15),
  GHS: prices(30, 10),
  NGN: prices(3_600, 1_200)
}

/** What a new sandbox begins with, in minor units: a month of its number, and 900 minutes of calls. */
export const startingCredit_minor = (currency: Currency): number => testPrices[currency].per_min_minor * 1_000

/** How many times as much a minute to the expensive phone costs. */
export const expensiveFactor = 1_000

type SpecialRate = (per_min_minor: number, prefix: string) => Rate | undefined

/** The phones whose rate is not the ordinary one; undefined: there is no rate. */
const ratesOf: ReadonlyMap<string, SpecialRate> = new Map<string, SpecialRate>([
  ["99900000007", () => undefined],
  ["99900000018", (per_min_minor, prefix) => ({ prefix, per_min_minor, class: "high_risk" })],
  ["99900000019", (per_min_minor, prefix) => ({ prefix, per_min_minor, class: "blocked" })],
  [
    "99900000020",
    (per_min_minor, prefix) => ({ prefix, per_min_minor: per_min_minor * expensiveFactor, class: "normal" })
  ]
])

/** The rate of a call to the digits of a test number, the same in every deployment. */
export const testRate = (currency: Currency, digits: string): Rate | undefined => {
  const { per_min_minor } = testPrices[currency]
  const special = ratesOf.get(digits)
  return special === undefined ? { prefix: "999", per_min_minor, class: "normal" } : special(per_min_minor, digits)
}

/** What happens to the webhooks about calls to a number. */
export interface TestDelivery {
  /** How long the first attempt waits. */
  readonly delay_ms?: number
  /** Every webhook is delivered a second time. */
  readonly twice?: true
}

const deliveries: ReadonlyMap<string, TestDelivery> = new Map<string, TestDelivery>([
  ["+99900000023", { delay_ms: 60_000 }],
  ["+99900000024", { twice: true }]
])

export const testDelivery = (to: string): TestDelivery | undefined => deliveries.get(to)
