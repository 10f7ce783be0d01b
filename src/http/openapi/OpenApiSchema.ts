// JSON Schemas of the domain in the form of an OpenAPI document, whose definitions are in `components/schemas`.
import { Schema } from "effect"
import type { JsonObject } from "./Json.ts"
import { tidyDocument } from "./TidyDocument.ts"

const withOpenApiReferences = (document: unknown): JsonObject =>
  JSON.parse(JSON.stringify(document).replaceAll(`"$ref":"#/$defs/`, `"$ref":"#/components/schemas/`)) as JsonObject

/** The JSON Schema of a schema's encoded form, and the named schemas that it refers to. */
export const openApiSchema = (
  described: Schema.Top,
  options?: { readonly onExcessProperty: "error" }
): { readonly schema: JsonObject; readonly definitions: JsonObject } => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(described, options)
  // A strict schema says of every object that it has no other members.
  const finish = options === undefined ? tidyDocument : (document: JsonObject) => document
  return { schema: finish(withOpenApiReferences(schema)), definitions: finish(withOpenApiReferences(definitions)) }
}
