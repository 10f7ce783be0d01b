// Checks a request's JSON before its schema does: encoding, depth, and characters that PostgreSQL cannot store.
import { Result, SchemaAST } from "effect"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import { jsonFault } from "../../domain/json/JsonFault.ts"
import { pointer } from "../../domain/json/JsonPointer.ts"
import { unstorable } from "../../domain/json/Unstorable.ts"

const max_depth = 64
const utf8 = new TextDecoder("utf-8", { fatal: true })

const refused = (code: string, message: string, field = ""): Result.Result<never, BadRequest> =>
  Result.fail(new BadRequest({ message, details: [{ field, code, message }] }))

/** Whether the nesting is deeper than `max_depth`. Scans the text, because parsing a deep document is expensive. */
const tooDeep = (text: string): boolean => {
  if (text.length <= 2 * max_depth) return false
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index)
    if (quoted) {
      if (char === 0x5c) index++
      else if (char === 0x22) quoted = false
    } else if (char === 0x22) quoted = true
    else if (char === 0x7b || char === 0x5b) {
      if (++depth > max_depth) return true
    } else if (char === 0x7d || char === 0x5d) depth--
  }
  return false
}

/** Valid UTF-8 can contain a NUL or half a surrogate pair only as an escape. */
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/

/** The text of a body. Fails if PostgreSQL could not store it: it is not UTF-8, or contains a NUL. */
export const bodyText = (bytes: ArrayBuffer): Result.Result<string, BadRequest> => {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return refused("not_utf8", "The body is not valid UTF-8.")
  }
  return text.includes("\0") ? refused("invalid_characters", "The body contains a NUL.") : Result.succeed(text)
}

/** The JSON document of a body; undefined for an empty body. */
export const parseJson = (bytes: ArrayBuffer): Result.Result<unknown, BadRequest> => {
  if (bytes.byteLength === 0) return Result.succeed(undefined)
  const decoded = bodyText(bytes)
  if (Result.isFailure(decoded)) return decoded
  const text = decoded.success
  if (tooDeep(text)) return refused("too_deep", `The document is nested more than ${max_depth} levels deep.`)
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    const { column, expected, line } = jsonFault(text) ?? { line: 1, column: 1, expected: "a value" }
    return refused("not_json", `The body is not valid JSON: line ${line}, column ${column}: expected ${expected}.`)
  }
  const fault = suspicious.test(text) ? unstorable(document, []) : undefined
  return fault === undefined
    ? Result.succeed(document)
    : refused("invalid_characters", "A string contains a NUL or half a surrogate pair.", pointer(fault))
}

/** JSON pointers to the members that the schema does not know. They are ignored, and the response lists them. */
export const unknownMembers = (
  schema: SchemaAST.AST,
  value: unknown,
  path: ReadonlyArray<PropertyKey> = []
): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const ast = SchemaAST.toEncoded(schema)
  if (SchemaAST.isArrays(ast)) {
    const item = ast.rest[0]
    return item === undefined || !Array.isArray(value)
      ? []
      : value.flatMap((member, index) => unknownMembers(item, member, [...path, index]))
  }
  if (!SchemaAST.isObjects(ast) || ast.indexSignatures.length > 0) return []
  const known = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
  return Object.entries(value).flatMap(([name, member]) => {
    const type = known.get(name)
    return type === undefined ? [pointer([...path, name])] : unknownMembers(type, member, [...path, name])
  })
}
