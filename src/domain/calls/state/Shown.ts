// Redacts and bounds what a timeline stores of a customer's documents: a secret must not be readable there, and a
// document must not fill the table.

/** Members and query parameters whose values are left out. */
const secretName =
  /secret|token|passw|passphrase|authori[sz]ation|credential|signature|api[-_]?key|access[-_]?key|private[-_]?key|session[-_]?key|cookie|^(auth|sig|key|pwd|pin|otp|cvv|cvc)$|[-_](sig|key|pwd|pin|otp)$/i

/** A value of a query parameter that is longer may be a key, whatever its name is. */
const maxParameter_chars = 64

const redacted = "[redacted]"

/** Longer documents are cut; the cut text ends with an ellipsis. */
export const maxShown_chars = 4_096

/** Objects and arrays nested more deeply are shown as an ellipsis. */
const maxDepth = 12

/** A URL without any of these has no user, no password, no query and no fragment. */
const mayHaveSecret = /[@?#]/

const isUrl = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(text)

/** The URL without user, password and fragment, and without values of its query that may be secret. */
const shownUrl = (text: string): string => {
  if (!mayHaveSecret.test(text)) return text
  const url = URL.parse(text)
  if (url === null) return text
  const hasSecret = (name: string, value: string) => secretName.test(name) || value.length > maxParameter_chars
  const members = [...url.searchParams]
  if (url.username === "" && url.password === "" && url.hash === "" && !members.some((member) => hasSecret(...member)))
    return text
  url.username = ""
  url.password = ""
  url.hash = ""
  for (const [name, value] of members) if (hasSecret(name, value)) url.searchParams.set(name, redacted)
  return url.href
}

/** What PostgreSQL cannot store in JSON: NUL, and half a surrogate pair. */
const storable = (text: string): string => text.replaceAll("\0", "\uFFFD").toWellFormed()

const withoutSecrets = (value: unknown, depth: number): unknown => {
  if (typeof value === "string") return storable(isUrl(value) ? shownUrl(value) : value)
  if (typeof value !== "object" || value === null) return value
  if (depth === maxDepth) return "…"
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      storable(name),
      secretName.test(name) && member !== null ? redacted : withoutSecrets(member, depth + 1)
    ])
  )
}

const canBeStored = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** Whether nothing of the value is left out or changed. */
const isShownWhole = (value: unknown, depth: number): boolean => {
  if (typeof value === "string") return canBeStored(value) && !(mayHaveSecret.test(value) && isUrl(value))
  if (typeof value !== "object" || value === null) return true
  if (depth === maxDepth) return false
  if (Array.isArray(value)) return value.every((each) => isShownWhole(each, depth + 1))
  return Object.entries(value).every(
    ([name, member]) =>
      canBeStored(name) && (member === null || (!secretName.test(name) && isShownWhole(member, depth + 1)))
  )
}

const cut = (text: string): string =>
  text.length > maxShown_chars ? `${text.slice(0, maxShown_chars).toWellFormed()}…` : text

/**
 * The JSON value without secrets, which are members with the name of one and parts of URLs. A value whose JSON text is
 * longer than `maxShown_chars` becomes the beginning of that text.
 */
export const shown = (value: unknown): unknown => {
  // Nearly every document hides nothing, and needs no copy.
  const safe = isShownWhole(value, 0) ? value : withoutSecrets(value, 0)
  if (typeof safe === "string") return cut(safe)
  const text = JSON.stringify(safe) ?? "null"
  return text.length > maxShown_chars ? cut(text) : safe
}
