// The operations of the client: which route each is, and what it takes and returns.
import { commentOf, memberName, type Schema, typeOf } from "./SchemaTypes.ts"

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly headers?: Readonly<Record<string, unknown>>
}

interface Parameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Described {
  readonly operationId: string
  readonly summary?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly webhooks: Readonly<Record<string, unknown>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** How the client names what the contract names otherwise. */
const renamed: Readonly<Record<string, string>> = {
  "apiKeys.create": "keys.create",
  "apiKeys.list": "keys.list",
  "apiKeys.get": "keys.get",
  "apiKeys.revoke": "keys.revoke",
  "apiKeys.current": "keys.current",
  "keys.jwks": "signingKeys.list",
  "callStats.stats": "calls.stats",
  "callStats.charge": "calls.charge",
  "callStats.timeline": "calls.timeline",
  "calls.destinationCheck": "calls.checkDestination",
  "numbers.mergeRouting": "numbers.route",
  "webhooks.retry": "webhooks.retryDelivery"
}

const nameOf = (operationId: string): readonly [group: string, name: string] => {
  const [group = "", name = ""] = (renamed[operationId] ?? operationId).split(".")
  const camel = group.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return [camel, name === "patch" ? "update" : name]
}

/** Pages for people, what the engine serves beside the API, and streams of bytes have no method. */
const isForPrograms = (path: string, { operationId, responses }: Described): boolean =>
  path.startsWith("/v1/") &&
  !operationId.startsWith("pbx.") &&
  !operationId.startsWith("recordingAudio.") &&
  !/^auth\.idp(Start|Callback|Link)$/.test(operationId) &&
  !Object.values(responses).some(({ content }) => content !== undefined && "text/html" in content)

type Result = "value" | "list" | "stream" | "nothing" | "bytes"

interface Operation {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly result: Result
  readonly type: string
  readonly summary: string
  readonly pathParameters: ReadonlyArray<string>
  readonly query: ReadonlyArray<Parameter>
  readonly body: { readonly type: string; readonly required: boolean } | undefined
  /** Whether a repetition with the same Idempotency-Key gets the first answer. */
  readonly keyed: boolean
}

const resultOf = ({ operationId, responses }: Described): readonly [Result, string] => {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? []
  if (operationId === "recordings.download") return ["bytes", "Response"]
  if (operationId === "calls.stream") return ["stream", "CallStreamEvent"]
  if (operationId === "events.stream") return ["stream", "WorkspaceStreamEvent"]
  const schema = answer?.content?.["application/json"]?.schema
  if (schema === undefined) return ["nothing", "void"]
  return schema.type === "array" && schema.items !== undefined
    ? ["list", typeOf(schema.items, "    ")]
    : ["value", typeOf(schema, "    ")]
}

const operationOf = (method: string, path: string, described: Described): Operation => {
  const { operationId, parameters = [], requestBody, summary = "" } = described
  const [group, name] = nameOf(operationId)
  const [result, type] = resultOf(described)
  const body = requestBody?.content?.["application/json"]?.schema
  return {
    group,
    name,
    method: method.toUpperCase(),
    path,
    result: method === "get" || result !== "list" ? result : "value",
    type: method === "get" || result !== "list" ? type : `ReadonlyArray<${type}>`,
    summary,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = ""]) => parameter),
    query: parameters.filter((parameter) => parameter.in === "query"),
    body: body && { type: typeOf(body, "    "), required: requestBody?.required !== false },
    keyed: parameters.some((parameter) => parameter.name.toLowerCase() === "idempotency-key")
  }
}

export const operationsOf = ({ paths }: Document): ReadonlyArray<Operation> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, described]) => isForPrograms(path, described))
      .map(([method, described]) => operationOf(method, path, described))
  )

const queryType = (query: ReadonlyArray<Parameter>): string =>
  `{ ${query
    .map(({ name, required, schema }) => {
      const type = name === "limit" ? "number | string" : typeOf(schema, "    ")
      return `readonly ${memberName(name)}${required === true ? "" : "?"}: ${type}`
    })
    .join("; ")} }`

/** A body may be left out where all of its members may. */
const argumentsOf = ({ body, method, pathParameters, query, result }: Operation): string =>
  [
    ...pathParameters.map((name) => `${name}: string`),
    ...(body === undefined ? [] : [`body${body.required ? "" : "?"}: ${body.type}`]),
    ...(query.length === 0
      ? []
      : [`query${query.some(({ required }) => required === true) ? "" : "?"}: ${queryType(query)}`]),
    `options?: ${result === "stream" ? "StreamOptions" : method === "GET" ? "ReadOptions" : "WriteOptions"}`
  ].join(", ")

const returnType = ({ result, type }: Operation): string =>
  result === "list" ? `Pages<${type}>` : result === "stream" ? `EventStream<${type}>` : `Result<${type}>`

const methodType = (operation: Operation): string =>
  `${commentOf(operation.summary, "    ")}    ${operation.name}(${argumentsOf(operation)}): ${returnType(operation)}`

const byGroup = (operations: ReadonlyArray<Operation>) => [...Map.groupBy(operations, ({ group }) => group)]

export const operationsType = (operations: ReadonlyArray<Operation>): string =>
  `export interface Operations {\n${byGroup(operations)
    .map(([group, all]) => `  readonly ${group}: {\n${all.map(methodType).join("\n")}\n  }`)
    .join("\n")}\n}\n`

/** `b`: takes a body, `q`: a query, `k`: an Idempotency-Key, `l`: a list, `s`: a stream, `r`: the response itself. */
const flagsOf = ({ body, keyed, query, result }: Operation): string =>
  [
    body === undefined ? "" : "b",
    query.length === 0 ? "" : "q",
    keyed ? "k" : "",
    { value: "", nothing: "", list: "l", stream: "s", bytes: "r" }[result]
  ].join("")

export const routesOf = (operations: ReadonlyArray<Operation>): Record<string, Record<string, string>> =>
  Object.fromEntries(
    byGroup(operations).map(([group, all]) => [
      group,
      Object.fromEntries(
        all.map((operation) => {
          const flags = flagsOf(operation)
          return [operation.name, `${operation.method} ${operation.path}${flags === "" ? "" : ` ${flags}`}`]
        })
      )
    ])
  )
