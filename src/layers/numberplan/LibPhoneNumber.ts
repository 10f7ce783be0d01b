// The numbering plans of libphonenumber. Calls need lengths and countries, for which its smallest metadata (83 KB) is
// enough. A lookup also needs the kinds of numbers, which its largest (145 KB) has.
import { Layer } from "effect"
import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
  validatePhoneNumberLength
} from "libphonenumber-js/min"
import { type NumberFault, type NumberingPlans, type PlanReading, readNumber } from "../../domain/numbers/ReadNumber.ts"
import { parsePhoneNumberFromString as parseWithKind, type NumberType } from "libphonenumber-js/max"
import { isTestNumber } from "../../domain/kit/Sandbox.ts"
import type { NumberDescription, NumberKind } from "../../domain/numbers/NumberDescription.ts"
import { NumberPlan } from "../../domain/ports/numbers/NumberPlan.ts"

/** Parsing a number takes 9 µs, a cached one 0.1 µs. The cache holds between this many numbers and twice as many. */
const cacheSize = 10_000

const faults: Readonly<Record<NonNullable<ReturnType<typeof validatePhoneNumberLength>>, NumberFault>> = {
  INVALID_COUNTRY: "unknown_country_code",
  INVALID_LENGTH: "not_possible",
  NOT_A_NUMBER: "not_possible",
  TOO_LONG: "too_long",
  TOO_SHORT: "too_short"
}

const readingOf = (
  number: PhoneNumber | undefined,
  length: ReturnType<typeof validatePhoneNumberLength>
): PlanReading =>
  number?.isPossible()
    ? { ok: true, e164: number.number, country: number.country ?? null, assigned: number.isValid() }
    : { ok: false, reason: length === undefined ? "not_possible" : faults[length] }

const international = (text: string): PlanReading =>
  readingOf(parsePhoneNumberFromString(text), validatePhoneNumberLength(text))

const national = (digits: string, country: string): PlanReading => {
  if (!isSupportedCountry(country)) return { ok: false, reason: "unknown_country_code" }
  const from: CountryCode = country
  return readingOf(parsePhoneNumberFromString(digits, from), validatePhoneNumberLength(digits, from))
}

const kinds: Readonly<Record<NonNullable<NumberType>, NumberKind>> = {
  FIXED_LINE: "landline",
  MOBILE: "mobile",
  FIXED_LINE_OR_MOBILE: "landline_or_mobile",
  TOLL_FREE: "toll_free",
  PREMIUM_RATE: "premium",
  SHARED_COST: "shared_cost",
  VOIP: "voip",
  PERSONAL_NUMBER: "personal",
  PAGER: "pager",
  UAN: "company",
  VOICEMAIL: "voicemail"
}

const describe = (e164: string): NumberDescription => {
  if (isTestNumber(e164)) return { kind: "test", valid: true, national: e164, international: e164 }
  const number = parseWithKind(e164)
  if (number === undefined) return { kind: "unknown", valid: false, national: e164, international: e164 }
  const kind = number.getType()
  return {
    kind: kind === undefined ? "unknown" : kinds[kind],
    valid: number.isValid(),
    national: number.formatNational(),
    international: number.formatInternational()
  }
}

/** A cache of two generations: when the young one is full, it replaces the old one. */
const cached = (read: (text: string) => PlanReading): ((text: string) => PlanReading) => {
  let young = new Map<string, PlanReading>()
  let old = young
  return (text) => {
    const recent = young.get(text)
    if (recent !== undefined) return recent
    const reading = old.get(text) ?? read(text)
    if (young.size >= cacheSize) {
      old = young
      young = new Map()
    }
    young.set(text, reading)
    return reading
  }
}

export const layer: Layer.Layer<NumberPlan> = Layer.sync(NumberPlan, () => {
  const plans: NumberingPlans = { international: cached(international), national }
  return NumberPlan.of({ read: (text, options) => readNumber(text, plans, options), describe })
})
