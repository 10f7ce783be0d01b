// The error responses of the document: each set of codes is one shared response, and each code one example.
import { Families } from "../../domain/errors/Catalog.ts"
import { toEnvelope } from "../../domain/errors/Envelope.ts"
import type { FailureClass } from "../../domain/errors/Failure.ts"
import { isObject, type Json, jsonOf, type JsonObject, listAt, mapMembers, objectAt } from "./Json.ts"
import { sample } from "./members/Members.ts"

const catalogue: ReadonlyMap<string, FailureClass> = new Map(
  Families.flatMap(([, classes]) => classes.map((declared) => [declared.code, declared] as const))
)

/** The schema of every error body. */
export const errorSchema: JsonObject = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "request_id"],
      properties: {
        code: { type: "string", description: "What went wrong, for programs: branch on it." },
        message: { type: "string", description: "What went wrong, for people. It may change." },
        request_id: { type: "string", description: "Quote it to support. Equal to the header `X-Request-Id`." },
        doc_url: { type: "string", description: "Where the code is explained, relative to the server." },
        details: {
          type: "array",
          items: { $ref: "#/components/schemas/ErrorDetail" },
          description: "The invalid fields."
        },
        resolution: { type: "string", description: "What you can do about it." },
        reason: { type: "string", description: "A refinement of the code." },
        suggested_e164: { type: "string", description: "The corrected number, if exactly one correction is possible." }
      }
    }
  }
}

/** The codes that the schema of an error response allows, each once. */
const codesOf = (schema: Json): ReadonlyArray<string> => {
  const choices = listAt(schema, "anyOf")
  if (choices.length > 0) return [...new Set(choices.flatMap(codesOf))]
  const code = objectAt(objectAt(objectAt(objectAt(schema, "properties"), "error"), "properties"), "code")
  return listAt(code, "enum").filter((each): each is string => typeof each === "string")
}

const exampleOf = (code: string): Json => {
  const declared = catalogue.get(code)
  return declared === undefined ? {} : jsonOf(toEnvelope(new declared(), sample.request))
}

const responseOf = (codes: ReadonlyArray<string>): JsonObject => ({
  description: codes.map((code) => `\`${code}\`: ${catalogue.get(code)?.summary ?? ""}`).join("\n\n"),
  content: {
    "application/json": {
      schema: {
        allOf: [
          { $ref: "#/components/schemas/Error" },
          { properties: { error: { properties: { code: { enum: codes } } } } }
        ]
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
    }
  }
})

/** Whether it is the answer to a request that failed. */
const isError = (status: string): boolean => status.startsWith("4") || status.startsWith("5")

/** Replaces the error responses of all operations by references to shared ones. */
export const withSharedErrors = (document: JsonObject): JsonObject => {
  const responses = new Map<string, { readonly name: string; readonly response: JsonObject }>()
  const examples = new Map<string, Json>()

  const shared = (response: Json, operation: string, status: string): Json => {
    const codes = codesOf(objectAt(objectAt(objectAt(response, "content"), "application/json"), "schema"))
    if (codes.length === 0) return response
    const [only] = codes
    const key = codes.toSorted().join(" ")
    const name = codes.length === 1 && only !== undefined ? only : `${operation}.${status}`
    const kept = responses.get(key) ?? { name, response: responseOf(codes) }
    responses.set(key, kept)
    for (const code of codes) examples.set(code, { summary: code, value: exampleOf(code) })
    return { $ref: `#/components/responses/${kept.name}` }
  }

  const paths = mapMembers(objectAt(document, "paths"), (methods) =>
    isObject(methods)
      ? mapMembers(methods, (operation) => {
          if (!isObject(operation)) return operation
          const id = String(operation["operationId"])
          const answers = mapMembers(objectAt(operation, "responses"), (response, status) =>
            isError(status) ? shared(response, id, status) : response
          )
          return { ...operation, responses: answers }
        })
      : methods
  )
  const components = objectAt(document, "components")
  return {
    ...document,
    paths,
    components: {
      ...components,
      schemas: { ...objectAt(components, "schemas"), Error: errorSchema },
      responses: {
        ...objectAt(components, "responses"),
        ...Object.fromEntries([...responses.values()].map(({ name, response }) => [name, response]))
      },
      examples: Object.fromEntries(examples)
    }
  }
}
