// Reads the document that a voice callback answers with, and reports its faults (docs/voice-actions.md).
import { Result, Schema, SchemaIssue } from "effect"
import { didYouMean } from "../../text/Nearest.ts"
import { jsonFault } from "../../json/JsonFault.ts"
import { pointer as pointerTo } from "../../json/JsonPointer.ts"
import { unstorable } from "../../json/Unstorable.ts"
import { type AnyVerb, maxActions, type VoiceAction } from "./VoiceAction.ts"
import { voiceVerbs } from "./VoiceVerbs.ts"

/** A fault of a document. */
export interface VoiceActionFault {
  /** JSON pointer (RFC 6901) to the fault; empty if the document as a whole is at fault. */
  readonly pointer: string
  readonly detail: string
}

/** A longer document is not read. */
export const maxVoiceActions_bytes = 65_536

type Parsed<A> = Result.Result<A, VoiceActionFault>
type Path = ReadonlyArray<PropertyKey>
type Parser = (value: unknown, path: Path) => Parsed<unknown>

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const fault = (path: Path, detail: string): Parsed<never> => Result.fail({ pointer: pointerTo(path), detail })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const decoder = (schema: Schema.Top): Parser => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, { onExcessProperty: "error" })
  return (value, path) =>
    Result.mapError(decode(value), ({ issue }) => {
      const first = formatIssues(issue).issues[0]
      return {
        pointer: pointerTo([...path, ...((first?.path ?? []) as Path)]),
        detail: first?.message ?? "Not valid."
      }
    })
}

const listed = new Intl.ListFormat("en-GB")

/** The key that a value has selects its schema: an issue of the whole union could point at members that are right. */
const variantParser = (variants: Readonly<Record<string, Schema.Top>>): Parser => {
  const parsers = new Map(Object.entries(variants).map(([key, schema]) => [key, decoder(schema)]))
  const [fallback] = parsers.values()
  return (value, path) => {
    const keys = isObject(value) ? [...parsers.keys()].filter((key) => Object.hasOwn(value, key)) : []
    const [first, second] = keys
    if (second !== undefined)
      return fault([...path, second], `Only one of ${listed.format(parsers.keys())} is allowed, and ${first} is given.`)
    const parse = (first === undefined ? undefined : parsers.get(first)) ?? fallback
    return parse === undefined ? fault(path, "Not valid.") : parse(value, path)
  }
}

const parsers: ReadonlyMap<string, Parser> = new Map(
  Object.entries<AnyVerb>(voiceVerbs).map(([name, { schema, variants }]) => [
    name,
    variants === undefined ? decoder(schema) : variantParser(variants)
  ])
)

/** Reads one action. The verb selects the schema: an issue of the whole union could not say where the fault is. */
const parseAction = (value: unknown, path: Path): Parsed<VoiceAction> => {
  const [[name, payload] = [], ...others] = isObject(value) ? Object.entries(value) : []
  if (name === undefined || others.length > 0) return fault(path, "An action is an object with exactly one key.")
  const parse = parsers.get(name)
  const at = [...path, name]
  if (parse === undefined) return fault(at, `Unknown action.${didYouMean(name, parsers.keys())}`)
  return Result.map(parse(payload, at), (fields) => ({ [name]: fields }) as unknown as VoiceAction)
}

/** Reads a parsed JSON document. Fails with the first fault of each action. */
export const readVoiceActions = (
  document: unknown
): Result.Result<ReadonlyArray<VoiceAction>, ReadonlyArray<VoiceActionFault>> => {
  const whole = (path: Path, detail: string) => Result.fail([{ pointer: pointerTo(path), detail }])
  if (!isObject(document)) return whole([], "Not a JSON object.")
  const unknown = Object.keys(document).find((key) => key !== "actions")
  if (unknown !== undefined) return whole([unknown], `Unknown member.${didYouMean(unknown, ["actions"])}`)
  const { actions } = document
  if (!Array.isArray(actions)) return whole(["actions"], "Not an array.")
  if (actions.length > maxActions) return whole(["actions"], `More than ${maxActions} actions.`)
  const parsed = actions.map((action, index) => parseAction(action, ["actions", index]))
  const faults = parsed.flatMap((action) => (Result.isFailure(action) ? [action.failure] : []))
  if (faults.length > 0) return Result.fail(faults)
  const path = unstorable(actions, ["actions"])
  if (path !== undefined) return whole(path, "Contains a NUL or half a surrogate pair.")
  return Result.succeed(parsed.map(Result.getOrThrow))
}

/** Reads the text of a document. Fails with its first fault. */
export const parseVoiceActions = (text: string): Parsed<ReadonlyArray<VoiceAction>> => {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    const { column, expected, line } = jsonFault(text) ?? { line: 1, column: 1, expected: "a value" }
    return fault([], `Not JSON: line ${line}, column ${column}: expected ${expected}.`)
  }
  return Result.mapError(readVoiceActions(document), ([first]) => first ?? { pointer: "", detail: "Not valid." })
}
