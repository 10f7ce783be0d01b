// The words of SIP (RFC 3261, section 25.1) and the limits that the WebRTC gate sets to them.

export const sipLimits = {
  /** The most bytes of a message, in UTF-8. */
  message: 65_536,
  headers: 64,
  /** The most characters of a header's value, unfolded. */
  header: 4_096,
  uri: 512,
  word: 255,
  number: 2 ** 31 - 1
} as const

/** Reads a text from left to right. `take` returns what the sticky pattern matches, and moves behind it. */
export interface Scanner {
  readonly take: (pattern: RegExp) => string | undefined
  readonly isAtEnd: () => boolean
}

export const scan = (text: string): Scanner => {
  let index = 0
  return {
    take: (pattern) => {
      pattern.lastIndex = index
      const match = pattern.exec(text)?.[0]
      index += match?.length ?? 0
      return match
    },
    isAtEnd: () => index === text.length
  }
}

/** Runs the parser, which must read the whole text. */
export const wholly =
  <A>(parse: (scanner: Scanner) => A | undefined) =>
  (text: string): A | undefined => {
    const scanner = scan(text)
    scanner.take(patterns.space)
    const parsed = parse(scanner)
    scanner.take(patterns.space)
    return scanner.isAtEnd() ? parsed : undefined
  }

/** All are sticky. White space is spaces only: the lexer replaces tabs and folds. */
export const patterns = {
  space: / */y,
  token: /[A-Za-z0-9.!%*_+`'~-]+/y,
  quoted: /"(?:[^"\\\p{Cc}]|\\[\u0020-\u007e])*"/uy,
  /** The value of a parameter that is neither a token nor quoted: a host. */
  value: /[A-Za-z0-9.!%*_+`'~:[\]-]+/y,
  digits: /\d{1,10}/y,
  comma: / *, */y,
  semicolon: / *; */y,
  equals: / *= */y
}

export const isToken = (text: string): boolean => text.length <= sipLimits.word && /^[A-Za-z0-9.!%*_+`'~-]+$/.test(text)

/** A word with an optional host (callid), as in Call-ID. */
export const isCallId = (text: string): boolean =>
  text.length <= sipLimits.word &&
  /^[A-Za-z0-9.!%*_+`'~()<>:\\"/[\]?{}-]+(?:@[A-Za-z0-9.!%*_+`'~()<>:\\"/[\]?{}-]+)?$/.test(text)

/** Undefined unless the text is a number in digits within SIP's range. */
export const parseNumber = (text: string): number | undefined => {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : undefined
  return number === undefined || number > sipLimits.number ? undefined : number
}

export const unquote = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(.)/g, "$1")
export const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** By lower-case name. A value is undefined if there is none; a quoted value keeps its quotes. */
export type Parameters = ReadonlyMap<string, string | undefined>

/** Parameters, each after a semicolon. Undefined if they are malformed or one is repeated. */
export const parameters = (scanner: Scanner): Parameters | undefined => {
  const found = new Map<string, string | undefined>()
  while (scanner.take(patterns.semicolon) !== undefined) {
    const name = scanner.take(patterns.token)?.toLowerCase()
    if (name === undefined || found.has(name)) return undefined
    if (scanner.take(patterns.equals) === undefined) {
      found.set(name, undefined)
      continue
    }
    const value = scanner.take(patterns.quoted) ?? scanner.take(patterns.value)
    if (value === undefined || value.length > sipLimits.header) return undefined
    found.set(name, value)
  }
  return found
}

export const printParameters = (values: Parameters): string =>
  [...values].map(([name, value]) => (value === undefined ? `;${name}` : `;${name}=${value}`)).join("")

/** Values separated by commas; at least one. */
export const listOf =
  <A>(parse: (scanner: Scanner) => A | undefined) =>
  (scanner: Scanner): ReadonlyArray<A> | undefined => {
    const found: Array<A> = []
    do {
      const each = parse(scanner)
      if (each === undefined) return undefined
      found.push(each)
    } while (scanner.take(patterns.comma) !== undefined)
    return found
  }

export const tokenList = wholly(listOf((scanner) => scanner.take(patterns.token)))
