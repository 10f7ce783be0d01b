import { Result, Schema, SchemaIssue } from "effect"
import { Dial, Hangup, Say, type VoiceAction } from "./VoiceAction.ts"

/** What is wrong with the document that a voice callback answered with. */
export interface VoiceActionFault {
  /** JSON pointer (RFC 6901) to the fault; empty where the document as a whole is at fault. */
  readonly pointer: string
  readonly detail: string
}

type Parsed<A> = Result.Result<A, VoiceActionFault>

const maxActions = 100
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const fault = (pointer: string, detail: string): Parsed<never> => Result.fail({ pointer, detail })

const escape = (segment: PropertyKey): string => String(segment).replaceAll("~", "~0").replaceAll("/", "~1")

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const decoder = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })
  return (value: unknown, pointer: string): Parsed<A> =>
    Result.mapError(decode(value), ({ issue }) => {
      const first = issuesOf(issue).issues[0]
      const path = (first?.path ?? []).map((segment) => `/${escape(segment as PropertyKey)}`).join("")
      return { pointer: pointer + path, detail: first?.message ?? "Not valid." }
    })
}

const say = decoder(Say)
const hangup = decoder(Hangup)
const dial = decoder(Dial)

/** An action is an object with one key that names it: a union by schema alone could not say where the fault is. */
const parseAction = (value: unknown, pointer: string): Parsed<VoiceAction> => {
  const keys = isObject(value) ? Object.keys(value) : []
  if (!isObject(value) || keys.length !== 1) return fault(pointer, "An action is an object with exactly one key.")
  const [key] = keys as [string]
  const at = `${pointer}/${escape(key)}`
  switch (key) {
    case "say": return Result.map(say(value[key], at), (say) => ({ say }))
    case "hangup": return Result.map(hangup(value[key], at), (hangup) => ({ hangup }))
    case "dial": return Result.map(dial(value[key], at), (dial) => ({ dial }))
    default: return fault(at, "There is no such action.")
  }
}

const parseJson = (text: string): Parsed<unknown> => {
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return fault("", "Not JSON.")
  }
}

/** Reads the answer of a voice callback. Strict: what the engine does not know, it does not pass over. */
export const parseVoiceActions = (text: string): Parsed<ReadonlyArray<VoiceAction>> =>
  Result.flatMap(parseJson(text), (document) => {
    if (!isObject(document)) return fault("", "Not a JSON object.")
    const stranger = Object.keys(document).find((key) => key !== "actions")
    if (stranger !== undefined) return fault(`/${escape(stranger)}`, "There is no such member.")
    const { actions } = document
    if (!Array.isArray(actions)) return fault("/actions", "Not an array.")
    if (actions.length > maxActions) return fault("/actions", `More than ${maxActions} actions.`)
    return Result.all(actions.map((action, index) => parseAction(action, `/actions/${index}`)))
  })
