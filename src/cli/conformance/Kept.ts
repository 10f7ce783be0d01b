// How promises of the interface are written: a sentence, and a check that returns what is wrong.
import type { Answer, Asked, Json, World } from "./World.ts"

/** What is wrong; undefined: the promise is kept. */
export type Fault = string | undefined

export interface Kept {
  /** What the interface says, as a sentence. */
  readonly sentence: string
  readonly check: (world: World) => Promise<Fault>
}

export interface Area {
  readonly name: string
  readonly promises: ReadonlyArray<Kept>
}

export const promise = (sentence: string, check: Kept["check"]): Kept => ({ sentence, check })

export const expected = (isKept: boolean, fault: string): Fault => (isKept ? undefined : fault)

/** What is wrong with an answer that should have one of these statuses. */
export const notStatus = ({ body, status }: Answer, ...statuses: ReadonlyArray<number>): Fault =>
  expected(
    statuses.includes(status),
    `${statuses.join(" or ")} expected, ${status} ${String(body?.error?.code ?? "")} came`.trim()
  )

/** What is wrong with an answer that should be this error in the error envelope. */
export const notError = (answer: Answer, status: number, code: string): Fault => {
  const { body, headers } = answer
  const error = body?.error
  const fault = notStatus(answer, status)
  if (fault !== undefined) return fault
  if (error?.code !== code) return `the code is ${String(error?.code)}, not ${code}`
  if (typeof error.message !== "string" || error.message === "") return "the error has no message"
  if (typeof error.request_id !== "string") return "the error has no request_id"
  const header = headers.get("x-request-id")
  return expected(header === null || header === error.request_id, "X-Request-Id differs from request_id")
}

type AskedOf = Asked | ((world: World) => Asked | Promise<Asked>)
type PathOf = string | ((world: World) => string | Promise<string>)

const made = async <T>(given: T | ((world: World) => T | Promise<T>), world: World): Promise<T> =>
  typeof given === "function" ? await (given as (world: World) => T | Promise<T>)(world) : given

/** A request that is refused with a status and a code. */
export const refused = (
  sentence: string,
  [method, path]: readonly [method: string, path: PathOf],
  [status, code]: readonly [status: number, code: string],
  asked: AskedOf = {}
): Kept =>
  promise(sentence, async (world) =>
    notError(await world.ask(method, await made(path, world), await made(asked, world)), status, code)
  )

/** A request that is refused, and whose error says why beyond its code. */
export const refusedFor = (
  sentence: string,
  [method, path]: readonly [method: string, path: PathOf],
  [status, code]: readonly [status: number, code: string],
  isRight: (error: Json) => boolean,
  asked: AskedOf = {}
): Kept =>
  promise(sentence, async (world) => {
    const answer = await world.ask(method, await made(path, world), await made(asked, world))
    return (
      notError(answer, status, code) ??
      expected(isRight(answer.body.error), `the error is ${JSON.stringify(answer.body.error)}`)
    )
  })

/** The value at a path of member names: `stored.call_hours`. */
const at = (record: Json, path: string): Json => path.split(".").reduce((value: Json, name) => value?.[name], record)

/** A member of what some set-up makes or reads. */
export const member = (
  sentence: string,
  read: (world: World) => Promise<Json>,
  path: string,
  isRight: (value: Json, record: Json, world: World) => boolean
): Kept =>
  promise(sentence, async (world) => {
    const record = await read(world)
    const value = at(record, path)
    return expected(isRight(value, record, world), `${path} is ${JSON.stringify(value) ?? "absent"}`)
  })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export const isUuid = (value: Json): boolean => typeof value === "string" && uuid.test(value)
export const isInstant = (value: Json): boolean => typeof value === "string" && instant.test(value)
export const isE164 = (value: Json): boolean => typeof value === "string" && /^\+[1-9]\d{6,14}$/.test(value)
export const isText = (value: Json): boolean => typeof value === "string" && value !== ""
export const isInteger = (value: Json): boolean => Number.isSafeInteger(value)
export const isCount = (value: Json): boolean => Number.isSafeInteger(value) && value >= 0
export const isBoolean = (value: Json): boolean => typeof value === "boolean"
export const oneOf =
  (...values: ReadonlyArray<Json>) =>
  (value: Json): boolean =>
    values.includes(value)
export const is = (expectedValue: Json) => oneOf(expectedValue)

export const nobody = "00000000-0000-4000-8000-000000000000"
export const currencies = ["KES", "UGX", "TZS", "RWF", "ZAR", "GHS", "NGN"]
