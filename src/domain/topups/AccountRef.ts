// The reference that a payer enters for a manual payment to a workspace: nine random base-32 characters and a check
// character that detects typing errors (Luhn algorithm modulo 32). The alphabet is Crockford's: no I, L, O or U.
import { Option } from "effect"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const length = 10

/** The check character of `characters`. A doubled value counts as the sum of its two base-32 digits. */
const checkOf = (characters: string): string => {
  let sum = 0
  for (let index = 0; index < characters.length; index++) {
    const value = alphabet.indexOf(characters.charAt(characters.length - 1 - index))
    const weighted = index % 2 === 0 ? 2 * value : value
    sum += Math.trunc(weighted / 32) + (weighted % 32)
  }
  return alphabet.charAt((32 - (sum % 32)) % 32)
}

/** The reference made from the lowest 45 bits of `random`. */
export const accountRef = (random: bigint): string => {
  let body = ""
  for (let bits = random, n = 1; n < length; n++, bits >>= 5n) body = alphabet.charAt(Number(bits & 31n)) + body
  return body + checkOf(body)
}

/**
 * Reads a reference as people write it: in any case, with spaces and dashes, with O for 0 and I or L for 1. None if the
 * text is not a valid reference.
 */
export const readAccountRef = (text: string): Option.Option<string> => {
  const ref = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1")
  const isValid =
    ref.length === length &&
    [...ref].every((character) => alphabet.includes(character)) &&
    checkOf(ref.slice(0, -1)) === ref.at(-1)
  return isValid ? Option.some(ref) : Option.none()
}
