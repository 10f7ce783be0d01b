// Composes examples from the schemas of a document and the values of the table of members.
import { isObject, type Json, type JsonObject, listAt, objectAt, textAt } from "./Json.ts"
import { exampleOf } from "./MemberTable.ts"
import { sample } from "./members/Members.ts"

type Owners = ReadonlyArray<string>

const typesOf = (schema: JsonObject): ReadonlyArray<string> => {
  const { type } = schema
  return typeof type === "string" ? [type] : listAt(schema, "type").filter((each) => typeof each === "string")
}

const typeOf = (value: Json): string => {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const textFits = (value: string, schema: JsonObject): boolean => {
  const { format, maxLength, minLength, pattern } = schema
  return (
    (typeof pattern !== "string" || new RegExp(pattern, "u").test(value)) &&
    (typeof maxLength !== "number" || value.length <= maxLength) &&
    (typeof minLength !== "number" || value.length >= minLength) &&
    (format !== "uuid" || uuid.test(value))
  )
}

/** Whether a value fits the rules of a schema without choices. */
const fits = (value: Json, schema: JsonObject): boolean => {
  if (schema["const"] !== undefined) return value === schema["const"]
  const choices = listAt(schema, "enum")
  if (choices.length > 0) return choices.includes(value)
  const types = typesOf(schema)
  const type = typeOf(value)
  if (types.length > 0 && !types.includes(type) && !(type === "integer" && types.includes("number"))) return false
  if (typeof value === "string") return textFits(value, schema)
  if (typeof value !== "number") return true
  const { maximum, minimum } = schema
  return (typeof minimum !== "number" || value >= minimum) && (typeof maximum !== "number" || value <= maximum)
}

/** An object or a list of objects is composed of its members, whatever the table says of its name. */
const isComposed = (shown: Json): boolean => isObject(Array.isArray(shown) ? (shown as ReadonlyArray<Json>)[0] : shown)

/** A value for a schema that the table has none for. */
const plain = (schema: JsonObject): Json => {
  if (schema["const"] !== undefined) return schema["const"]
  const [choice] = listAt(schema, "enum")
  if (choice !== undefined) return choice
  const [type] = typesOf(schema)
  const { format, minimum } = schema
  switch (type) {
    case "string":
      return format === "uuid" ? sample.event : format === "date-time" ? sample.at : "text"
    case "integer":
    case "number":
      return typeof minimum === "number" ? minimum : 1
    case "boolean":
      return false
    default:
      return null
  }
}

export type Misfit = (value: Json, owners: Owners) => void

/**
 * Makes `sampleOf` for the schemas of one document. `onMisfit` is told each value of the table that does not fit its
 * place, where another value is shown.
 */
export const makeSamples = (schemas: JsonObject, onMisfit: Misfit = () => {}) => {
  const resolved = (schema: Json, owners: Owners): readonly [JsonObject, Owners] => {
    const reference = textAt(schema, "$ref")
    if (reference === undefined) return [isObject(schema) ? schema : {}, owners]
    const name = reference.slice(reference.lastIndexOf("/") + 1)
    return resolved(schemas[name] ?? {}, [name, ...owners])
  }

  const choose = (choices: ReadonlyArray<Json>, known: Json | undefined, owners: Owners): Json => {
    if (known === null && choices.some((choice) => fits(null, resolved(choice, owners)[0]))) return null
    const isComposed = (choice: Json) => {
      const [schema] = resolved(choice, owners)
      return "properties" in schema || "items" in schema
    }
    const fitting = choices.find((choice) => {
      const [schema] = resolved(choice, owners)
      return known !== undefined && !isComposed(choice) && !("anyOf" in schema) && fits(known, schema)
    })
    if (fitting !== undefined && known !== undefined) return known
    const [first] = choices.filter((choice) => !fits(null, resolved(choice, owners)[0]) || isComposed(choice))
    return sampleOf(first ?? choices[0] ?? {}, owners, known)
  }

  const objectOf = (schema: JsonObject, owners: Owners): Json =>
    Object.fromEntries(
      Object.entries(objectAt(schema, "properties")).map(([name, member]) => [
        name,
        sampleOf(member, [name, ...owners], exampleOf(owners, name))
      ])
    )

  const listOf = (schema: JsonObject, owners: Owners, known: Json | undefined): Json => {
    const [item] = resolved(schema["items"] ?? {}, owners)
    const composed = "properties" in item || "anyOf" in item
    if (!composed && Array.isArray(known) && known.every((each) => fits(each, item))) return known
    return [sampleOf(schema["items"] ?? {}, owners, undefined)]
  }

  /** `known`: the table's value for the place. */
  const sampleOf = (given: Json, around: Owners, known: Json | undefined): Json => {
    const shown = shownFor(given, around, known)
    if (known !== undefined && !isComposed(shown) && JSON.stringify(shown) !== JSON.stringify(known))
      onMisfit(known, around)
    return shown
  }

  const shownFor = (given: Json, around: Owners, known: Json | undefined): Json => {
    const [schema, owners] = resolved(given, around)
    const choices = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")]
    if (choices.length > 0) return choose(choices, known, owners)
    const types = typesOf(schema)
    if (known === null && types.includes("null")) return null
    if ("properties" in schema) return objectOf(schema, owners)
    if (types.includes("array")) return listOf(schema, owners, known)
    if (known !== undefined && fits(known, schema)) return known
    return types.includes("object") ? {} : plain(schema)
  }

  return (schema: Json, owners: Owners = []): Json => sampleOf(schema, owners, undefined)
}
