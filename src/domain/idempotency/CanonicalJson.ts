import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"

/** Deeper than any request of the API, shallower than the stack. */
const max_depth = 64

/** Undefined stands for too deep. Members in the order of their UTF-16 code units, as in RFC 8785. */
const write = (value: unknown, depth: number): string | undefined => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (depth === max_depth) return undefined
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
 * One text for all spellings of a parsed JSON document: the order of members, blanks and escapes do not matter.
 * Two requests with one Idempotency-Key are the same request when these texts are equal. An absent body is
 * `undefined` and its text is empty, which no document has.
 */
export const canonicalJson = (document: unknown): Result.Result<string, BadRequest> => {
  const text = document === undefined ? "" : write(document, 0)
  if (text !== undefined) return Result.succeed(text)
  const message = `The document is nested more than ${max_depth} levels deep.`
  return Result.fail(new BadRequest({ message, details: [{ field: "", code: "too_deep", message }] }))
}
