// Responses and headers that several operations have are stated once in the document.
import { isObject, type Json, type JsonObject, mapMembers, objectAt, textAt } from "./Json.ts"

interface Place {
  readonly name: string
  /** Where the name is taken already. */
  readonly fullName: string
  readonly value: Json
}

/** Names for the values that are there more than once, by their text: the name of the first place. */
const namesOf = (places: ReadonlyArray<Place>): ReadonlyMap<string, string> => {
  const names = new Map<string, string>()
  for (const [text, [first, ...others]] of Map.groupBy(places, ({ value }) => JSON.stringify(value))) {
    if (first === undefined || others.length === 0) continue
    names.set(text, [...names.values()].includes(first.name) ? first.fullName : first.name)
  }
  return names
}

const referring =
  (names: ReadonlyMap<string, string>, section: string) =>
  (value: Json): Json => {
    const name = names.get(JSON.stringify(value))
    return name === undefined ? value : { $ref: `#/components/${section}/${name}` }
  }

const named = (names: ReadonlyMap<string, string>): JsonObject =>
  Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text) as Json]))

type Change = (response: Json, operationId: string, status: string) => Json

/** Changes each response that an operation states itself. */
const mapResponses = (paths: JsonObject, change: Change): JsonObject =>
  mapMembers(paths, (methods) =>
    mapMembers(isObject(methods) ? methods : {}, (operation) => {
      if (!isObject(operation)) return operation
      const id = textAt(operation, "operationId") ?? ""
      const responses = mapMembers(objectAt(operation, "responses"), (response, status) =>
        isObject(response) && "$ref" in response ? response : change(response, id, status)
      )
      return { ...operation, responses }
    })
  )

const placesOf = (paths: JsonObject, of: (response: Json, id: string, status: string) => ReadonlyArray<Place>) => {
  const places: Array<Place> = []
  mapResponses(paths, (response, id, status) => {
    places.push(...of(response, id, status))
    return response
  })
  return places
}

const withSharedHeaders = (document: JsonObject): JsonObject => {
  const paths = objectAt(document, "paths")
  const names = namesOf(
    placesOf(paths, (response, id) =>
      Object.entries(objectAt(response, "headers")).map(([name, value]) => ({ name, fullName: `${id}.${name}`, value }))
    )
  )
  const referred = referring(names, "headers")
  const changed = mapResponses(paths, (response) =>
    isObject(response) && "headers" in response
      ? { ...response, headers: mapMembers(objectAt(response, "headers"), referred) }
      : response
  )
  const components = { ...objectAt(document, "components"), headers: named(names) }
  return { ...document, paths: changed, components }
}

/** Replaces responses and headers that several operations share by references to `components`. */
export const withSharedResponses = (given: JsonObject): JsonObject => {
  const document = withSharedHeaders(given)
  const paths = objectAt(document, "paths")
  const places = placesOf(paths, (response, id, status) => {
    const name = `${id}.${status}`
    return [{ name, fullName: name, value: response }]
  })
  const names = namesOf(places)
  const referred = referring(names, "responses")
  const components = objectAt(document, "components")
  return {
    ...document,
    paths: mapResponses(paths, referred),
    components: { ...components, responses: { ...objectAt(components, "responses"), ...named(names) } }
  }
}
