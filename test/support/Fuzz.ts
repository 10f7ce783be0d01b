// Requests generated from an OpenAPI document, most of them invalid somewhere. A seed reproduces the same requests.

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly format?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
}

interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header" | "cookie"
  readonly schema: Schema
}

interface Operation {
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, unknown>>
  }
}

export interface Request {
  /** The operation in the document; undefined if the path does not support the method. */
  readonly operation: Operation | undefined
  /** The path as written in the document. */
  readonly template: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Existing values that let a request pass the first checks. */
export interface Known {
  readonly keys: ReadonlyArray<string>
  /** Values of the session cookie. */
  readonly sessions: ReadonlyArray<string>
  /** The origin of the sessions. */
  readonly origin: string
  readonly ids: ReadonlyArray<string>
  /** By the name of a member or a parameter. */
  readonly values: Readonly<Record<string, ReadonlyArray<unknown>>>
}

/** The random number generator Mulberry32. */
const makeChance = (seed: number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const brokenTexts = [
  "",
  " ",
  "0",
  "-1",
  "null",
  "true",
  "x".repeat(5_000),
  "\u0000",
  "\uD800",
  "é𝄞\u202e",
  "'; DROP TABLE calls; --",
  "%00",
  "../../etc/passwd",
  "00000000-0000-0000-0000-000000000000",
  "HD_",
  "HD_ffffffffffffffffffffffffffffffff",
  "+0",
  "1e999",
  "9".repeat(400),
  "{}",
  "2026-13-45T99:99:99Z",
  "0000-01-01",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "2024-02-29",
  "2026-02-29",
  "-000001-01-01T00:00:00Z",
  "+10000-01-01T00:00:00Z",
  "127.0.0.1/99",
  "a\r\nB: c",
  "%",
  "_",
  "\\",
  "+999" + "0".repeat(12),
  "http://",
  "https://user:pass@example.com/",
  "javascript:alert(1)",
  "http://[::1]/",
  "NaN"
]
const brokenValues: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -0,
  -1,
  1.5,
  1e308,
  2 ** 31,
  2 ** 53 - 1,
  -(2 ** 53),
  2 ** 63,
  [],
  {},
  [[]],
  [null],
  { a: { b: {} } },
  { __proto__: 1 },
  ...brokenTexts
]
const days = [
  "2026-11-01",
  "2024-02-29",
  "1900-01-01",
  "9999-12-31",
  "2026-11-22T00:00:00Z",
  "1970-01-01T00:00:00.000Z"
]
const brokenBodies = [
  "",
  "{",
  "[]",
  "null",
  '"text"',
  '{"a":}',
  `{"to":`.repeat(500),
  "[".repeat(5_000),
  "\u0000",
  '{"to":1,"to":2}',
  " ".repeat(300_000)
]

/** Requests that would end the sessions or keys of the test. */
const locksOut = /(logout|suspend|close|retire)$/

export const makeRequests = (document: Document, known: Known, seed: number) => {
  const chance = makeChance(seed)
  const often = (share: number) => chance() < share
  const one = <A>(values: ReadonlyArray<A>): A => values[Math.floor(chance() * values.length)]!
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
    )
    .filter(({ path }) => !locksOut.test(path))

  const right = (schema: Schema, name: string): unknown => {
    if (known.values[name] !== undefined) return one(known.values[name])
    const { anyOf = schema.oneOf, enum: choices, format, items, properties, type } = resolved(schema)
    if (anyOf !== undefined) return right(one(anyOf), name)
    if (choices !== undefined) return one(choices)
    if (properties !== undefined) return members(resolved(schema))
    if (type === "array") return Array.from({ length: Math.floor(chance() * 3) }, () => right(items ?? {}, name))
    if (type === "integer" || type === "number")
      return often(0.1) ? one([2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1]) : Math.floor(chance() * 100)
    if (format?.startsWith("date") === true) return one(days)
    return type === "boolean"
      ? often(0.5)
      : type === "object"
        ? {}
        : one(["text", "2026-01-01T00:00:00.000Z", one(known.ids)])
  }

  const resolved = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split("/").at(-1)!]!)

  const members = ({ properties = {}, required = [] }: Schema): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => (required.includes(name) ? !often(0.03) : often(0.4)))
        .map(([name, schema]) => [name, often(0.12) ? one(brokenValues) : right(schema, name)])
    )

  const bodyOf = ({ requestBody }: Operation): string | undefined => {
    const schema = requestBody && Object.values(requestBody.content)[0]?.schema
    if (schema === undefined) return often(0.1) ? one(brokenBodies) : undefined
    return often(0.15) ? one(brokenBodies) : JSON.stringify(often(0.05) ? one(brokenValues) : right(schema, "body"))
  }

  const text = (parameter: Parameter): string =>
    often(0.35)
      ? one(brokenTexts)
      : parameter.in === "path"
        ? one(known.ids)
        : String(right(parameter.schema, parameter.name))

  return (): Request => {
    const { method: proper, operation, path } = one(operations)
    const method = often(0.02) ? one(["GET", "POST", "PUT", "PATCH", "DELETE"]) : proper
    const parameters = operation.parameters ?? []
    const taken = parameters.filter((parameter) => parameter.in === "path" || often(0.4))
    const query = new URLSearchParams(
      taken.filter((each) => each.in === "query").map((each) => [each.name, text(each)])
    )
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(text(parameters.find((each) => each.name === name)!).toWellFormed())
    )
    const body = method === "GET" ? undefined : bodyOf(operation)
    const session = { cookie: `session=${one(known.sessions)}`, origin: known.origin }
    const key = { authorization: `Bearer ${often(0.93) ? one(known.keys) : one(["", "x", "x.y.z"])}` }
    const headers = {
      ...(often(0.95) && (often(0.35) ? session : key)),
      ...(body !== undefined && {
        "content-type": often(0.95)
          ? "application/json"
          : one(["text/plain", "application/xml", "x", "multipart/form-data"])
      }),
      ...(often(0.3) && {
        "idempotency-key": one(["a", "b", "x".repeat(255), "x".repeat(256), "é", " ", one(known.ids)])
      }),
      ...(often(0.05) && { "x-request-id": one(["x", one(known.ids)]) }),
      ...(often(0.1) && { "last-event-id": one(["1", "x", "-1", "9".repeat(30)]) })
    }
    // A path without one of its parameters is another path.
    const isOfOperation = method === proper && !/\/(\/|$)/.test(filled)
    return {
      operation: isOfOperation ? operation : undefined,
      template: path,
      method,
      path: `${filled}?${query}`,
      headers,
      body
    }
  }
}
