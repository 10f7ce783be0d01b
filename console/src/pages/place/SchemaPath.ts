// Finds in a JSON Schema (draft 2020-12) what a place of a document may hold. It knows the parts of the standard that
// the schema of voice actions uses: properties, items, anyOf, enum.

export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly enum?: ReadonlyArray<unknown>
  readonly minimum?: number
  readonly maximum?: number
}

export type DocumentPath = ReadonlyArray<string | number>

const alternatives = (schema: JsonSchema): ReadonlyArray<JsonSchema> =>
  schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(alternatives)

/** Every schema that the value at a path may fit. */
export const schemasAt = (schema: JsonSchema, path: DocumentPath): ReadonlyArray<JsonSchema> => {
  const [step, ...rest] = path
  const here = alternatives(schema)
  if (step === undefined) return here
  return here.flatMap(({ items, properties }) => {
    const next = typeof step === "number" ? items : properties?.[step]
    return next === undefined ? [] : schemasAt(next, rest)
  })
}

export interface Member {
  readonly name: string
  /** What kind of value it has, in a few words. */
  readonly detail: string
  readonly required: boolean
  /** What it means, if the schema says so. */
  readonly description: string | undefined
  /** A value to begin with, as JSON. */
  readonly start: string
}

const detailOf = ({ enum: options, maximum, minimum, type }: JsonSchema): string => {
  if (options !== undefined) return options.map((option) => JSON.stringify(option)).join(" | ")
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return type ?? ""
}

const startOf = (schema: JsonSchema): string => {
  const [first = schema] = alternatives(schema)
  switch (first.type) {
    case "string":
      return JSON.stringify(first.enum?.[0] ?? "")
    case "object":
      return "{}"
    case "array":
      return "[]"
    case "boolean":
      return "true"
    default:
      return String(first.minimum ?? 1)
  }
}

/** The members that an object at this place may have, required ones first. */
export const membersOf = (schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<Member> => {
  const members = new Map<string, Member>()
  for (const { properties = {}, required = [] } of schemas) {
    for (const [name, schema] of Object.entries(properties)) {
      if (members.has(name)) continue
      const [first = schema] = alternatives(schema)
      members.set(name, {
        name,
        detail: detailOf(first),
        required: required.includes(name),
        description: schema.description,
        start: startOf(schema)
      })
    }
  }
  return [...members.values()].sort((a, b) => Number(b.required) - Number(a.required))
}

/** The values that a place may have, as JSON, if they are few. */
export const valuesOf = (schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<string> => [
  ...new Set(
    schemas.flatMap(({ enum: options = [], type }) =>
      type === "boolean" && options.length === 0 ? ["true", "false"] : options.map((option) => JSON.stringify(option))
    )
  )
]

/** The steps of a JSON pointer (RFC 6901). */
export const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
