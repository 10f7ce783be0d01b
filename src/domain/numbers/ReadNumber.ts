// Reads a telephone number. The strict reading accepts E.164 only, because a mistake would dial somebody else. The
// lenient reading accepts any usual spelling. What the lenient reading would accept, the strict reading suggests in its
// refusal.

export type NumberFault =
  | "empty"
  | "invalid_characters"
  | "missing_country_code"
  | "unknown_country_code"
  | "too_short"
  | "too_long"
  | "not_possible"

export type NumberReading =
  /** `country` (ISO 3166-1 alpha-2) is null for a code without a single country, such as +800. */
  | { readonly ok: true; readonly e164: string; readonly country: string | null }
  | {
      readonly ok: false
      readonly reason: NumberFault
      /** The number that was probably meant; absent if there is none, or more than one. */
      readonly suggested_e164?: string
    }

export interface ReadOptions {
  /** Country of numbers without a country code (ISO 3166-1 alpha-2). */
  readonly default_country?: string | undefined
  /** Accept `+` and digits only. */
  readonly strict?: boolean
  /** Accept numbers of the test network: +999 and eight digits. */
  readonly allow_test?: boolean
}

/** A reading by the numbering plans. `assigned`: the number belongs to a range that is in use. */
export type PlanReading =
  | { readonly ok: true; readonly e164: string; readonly country: string | null; readonly assigned: boolean }
  | { readonly ok: false; readonly reason: NumberFault }

/** The numbering plans of all countries. */
export interface NumberingPlans {
  /** Reads `+` and digits. A trunk prefix after the country code is dropped from the result. */
  readonly international: (text: string) => PlanReading
  /** Reads digits as dialled within the country, trunk prefix included. */
  readonly national: (digits: string, country: string) => PlanReading
}

type Read = Extract<PlanReading, { readonly ok: true }>

/** Longer than any number with punctuation. */
const maxLength = 64
const e164 = /^\+\d+$/
const testNetwork = "+999"
/**
 * Brackets, dots, slashes, spaces, dashes, and invisible format characters, which come with numbers copied from address
 * books.
 */
const separators = /[\s()./\p{Pd}\p{Cf}]/gu

/** The number without separators, and with full-width digits replaced by ASCII digits (Unicode NFKC). */
export const unpunctuated = (text: string): string =>
  e164.test(text) ? text : text.normalize("NFKC").replace(separators, "")

const fault = (reason: NumberFault) => ({ ok: false, reason }) as const

const testNumber = (text: string): PlanReading =>
  text.length === 12
    ? { ok: true, e164: text, country: null, assigned: true }
    : fault(text.length < 12 ? "too_short" : "too_long")

const withTestNetwork = ({ international, national }: NumberingPlans): NumberingPlans => ({
  national,
  international: (text) => (text.startsWith(testNetwork) ? testNumber(text) : international(text))
})

/** The possible readings of digits without a country code, or with one after 00; the likeliest first. */
const meanings = (digits: string, plans: NumberingPlans, country: string | undefined): Array<PlanReading> => {
  if (digits.startsWith("+")) return [plans.international(digits)]
  if (digits.startsWith("00")) return [plans.international(`+${digits.slice(2)}`)]
  const abroad = plans.international(`+${digits}`)
  return country === undefined ? [abroad] : [plans.national(digits, country), abroad]
}

/** The number if the readings agree on one. Assigned numbers take precedence over possible ones. */
const onlyNumber = (readings: ReadonlyArray<PlanReading>): Read | undefined => {
  const read = readings.filter((reading) => reading.ok)
  const assigned = read.filter((reading) => reading.assigned)
  const [first, ...others] = assigned.length > 0 ? assigned : read
  return others.every((other) => other.e164 === first?.e164) ? first : undefined
}

const clean = (text: string, plans: NumberingPlans, strict: boolean): NumberReading => {
  const read = plans.international(text)
  if (!read.ok) return read
  const { country, e164 } = read
  return strict && e164 !== text
    ? { ok: false, reason: "not_possible", suggested_e164: e164 }
    : { ok: true, e164, country }
}

const spelled = (text: string, plans: NumberingPlans, strict: boolean, country: string | undefined): NumberReading => {
  const digits = unpunctuated(text)
  if (digits === "" || digits === "+") return fault("empty")
  if (!/^\+?\d+$/.test(digits)) return fault("invalid_characters")

  const readings = meanings(digits, plans, country)
  const one = onlyNumber(readings)
  if (strict) {
    const reason = /^\d+$/.test(text) ? "missing_country_code" : "invalid_characters"
    return { ...fault(reason), ...(one !== undefined && { suggested_e164: one.e164 }) }
  }
  if (one !== undefined) return { ok: true, e164: one.e164, country: one.country }
  const [likeliest] = readings
  const placed = country !== undefined || /^(\+|00)/.test(digits)
  return placed && likeliest?.ok === false ? likeliest : fault("missing_country_code")
}

/** Reads a number by the plans. See `ReadOptions`; the default is lenient, without a country. */
export const readNumber = (text: string, plans: NumberingPlans, options: ReadOptions = {}): NumberReading => {
  const { allow_test = false, default_country, strict = false } = options
  if (text.length > maxLength) return fault("too_long")
  const known = allow_test ? withTestNetwork(plans) : plans
  return e164.test(text) ? clean(text, known, strict) : spelled(text, known, strict, default_country)
}
