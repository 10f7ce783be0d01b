// The types and the routes of `trunkline/client`, made from the contract.
import { OpenApi } from "effect/http-api"
import { Families } from "../../src/domain/errors/Catalog.ts"
import { DocumentedApi } from "../../src/http/openapi/DocumentedApi.ts"
import { inlineReferences } from "./InlineReferences.ts"
import { type Document, operationsOf, operationsType, routesOf } from "./Operations.ts"
import { commentOf, type Schema, typeName, typeOf } from "./SchemaTypes.ts"

const notice = "// Written by scripts/build-client-types.ts from the contract. Do not edit.\n"

/** What the stream of a call sends, by the contract. */
const callEvent = ({ paths }: Document): Schema => {
  const content = paths["/v1/calls/{id}/stream"]?.["get"]?.responses["200"]?.content
  const data = content?.["text/event-stream"]?.schema.properties?.["data"] as { readonly contentSchema?: Schema }
  if (data.contentSchema === undefined) throw new Error("The contract does not say what the stream of a call sends")
  return data.contentSchema
}

const streams = (document: Document): string => {
  const events = Object.keys(document.webhooks).map((kind) => typeName(`Event.${kind}`))
  return `/** An event, as webhooks and the stream of a workspace have it. Newer engines send further kinds. */
export type WebhookEvent = ${events.join(" | ")}

/** The stream could not continue where it was; \`reason\` says why. */
export interface StreamReset {
  readonly kind: "stream.reset"
  readonly event_kind: "stream.reset"
  readonly reason: string
  readonly [name: string]: unknown
}

export type WorkspaceStreamEvent = WebhookEvent | StreamReset

export type CallStreamEvent = ${typeOf(callEvent(document))} | StreamReset
`
}

const codes = (): string => {
  const all = Families.flatMap(([, classes]) => classes.filter(({ status }) => status !== null).map(({ code }) => code))
  return `/** Every code of an error response. */\nexport type ErrorCode = ${all.map((code) => JSON.stringify(code)).join(" | ")}\n`
}

/** The texts of the generated files, by name. */
export const render = (): Readonly<Record<string, string>> => {
  const document = OpenApi.fromApi(DocumentedApi) as unknown as Document
  const operations = operationsOf(inlineReferences(document))
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${commentOf(schema.description, "")}export type ${typeName(name)} = ${typeOf(schema)}\n`
  )
  const types = [notice, ...schemas, streams(document), codes()].join("\n")
  const all = operationsType(operations)
  const used = [...new Set(all.match(/\b[A-Z]\w+/g))].filter((name) => types.includes(`export type ${name} `))
  const imports = `import type { Pages } from "../Pages.ts"
import type { Result } from "../Result.ts"
import type { EventStream, StreamOptions } from "../EventStream.ts"
import type { ReadOptions, WriteOptions } from "../Options.ts"
import type {
  ${used.sort().join(",\n  ")}
} from "./Types.ts"
`
  return {
    "Types.ts": types,
    "Operations.ts": [notice + imports, all].join("\n"),
    "Routes.ts": `${notice}
/** Method, path and flags of each operation (Operations.ts). */
export const routes: Readonly<Record<string, Readonly<Record<string, string>>>> = ${JSON.stringify(routesOf(operations), null, 2)}
`
  }
}
