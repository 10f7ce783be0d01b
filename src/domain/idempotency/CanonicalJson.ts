import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"

/** More than any request of the API needs, and less than the stack allows. */
const maxDepth = 64

/** Undefined if the value is nested too deep. Members are sorted by UTF-16 code units, as in RFC 8785. */
const write = (value: unknown, depth: number): string | undefined => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (depth === maxDepth) return undefined
  const parts: Array<string> = []
  if (Array.isArray(value)) {
    for (const item of value) {
      const part = write(item, depth + 1)
      if (part === undefined) return undefined
      parts.push(part)
    }
    return `[${parts.join()}]`
  }
  for (const [name, member] of Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const part = write(member, depth + 1)
    if (part === undefined) return undefined
    parts.push(`${JSON.stringify(name)}:${part}`)
  }
  return `{${parts.join()}}`
}

/**
 * The canonical text of a parsed JSON document: the order of members, whitespace and escapes do not matter. Two
 * requests with one Idempotency-Key are the same request if their texts are equal. The text of an absent body
 * (`undefined`) is empty, which no document has.
 */
export const canonicalJson = (document: unknown): Result.Result<string, BadRequest> => {
  const text = document === undefined ? "" : write(document, 0)
  if (text !== undefined) return Result.succeed(text)
  const message = `The document is nested more than ${maxDepth} levels deep.`
  return Result.fail(new BadRequest({ message, details: [{ field: "", code: "too_deep", message }] }))
}
