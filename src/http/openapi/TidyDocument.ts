// Removes from the generated OpenAPI document what the interface does not promise.
import { isObject, type Json, type JsonObject } from "./Json.ts"

/** Whether a member of the document is an artefact of the generator. */
const isNoise = (name: string, value: Json): boolean =>
  // The interface ignores unknown members, and may add members to any object.
  (name === "additionalProperties" && value === false) ||
  (name === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (name === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  // Only the framework's own client reads this.
  name === "x-effect-stream"

/** A member that a schema declares only so that it is refused with a precise error. */
const isRefused = (member: Json): boolean =>
  isObject(member) && String(member["description"] ?? "").startsWith("Not allowed")

const withoutRefused = (members: Json): Json =>
  isObject(members) ? Object.fromEntries(Object.entries(members).filter(([, member]) => !isRefused(member))) : members

/** Merges equal choices: an endpoint and its middleware may declare the same error. */
const distinct = (choices: Json): Json =>
  Array.isArray(choices)
    ? [...new Map(choices.map((choice: Json) => [JSON.stringify(choice), choice])).values()]
    : choices

/** JSON has no infinity, so a number that the generator allows to be infinite is a plain number. */
const withoutInfinity = (choices: Json): Json =>
  Array.isArray(choices)
    ? choices.filter(
        (choice: Json) => !(isObject(choice) && JSON.stringify(choice["enum"] ?? null).includes("Infinity"))
      )
    : choices

/** Bounds that apply anyway: one part of `allOf` that names nothing which the schema names itself. */
const merged = (schema: JsonObject): JsonObject => {
  const { allOf, ...own } = schema
  if (!Array.isArray(allOf) || allOf.length !== 1) return schema
  const [part] = allOf as ReadonlyArray<Json>
  if (!isObject(part) || "$ref" in part || Object.keys(part).some((name) => name in own)) return schema
  return { ...own, ...part }
}

const tidy = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isObject(value)) return value
  const members = Object.entries(value)
    .filter(([name, member]) => !isNoise(name, member))
    .map(([name, member]): [string, Json] => [
      name,
      name === "anyOf"
        ? withoutInfinity(distinct(tidy(member)))
        : tidy(name === "properties" ? withoutRefused(member) : member)
    ])
  const choices = members.find(([name]) => name === "anyOf")?.[1]
  // A choice of one is replaced by its only member.
  if (Array.isArray(choices) && choices.length === 1 && isObject(choices[0])) {
    return { ...choices[0], ...Object.fromEntries(members.filter(([name]) => name !== "anyOf")) }
  }
  return merged(Object.fromEntries(members))
}

/** For `OpenApi.annotations({ transform })`. */
export const tidyDocument = (document: JsonObject): JsonObject => tidy(document) as JsonObject
