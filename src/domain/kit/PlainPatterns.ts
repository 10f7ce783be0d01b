// Patterns of the engine's schemas in a form that every validator of JSON Schema reads. Many compile patterns without
// the flag `u`, where `\p{Cc}` is the letter p, and a character beyond U+FFFF is two surrogates.

/** The control characters: exactly the category Cc of Unicode. */
const controls = String.raw`\u0000-\u001f\u007f-\u009f`

const surrogate = String.raw`\p{Surrogate}`
const control = String.raw`\p{Cc}`

/** A class that refuses surrogates: any other character, or a pair of surrogates, which is one character. */
const withPairs = /\[\^([^\]]*)\\p\{Surrogate\}\]([*+])/g
const pair = String.raw`[\ud800-\udbff][\udc00-\udfff]`

/** The same pattern without classes of Unicode. It means the same with the flag `u` and without. */
export const plainPattern = (pattern: string): string => {
  const plain = pattern
    .replaceAll(withPairs, (_, others: string, times: string) => {
      return String.raw`(?:[^${others}\ud800-\udfff]|${pair})${times}`
    })
    .replaceAll(control, controls)
    .replaceAll(String.raw`\0`, String.raw`\u0000`)
  if (plain.includes(surrogate)) throw new Error(`No plain form of the pattern ${pattern}`)
  return plain
}

/** A JSON Schema, or a document of several, with plain patterns. */
export const withPlainPatterns = <Document>(document: Document): Document =>
  JSON.parse(
    JSON.stringify(document, (name, value: unknown) =>
      name === "pattern" && typeof value === "string" ? plainPattern(value) : value
    )
  ) as Document
