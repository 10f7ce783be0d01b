// Removes from the generated OpenAPI document what the interface does not promise.

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** Whether a member of the document is an artefact of the generator. */
const isNoise = (name: string, value: Json): boolean =>
  // The interface ignores unknown members, and may add members to any object.
  (name === "additionalProperties" && value === false) ||
  (name === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (name === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  // Only the framework's own client reads this.
  name === "x-effect-stream"

/** Merges equal choices: an endpoint and its middleware may declare the same error. */
const distinct = (choices: Json): Json =>
  Array.isArray(choices)
    ? [...new Map(choices.map((choice: Json) => [JSON.stringify(choice), choice])).values()]
    : choices

const tidy = (value: Json): Json => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(tidy)
  const members = Object.entries(value as { readonly [name: string]: Json })
    .filter(([name, member]) => !isNoise(name, member))
    .map(([name, member]): [string, Json] => [name, name === "anyOf" ? distinct(tidy(member)) : tidy(member)])
  const [only, ...others] = members
  // A choice of one is replaced by its only member.
  if (
    only !== undefined &&
    others.length === 0 &&
    only[0] === "anyOf" &&
    Array.isArray(only[1]) &&
    only[1].length === 1
  )
    return only[1][0]
  return Object.fromEntries(members)
}

/** For `OpenApi.annotations({ transform })`. */
export const tidyDocument = (document: Record<string, unknown>): Record<string, unknown> =>
  tidy(document as Json) as Record<string, unknown>
