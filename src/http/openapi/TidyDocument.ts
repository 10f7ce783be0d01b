// The OpenAPI document as it is generated says more than is promised; this takes it out.

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

/** Bounds of JavaScript's numbers are no bounds of the interface. */
const isNoise = (name: string, value: Json): boolean =>
  // Members may be added to any object, and unknown ones are ignored.
  (name === "additionalProperties" && value === false) ||
  (name === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (name === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  // How the framework's own client reads a stream.
  name === "x-effect-stream"

/** What an endpoint and a middleware around it both may answer is one choice. */
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
  const [only] = members
  // A choice of one is no choice.
  if (members.length === 1 && only![0] === "anyOf" && Array.isArray(only![1]) && only![1].length === 1)
    return only![1][0]!
  return Object.fromEntries(members)
}

/** For `OpenApi.annotations({ transform })`. */
export const tidyDocument = (document: Record<string, unknown>): Record<string, unknown> =>
  tidy(document as Json) as Record<string, unknown>
