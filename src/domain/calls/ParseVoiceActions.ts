// Reads the answer of a voice callback, and says where it is at fault: docs/voice-actions.md.
import { Result, Schema, SchemaIssue } from "effect"
import { pointer as pointerTo } from "../json/JsonPointer.ts"
import { unstorable } from "../json/Unstorable.ts"
import { actions_max, actionShapes, dialShapes, type VoiceAction } from "./VoiceAction.ts"

/** What is wrong with a document. */
export interface VoiceActionFault {
  /** JSON pointer (RFC 6901) to the fault; empty where the document as a whole is at fault. */
  readonly pointer: string
  readonly detail: string
}

/** A longer document is not read. */
export const voice_actions_max_bytes = 65_536

type Parsed<A> = Result.Result<A, VoiceActionFault>
type Parser = (value: unknown, path: ReadonlyArray<PropertyKey>) => Parsed<unknown>

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const fault = (path: ReadonlyArray<PropertyKey>, detail: string): Parsed<never> =>
  Result.fail({ pointer: pointerTo(path), detail })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const decoder = (schema: Schema.Decoder<unknown>): Parser => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  return (value, path) =>
    Result.mapError(decode(value), ({ issue }) => {
      const first = issuesOf(issue).issues[0]
      return {
        pointer: pointerTo([...path, ...((first?.path ?? []) as ReadonlyArray<PropertyKey>)]),
        detail: first?.message ?? "Not valid."
      }
    })
}

const destinations = {
  number: decoder(dialShapes.number),
  numbers: decoder(dialShapes.numbers),
  sip: decoder(dialShapes.sip)
}
type DestinationKey = keyof typeof destinations

/** Which of three shapes a dial has is said by its destination: the others could only point at what is not amiss. */
const parseDial: Parser = (value, path) => {
  const named = isObject(value)
    ? (Object.keys(destinations) as ReadonlyArray<DestinationKey>).filter((key) => Object.hasOwn(value, key))
    : []
  if (named.length > 1)
    return fault([...path, named[1]!], `Only one of number, numbers and sip: ${named[0]} is there already.`)
  return destinations[named[0] ?? "number"](value, path)
}

const parsers: ReadonlyMap<string, Parser> = new Map<string, Parser>(
  Object.entries(actionShapes).map(([key, shape]) => [key, key === "dial" ? parseDial : decoder(shape)])
)

/** An action is an object with one key that names it: a union by schema alone could not say where the fault is. */
const parseAction = (value: unknown, path: ReadonlyArray<PropertyKey>): Parsed<VoiceAction> => {
  const keys = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || keys.length !== 1) return fault(path, "An action is an object with exactly one key.")
  const [key] = keys as [string]
  const parse = parsers.get(key)
  const at = [...path, key]
  if (parse === undefined) return fault(at, "There is no such action.")
  return Result.map(parse(value[key], at), (fields) => ({ [key]: fields }) as unknown as VoiceAction)
}

/** The actions of a document that is read as JSON already; else each of its faults, the first of every action. */
export const readVoiceActions = (
  document: unknown
): Result.Result<ReadonlyArray<VoiceAction>, ReadonlyArray<VoiceActionFault>> => {
  const whole = (path: ReadonlyArray<PropertyKey>, detail: string) =>
    Result.fail([{ pointer: pointerTo(path), detail }])
  if (!isObject(document)) return whole([], "Not a JSON object.")
  const stranger = Object.keys(document).find((key) => key !== "actions")
  if (stranger !== undefined) return whole([stranger], "There is no such member.")
  const { actions } = document
  if (!Array.isArray(actions)) return whole(["actions"], "Not an array.")
  if (actions.length > actions_max) return whole(["actions"], `More than ${actions_max} actions.`)
  const parsed = actions.map((action, index) => parseAction(action, ["actions", index]))
  const faults = parsed.flatMap((action) => (Result.isFailure(action) ? [action.failure] : []))
  if (faults.length > 0) return Result.fail(faults)
  const unspeakable = unstorable(actions, ["actions"])
  if (unspeakable !== undefined) return whole(unspeakable, "A NUL or half a surrogate pair.")
  return Result.succeed(parsed.map(Result.getOrThrow))
}

/** Reads the text of a document. Strict: what the engine does not know, it does not pass over. */
export const parseVoiceActions = (text: string): Parsed<ReadonlyArray<VoiceAction>> => {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return fault([], "Not JSON.")
  }
  return Result.mapError(readVoiceActions(document), (faults) => faults[0]!)
}
