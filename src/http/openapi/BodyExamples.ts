// An example for every body of the document. Most are composed from the table of members; those that a table cannot
// compose are written here. Tests decode all of them by the contract, and send the requests to an engine.
import { isObject, type Json, type JsonObject, mapMembers, objectAt } from "./Json.ts"
import { written } from "./WrittenExamples.ts"
import { makeSamples, type Misfit } from "./SampleBody.ts"

const withExample = (media: Json, key: string, sampleOf: (schema: Json) => Json): Json => {
  if (!isObject(media) || "example" in media || "examples" in media) return media
  const example = written[key] ?? sampleOf(media["schema"] ?? {})
  return { ...media, example }
}

/** Media types whose bodies are no text. */
const isBinary = (media_type: string): boolean => media_type.startsWith("audio/")

/** Adds an example to every request and response body of the document that has none. */
export const withBodyExamples = (document: JsonObject, onMisfit?: Misfit): JsonObject => {
  const sampleOf = makeSamples(objectAt(objectAt(document, "components"), "schemas"), onMisfit)

  const bodied = (body: Json, key: string): Json =>
    isObject(body) && "content" in body
      ? {
          ...body,
          content: mapMembers(objectAt(body, "content"), (media, media_type) =>
            isBinary(media_type)
              ? media
              : withExample(media, media_type === "application/json" ? key : `${key} ${media_type}`, sampleOf)
          )
        }
      : body

  const operationWith = (operation: Json, route: string): Json => {
    if (!isObject(operation)) return operation
    const { callbacks, requestBody } = operation
    return {
      ...operation,
      ...(requestBody !== undefined && { requestBody: bodied(requestBody, `${route} request`) }),
      ...(isObject(callbacks) && { callbacks: callbacksWith(callbacks) }),
      responses: mapMembers(objectAt(operation, "responses"), (response) => bodied(response, `${route} response`))
    }
  }

  const pathsWith = (paths: JsonObject): JsonObject =>
    mapMembers(paths, (methods, path) =>
      mapMembers(isObject(methods) ? methods : {}, (operation, method) =>
        operationWith(operation, `${method.toUpperCase()} ${path}`)
      )
    )

  const callbacksWith = (callbacks: JsonObject): JsonObject =>
    mapMembers(callbacks, (callback) => pathsWith(isObject(callback) ? callback : {}))

  return { ...document, paths: pathsWith(objectAt(document, "paths")) }
}
