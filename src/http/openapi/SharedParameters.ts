// Parameters that many operations have, such as `limit` and `Idempotency-Key`, are stated once in the document.
import { isObject, type Json, type JsonObject, listAt, mapMembers, objectAt, textAt } from "./Json.ts"

/** A parameter of fewer operations is easier to read where it is used. */
const minimumUses = 10

type Use = readonly [operationId: string, parameter: Json]

const usesOf = (document: JsonObject): ReadonlyArray<Use> =>
  Object.values(objectAt(document, "paths")).flatMap((methods) =>
    Object.values(isObject(methods) ? methods : {}).flatMap((operation) =>
      listAt(operation, "parameters").map((parameter): Use => [textAt(operation, "operationId") ?? "", parameter])
    )
  )

/** The shared parameters by their text: the commonest of a name has that name, others also name their first group. */
const namesOf = (uses: ReadonlyArray<Use>): ReadonlyMap<string, string> => {
  const common = [...Map.groupBy(uses, ([, parameter]) => JSON.stringify(parameter))]
    .filter(([, same]) => same.length >= minimumUses)
    .toSorted(([, some], [, others]) => others.length - some.length)
  const names = new Map<string, string>()
  for (const [text, [first]] of common) {
    if (first === undefined) continue
    const [operationId, parameter] = first
    const name = isObject(parameter) ? String(parameter["name"]) : ""
    const isTaken = [...names.values()].includes(name)
    names.set(text, isTaken ? `${operationId.split(".")[0]}.${name}` : name)
  }
  return names
}

/** Replaces parameters that many operations share by references to `components.parameters`. */
export const withSharedParameters = (document: JsonObject): JsonObject => {
  const names = namesOf(usesOf(document))
  const referred = (parameter: Json): Json => {
    const name = names.get(JSON.stringify(parameter))
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
  }
  const components = objectAt(document, "components")
  return {
    ...document,
    paths: mapMembers(objectAt(document, "paths"), (methods) =>
      isObject(methods)
        ? mapMembers(methods, (operation) =>
            isObject(operation) && "parameters" in operation
              ? { ...operation, parameters: listAt(operation, "parameters").map(referred) }
              : operation
          )
        : methods
    ),
    components: {
      ...components,
      parameters: {
        ...objectAt(components, "parameters"),
        ...Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text) as Json]))
      }
    }
  }
}
