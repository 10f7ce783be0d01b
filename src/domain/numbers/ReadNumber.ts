// Reads a telephone number: exactly E.164 where a mistake would dial somebody else, any usual spelling where a person
// only asks. Both are one rule: what a person may write is what the strict reading suggests instead.

export type NumberFault =
  | "empty"
  | "invalid_characters"
  | "missing_country_code"
  | "unknown_country_code"
  | "too_short"
  | "too_long"
  | "not_possible"

export type NumberReading =
  /** `country` (ISO 3166-1 alpha-2) is null for a code that is no single country's, such as +800. */
  | { readonly ok: true; readonly e164: string; readonly country: string | null }
  | {
      readonly ok: false
      readonly reason: NumberFault
      /** The number that was surely meant; absent where nothing or more than one thing was. */
      readonly suggested_e164?: string
    }

export interface ReadOptions {
  /** Where a number without a country code is dialled from (ISO 3166-1 alpha-2). */
  readonly default_country?: string | undefined
  /** `+` and digits, nothing else. */
  readonly strict?: boolean
  /** Numbers of the test network, +999 and eight digits, are numbers too. */
  readonly allow_test?: boolean
}

/** A reading by the world's numbering plans; `assigned` where such numbers are known to be in use. */
export type PlanReading =
  | { readonly ok: true; readonly e164: string; readonly country: string | null; readonly assigned: boolean }
  | { readonly ok: false; readonly reason: NumberFault }

/** What is known of the world's numbering plans. */
export interface NumberingPlans {
  /** `+` and digits. The number read can be another: a trunk prefix behind the country code is left out. */
  readonly international: (text: string) => PlanReading
  /** Digits as they are dialled within the country, trunk prefix included. */
  readonly national: (digits: string, country: string) => PlanReading
}

type Read = Extract<PlanReading, { readonly ok: true }>

/** Longer than any number with any punctuation. */
const max_length = 64
const e164 = /^\+\d+$/
const test_network = "+999"
/** Brackets, dots, slashes, blanks, every dash, and the invisible marks that are copied along from address books. */
const separators = /[\s()./\p{Pd}\p{Cf}]/gu

/** A number as it is dialled: what only separates is left out, and digits of other widths are digits. */
export const unpunctuated = (text: string): string =>
  e164.test(text) ? text : text.normalize("NFKC").replace(separators, "")

const fault = (reason: NumberFault) => ({ ok: false, reason }) as const

const testNumber = (text: string): PlanReading =>
  text.length === 12
    ? { ok: true, e164: text, country: null, assigned: true }
    : fault(text.length < 12 ? "too_short" : "too_long")

const withTestNetwork = ({ international, national }: NumberingPlans): NumberingPlans => ({
  national,
  international: (text) => (text.startsWith(test_network) ? testNumber(text) : international(text))
})

/** What digits without a country code, or with one after 00, can mean; the likeliest first. */
const meanings = (digits: string, plans: NumberingPlans, country: string | undefined): Array<PlanReading> => {
  if (digits.startsWith("+")) return [plans.international(digits)]
  if (digits.startsWith("00")) return [plans.international(`+${digits.slice(2)}`)]
  const abroad = plans.international(`+${digits}`)
  return country === undefined ? [abroad] : [plans.national(digits, country), abroad]
}

/** The one number that the meanings leave: numbers in use go before those that only could be. */
const theOne = (readings: ReadonlyArray<PlanReading>): Read | undefined => {
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
  const one = theOne(readings)
  if (strict) {
    const reason = /^\d+$/.test(text) ? "missing_country_code" : "invalid_characters"
    return { ...fault(reason), ...(one !== undefined && { suggested_e164: one.e164 }) }
  }
  if (one !== undefined) return { ok: true, e164: one.e164, country: one.country }
  const [likeliest] = readings
  const placed = country !== undefined || /^(\+|00)/.test(digits)
  return placed && likeliest?.ok === false ? likeliest : fault("missing_country_code")
}

export const readNumber = (text: string, plans: NumberingPlans, options: ReadOptions = {}): NumberReading => {
  const { allow_test = false, default_country, strict = false } = options
  if (text.length > max_length) return fault("too_long")
  const known = allow_test ? withTestNetwork(plans) : plans
  return e164.test(text) ? clean(text, known, strict) : spelled(text, known, strict, default_country)
}
