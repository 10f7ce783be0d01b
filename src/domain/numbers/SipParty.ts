// The parties of a call as SIP networks write them: `+254…`, `254…`, `00254…`, `07…`, a SIP or tel URI, with parameters
// such as `;npdi;rn=…` (RFC 4694) or `;phone-context=…` (RFC 3966), or withheld.
import type { NumberReading, ReadOptions } from "./ReadNumber.ts"

type Read = (text: string, options?: ReadOptions) => NumberReading

/** What callers who withhold their number are called. */
export const anonymous = "anonymous"

/** Longer than any party that is a number. */
const maxLength = 256

/** Users of From by which networks say that the number is withheld or not known (RFC 3323, RFC 3325, and others). */
const withheld: ReadonlySet<string> = new Set([
  "",
  anonymous,
  "restricted",
  "unavailable",
  "unknown",
  "private",
  "withheld"
])

interface Party {
  /** Without scheme, password, parameters and host. */
  readonly user: string
  readonly host: string
  /** The area or country code that a local number belongs to, such as `+254`. */
  readonly context: string | undefined
}

const unescaped = (user: string): string => {
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

/** Reads a user part, a URI, or an address such as `"Asha" <sip:+254…@host>`. */
const partyOf = (text: string): Party => {
  const begin = text.indexOf("<")
  const address = begin < 0 ? text : text.slice(begin + 1).replace(/>.*$/s, "")
  const bare = address.trim().replace(/^(?:sips?|tel):/i, "")
  const at = bare.indexOf("@")
  const [userinfo, host] = at < 0 ? [bare, ""] : [bare.slice(0, at), bare.slice(at + 1)]
  return {
    user: unescaped(userinfo.replace(/[;:].*$/s, "")).trim(),
    host: host.replace(/[;:>].*$/s, "").toLowerCase(),
    context: /;phone-context=(\+\d{1,15})(?![\w.-])/i.exec(userinfo)?.[1]
  }
}

const numberOf = ({ context, user }: Party, country: string | undefined, read: Read): string | undefined => {
  const local = context !== undefined && /^\d/.test(user)
  const reading = read(local ? context + user : user, { default_country: country, allow_test: true })
  return reading.ok ? reading.e164 : undefined
}

/**
 * The caller in E.164, `anonymous`, or unchanged if it is no telephone number, or not clear which. `country` (ISO
 * 3166-1 alpha-2) is that of numbers without a country code.
 */
export const callerOf = (text: string, country: string | undefined, read: Read): string => {
  if (text.length > maxLength) return text
  const party = partyOf(text)
  if (withheld.has(party.user.toLowerCase()) || party.host === "anonymous.invalid") return anonymous
  return numberOf(party, country, read) ?? text
}

/**
 * The numbers (E.164) that may be meant by a called party, the likeliest first; none if it is no telephone number.
 * `countries` are those whose national form is expected.
 */
export const calledNumbers = (text: string, countries: ReadonlyArray<string>, read: Read): ReadonlyArray<string> => {
  if (text.length > maxLength) return []
  const party = partyOf(text)
  const digits = party.user.replaceAll(/[().-]/g, "")
  if (!/^\+?\d{3,20}$/.test(digits)) return []
  const plain = { ...party, user: digits }
  const national = digits.startsWith("+") || party.context !== undefined ? [undefined] : [undefined, ...countries]
  const literal = /^\+?[1-9]/.test(digits) && party.context === undefined ? [digits.replace(/^\+?/, "+")] : []
  return [...new Set([...literal, ...national.flatMap((country) => numberOf(plain, country, read) ?? [])])]
}
