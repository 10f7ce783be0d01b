// Every example of the documents decodes by the schema of its place.
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { HttpApi, HttpApiSchema } from "effect/http-api"
import { withBodyExamples } from "../../../src/http/openapi/BodyExamples.ts"
import { asyncApiText } from "../../../src/http/openapi/AsyncApi.ts"
import { DocumentedApi } from "../../../src/http/openapi/DocumentedApi.ts"
import { isObject, type Json, type JsonObject, listAt, mapMembers, objectAt } from "../../../src/http/openapi/Json.ts"
import { makeSamples, type Misfit } from "../../../src/http/openapi/SampleBody.ts"
import { inlineReferences } from "../../../scripts/client/InlineReferences.ts"
import { apiDocuments } from "../../../src/app/ApiDocuments.ts"

const stated = apiDocuments.openapi() as JsonObject
const openapi: JsonObject = inlineReferences({
  ...stated,
  paths: objectAt(stated, "paths"),
  components: objectAt(stated, "components")
})
const asyncapi = JSON.parse(asyncApiText()) as JsonObject

const json = "application/json"

/** What is said of an example that none of the schemas decodes. */
const complaint = (schemas: ReadonlyArray<Schema.Top>, example: unknown): string | undefined => {
  const results = schemas.map((schema) => Schema.decodeUnknownResult(schema as Schema.Codec<unknown>)(example))
  if (results.some(Result.isSuccess)) return undefined
  return results.map((result) => (Result.isFailure(result) ? result.failure.message : "")).join(" or ")
}

const withoutHeaders = (schema: Schema.Top): Schema.Top =>
  HttpApiSchema.isWithHeaders(schema) ? withoutHeaders(schema.schema) : schema

const exampleIn = (body: JsonObject): Json | undefined => objectAt(objectAt(body, "content"), json)["example"]

interface Place {
  readonly at: string
  readonly schemas: ReadonlyArray<Schema.Top>
  readonly example: Json
}

const places: Array<Place> = []
HttpApi.reflect(DocumentedApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
    const operation = objectAt(objectAt(objectAt(openapi, "paths"), path), endpoint.method.toLowerCase())
    const at = `${endpoint.method} ${path}`
    const request = exampleIn(objectAt(operation, "requestBody"))
    if (request !== undefined) {
      places.push({ at: `${at} request`, schemas: endpoint.payload.get(json)?.schemas ?? [], example: request })
    }
    for (const [status, response] of Object.entries(objectAt(operation, "responses"))) {
      const example = isObject(response) && status.startsWith("2") ? exampleIn(response) : undefined
      if (example !== undefined) {
        places.push({ at: `${at} ${status}`, schemas: [...endpoint.success].map(withoutHeaders), example })
      }
    }
  }
})

/** The operations of the interface without the examples of their bodies. */
const withoutExamples = (paths: JsonObject): JsonObject => {
  const bare = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(bare)
    if (!isObject(value) || value["operationId"] === "callEvents") return value
    const { example: _, ...others } = value
    return mapMembers(others, bare)
  }
  const isComposed = (operation: Json): boolean =>
    !listAt(operation, "tags").some((tag) => tag === "Engine" || tag === "PBX gateways")
  return mapMembers(paths, (methods) =>
    mapMembers(isObject(methods) ? methods : {}, (operation) => (isComposed(operation) ? bare(operation) : operation))
  )
}

describe("the example of each body", () => {
  it("is decoded by the schema of its endpoint", () => {
    assert.isAbove(places.length, 150)
    const faults = places.flatMap(({ at, example, schemas }) => {
      const fault = complaint(schemas, example)
      return fault === undefined ? [] : [`${at}: ${fault} ${JSON.stringify(example)}`]
    })
    assert.deepStrictEqual(faults, [])
  })
})

const composed = withoutExamples(objectAt(openapi, "paths"))

describe("the value of each member in the examples that are composed", () => {
  const notes = () => {
    const misfits = new Set<string>()
    const note: Misfit = (value, owners) => {
      misfits.add(`${owners.slice(0, 2).toReversed().join(".")}: ${JSON.stringify(value)}`)
    }
    return { misfits, note }
  }

  it("fits its schema in the OpenAPI document", () => {
    const { misfits, note } = notes()
    withBodyExamples({ ...openapi, paths: composed }, note)
    assert.deepStrictEqual([...misfits].sort(), [])
  })

  it("fits its schema in the AsyncAPI document", () => {
    const { misfits, note } = notes()
    const schemas = objectAt(objectAt(asyncapi, "components"), "schemas")
    const sampleOf = makeSamples(schemas, note)
    const names = Object.keys(schemas).filter((name) => /^(?:Frame\.|TranscriptTurn|TranscriptDelta)/.test(name))
    assert.isAbove(names.length, 8)
    // The frames that carry events and commands are written.
    for (const name of names.filter((name) => !/\.(?:events|commands)$/.test(name))) {
      sampleOf({ $ref: `#/components/schemas/${name}` })
    }
    assert.deepStrictEqual([...misfits].sort(), [])
  })
})
