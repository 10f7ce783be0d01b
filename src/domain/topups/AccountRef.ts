// The reference with which a workspace is paid by hand: nine random characters of base 32 and a tenth that tells a slip
// of the pen (Luhn's algorithm modulo 32). The alphabet is Crockford's: no I, L, O or U.
import { Option } from "effect"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const length = 10

/** Doubled values are brought back below 32 by adding their two digits of base 32. */
const checkOf = (characters: string): string => {
  let sum = 0
  for (let index = 0; index < characters.length; index++) {
    const value = alphabet.indexOf(characters[characters.length - 1 - index]!)
    const weighted = index % 2 === 0 ? 2 * value : value
    sum += Math.trunc(weighted / 32) + (weighted % 32)
  }
  return alphabet[(32 - (sum % 32)) % 32]!
}

/** From 45 bits or more; the lowest are taken. */
export const accountRef = (random: bigint): string => {
  let body = ""
  for (let bits = random, n = 1; n < length; n++, bits >>= 5n) body = alphabet[Number(bits & 31n)]! + body
  return body + checkOf(body)
}

/** As people write it: any case, with blanks and dashes, with the letters that look like digits. None: it is no reference. */
export const readAccountRef = (text: string): Option.Option<string> => {
  const ref = text.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1")
  const sound =
    ref.length === length &&
    [...ref].every((character) => alphabet.includes(character)) &&
    checkOf(ref.slice(0, -1)) === ref.at(-1)
  return sound ? Option.some(ref) : Option.none()
}
