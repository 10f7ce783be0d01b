// What the OpenAPI document must be for people and for generators of clients.
import { assert, describe, it, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Result, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { PbxEvent } from "../../../src/domain/pbx/PbxEvent.ts"
import { DocumentedApi } from "../../../src/http/openapi/DocumentedApi.ts"
import { asyncApiText } from "../../../src/http/openapi/AsyncApi.ts"
import { examples, memberTables, texts } from "../../../src/http/openapi/MemberTable.ts"
import { written } from "../../../src/http/openapi/WrittenExamples.ts"
import { eventExample } from "../../../src/http/openapi/EngineRoutes.ts"
import { sample } from "../../../src/http/openapi/members/Members.ts"
import { voiceMembers } from "../../../src/http/openapi/members/VoiceMembers.ts"
import { inlineReferences } from "../../../scripts/client/InlineReferences.ts"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { ask, origin } from "../../support/HttpTester.ts"

interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Record<string, { readonly $ref: string }>
}
interface Body {
  readonly $ref?: string
  readonly content?: Record<string, Media>
}
interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema: { readonly type?: string }
  }>
  readonly requestBody?: Body
  readonly responses: Record<string, Body>
  readonly security?: ReadonlyArray<object>
  readonly callbacks?: Record<string, Record<string, { readonly post: Operation }>>
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly webhooks: Record<string, { readonly post: Operation }>
  readonly components: {
    readonly schemas: Record<string, object>
    readonly parameters: Record<string, object>
    readonly responses: Record<string, Body>
    readonly examples: Record<string, { readonly value: unknown }>
    readonly securitySchemes: Record<string, { readonly scheme?: string }>
  }
}

const document = OpenApi.fromApi(DocumentedApi) as unknown as Document
/** Many validators compile patterns without the flag `u`. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: false })

const operations = Object.entries(inlineReferences(document).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation }))
)
const callbacks = operations.flatMap(({ operation: { callbacks: all = {} }, route }) =>
  Object.entries(all).flatMap(([, urls]) =>
    Object.values(urls).map(({ post }) => ({ route: `callback of ${route}`, operation: post }))
  )
)
const bodies = [...operations, ...callbacks].flatMap(({ operation, route }) => [
  ...(operation.requestBody === undefined ? [] : [{ place: `${route} request`, body: operation.requestBody }]),
  ...Object.entries(operation.responses).map(([status, body]) => ({ place: `${route} ${status}`, body }))
])

/** What a reference within the document leads to. */
const targetOf = (reference: string): unknown =>
  reference
    .slice(2)
    .split("/")
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document)

interface MemberSchema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, MemberSchema>>
}

/** The schemas that another one describes, by what they refine. */
const refinements = new Map<object, MemberSchema>()

const refine = (schema: MemberSchema, base: MemberSchema): void => {
  refinements.set(schema, base)
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const refined = base.properties?.[name]
    if (refined !== undefined) refine(member, refined)
  }
}

/** The members of a schema that neither it describes nor the schema that it refines. */
const undescribed = (schema: MemberSchema): ReadonlyArray<string> =>
  Object.entries(schema.properties ?? {})
    .filter(([name, { description }]) => {
      const refined = refinements.get(schema)?.properties?.[name]
      return (description ?? refined?.description) === undefined
    })
    .map(([name]) => name)

/** Every object within the document, with its place. */
const within = (value: unknown, place = "#"): ReadonlyArray<{ readonly place: string; readonly value: object }> => {
  if (typeof value !== "object" || value === null || place.endsWith("/example") || place.endsWith("/value")) return []
  return [{ place, value }, ...Object.entries(value).flatMap(([name, member]) => within(member, `${place}/${name}`))]
}

describe("the OpenAPI document", () => {
  it("describes every member of every schema", () => {
    for (const { value } of within(document)) {
      const [first, ...others] = "allOf" in value ? (value.allOf as ReadonlyArray<MemberSchema>) : []
      const base = first?.$ref === undefined ? undefined : (targetOf(first.$ref) as MemberSchema)
      if (base !== undefined) for (const each of others) refine(each, base)
    }
    const lacking = within(document).flatMap(({ place, value }) =>
      undescribed(value as MemberSchema).map((name) => `${place}.${name}`)
    )
    assert.strictEqual(
      lacking.join("\n"),
      "",
      "these members have no description: give them one in their schema, or in src/http/openapi/members"
    )
  })

  it("describes every parameter, and has a limit as a number", () => {
    const parameters = operations.flatMap(({ operation, route }) =>
      (operation.parameters ?? []).map((parameter) => ({ ...parameter, route }))
    )
    const lacking = parameters.filter(({ description = "" }) => description === "")
    assert.deepStrictEqual(
      lacking.map(({ name, route }) => `${route} ${name}`),
      []
    )
    const limits = parameters.filter(({ name }) => name === "limit")
    assert.isAbove(limits.length, 10)
    assert.deepStrictEqual([...new Set(limits.map(({ schema }) => schema.type))], ["integer"])
  })

  it("refers to nothing that it does not have", () => {
    const missing = within(document).flatMap(({ place, value }) => {
      const reference = "$ref" in value ? value.$ref : undefined
      if (typeof reference !== "string") return []
      return targetOf(reference) === undefined ? [`${place} -> ${reference}`] : []
    })
    assert.deepStrictEqual(missing, [])
  })

  it("names each operation once, with a summary and a tag that is explained", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.deepStrictEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      []
    )
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const { operation, route } of operations) {
      assert.isAbove(operation.summary?.length ?? 0, 4, route)
      for (const tag of operation.tags) assert.isTrue(tags.has(tag), `${route} ${tag}`)
    }
    for (const name of Object.keys(document.components.schemas)) assert.match(name, /^[A-Za-z0-9._-]+$/)
    for (const name of Object.keys(document.components.responses)) assert.match(name, /^[A-Za-z0-9._-]+$/)
    for (const name of Object.keys(document.components.parameters)) assert.match(name, /^[A-Za-z0-9._-]+$/)
  })

  it("spells the scheme of HTTP authentication as pages and tools compare it", () => {
    assert.strictEqual(document.components.securitySchemes["api_key"]?.scheme, "bearer")
  })

  it("takes an Idempotency-Key on every POST of customers but those whose repetition changes nothing", () => {
    const keyless = operations.flatMap(({ operation: { operationId, parameters = [] }, route }) =>
      route.startsWith("POST /v1/") &&
      !route.startsWith("POST /v1/admin/") &&
      !route.startsWith("POST /v1/auth/") &&
      !route.startsWith("POST /v1/webhooks/pbx/") &&
      !parameters.some(({ name }) => name.toLowerCase() === "idempotency-key")
        ? [operationId]
        : []
    )
    assert.deepStrictEqual(keyless, [
      "webhooks.doctor",
      "workspace.close",
      "voiceActions.validate",
      "voiceActions.simulate"
    ])
  })

  it("states each error response once, and each code with an example", () => {
    const stated = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ route: path, operation }))
    )
    const errors = stated.flatMap(({ operation, route }) =>
      Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, body]) => ({ route, status, body }))
    )
    assert.isAbove(errors.length, 800)
    const own = errors.filter(({ body, route }) => body.$ref === undefined && route.startsWith("/v1/"))
    assert.deepStrictEqual(own, [])
    const ofErrors = Object.values(document.components.responses).filter((response) =>
      JSON.stringify(response).includes("#/components/schemas/Error")
    )
    assert.isBelow(ofErrors.length, 160)
    const error = ajv.compile({ $ref: "#/components/schemas/Error", components: document.components })
    for (const [code, { value }] of Object.entries(document.components.examples)) {
      assert.isTrue(error(value), `${code}: ${ajv.errorsText(error.errors)}`)
    }
  })

  it("states once what many operations take, and refers to it", () => {
    const uses = operations.flatMap(({ operation: { parameters = [] } }) =>
      parameters.map((each) => JSON.stringify(each))
    )
    const common = Map.groupBy(uses, (text) => text)
    const shared = new Set(Object.values(document.components.parameters).map((each) => JSON.stringify(each)))
    const repeated = [...common].filter(([text, same]) => same.length >= 10 && !shared.has(text)).map(([text]) => text)
    assert.deepStrictEqual(repeated, [])
  })

  it("says what every list has in it", () => {
    const without = within(document).flatMap(({ place, value }) =>
      "type" in value && value.type === "array" && !("items" in value) && !("prefixItems" in value) ? [place] : []
    )
    assert.deepStrictEqual(without, [])
  })

  it("has only patterns that validators without the flag u compile and understand", () => {
    const refused = within(document).flatMap(({ place, value }) =>
      "pattern" in value && typeof value.pattern === "string" && /\\p\{/i.test(value.pattern) ? [place] : []
    )
    assert.deepStrictEqual(refused, [])
  })

  it("states each response of success once, and refers to it", () => {
    const own = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses }) =>
        Object.values(responses)
          .filter(({ $ref }) => $ref === undefined)
          .map((response) => JSON.stringify(response))
      )
    )
    const shared = new Set(Object.values(document.components.responses).map((each) => JSON.stringify(each)))
    assert.deepStrictEqual(
      own.filter((text, index) => own.indexOf(text) !== index || shared.has(text)),
      []
    )
  })

  it("is smaller than 800 kB", () => {
    assert.isBelow(JSON.stringify(document).length, 800_000)
  })

  it("shows each text and value of the tables of members", () => {
    const shown = new Set<string>()
    const show = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return
      for (const [name, member] of Object.entries(value)) {
        shown.add(`${name} = ${JSON.stringify(member)}`)
        if (typeof member === "object" && member !== null && "description" in member) {
          shown.add(`${name}: ${JSON.stringify(member.description)}`)
        }
        show(member)
      }
    }
    show(document)
    show(JSON.parse(asyncApiText()))
    const nameOf = (row: string) => row.slice(row.lastIndexOf(".") + 1)
    // The examples of voice actions are written as a whole.
    const isOfVoice = (row: string) => row in voiceMembers
    const unused = [
      ...[...texts].filter(([row, text]) => !shown.has(`${nameOf(row)}: ${JSON.stringify(text)}`)),
      ...[...examples].filter(([row, value]) => !shown.has(`${nameOf(row)} = ${JSON.stringify(value)}`))
    ]
    assert.deepStrictEqual(
      unused.filter(([row]) => !isOfVoice(row)),
      []
    )
  })

  it("explains no member twice", () => {
    const names = memberTables.flatMap((table) => Object.keys(table))
    assert.deepStrictEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      []
    )
  })
})

describe("each body of the OpenAPI document", () => {
  for (const { body, place } of bodies) {
    for (const [type, media] of Object.entries(body.content ?? {})) {
      if (type.startsWith("audio/")) continue
      it(`has an example that fits its schema: ${place} ${type}`, () => {
        if (media.examples !== undefined) return
        assert.isDefined(media.example)
        if (type !== "application/json" && type !== "text/event-stream") return
        const fits = ajv.compile({ ...media.schema, components: document.components })
        assert.isTrue(fits(media.example), `${ajv.errorsText(fits.errors)} ${JSON.stringify(media.example)}`)
      })
    }
  }

  it("is there for every example that is written down", () => {
    const places = new Set(
      [...operations, ...callbacks].flatMap(({ operation, route }) => {
        const at = route.startsWith("callback") ? "" : route
        return Object.keys(operation.requestBody?.content ?? {})
          .concat(["application/json", "text/event-stream"])
          .flatMap((type) =>
            ["request", "response"].map((side) => `${at} ${side}${type === "application/json" ? "" : ` ${type}`}`)
          )
      })
    )
    const unused = Object.keys(written).filter((key) => !places.has(key) && !key.includes("{$request"))
    assert.deepStrictEqual(unused, [])
  })
})

describe("the example of a PBX event", () => {
  it("is one that the engine takes", () => {
    assert.isTrue(Result.isSuccess(Schema.decodeUnknownResult(PbxEvent)(eventExample)))
  })
})

/** What the examples need and the engine of this test has not. */
const lackingHere = new Map([
  ["POST /v1/workspace", "currency.unsupported"],
  ["PUT /v1/storage/tier", "storage.tier_invalid"]
])

layer(fakeEngine)("the example of each request", (it) => {
  it.effect(
    "is accepted by the engine",
    () =>
      Effect.gen(function* () {
        const engine = yield* FakeEngine
        const test = yield* engine.mint({ env: "test" })
        const faults: Array<string> = []
        let asked = 0
        for (const { operation, route } of operations) {
          const example = operation.requestBody?.content?.["application/json"]?.example
          const [method = "", template = ""] = route.split(" ")
          if (example === undefined || operation.tags.includes("PBX gateways")) continue
          const path = template.replaceAll(/\{\w+\}/g, sample.entry)
          const cookie = template.startsWith("/v1/admin") ? "session=operator" : "session=owner"
          const isOfSandbox = template.startsWith("/v1/sandbox")
          const { code, status, text } = yield* ask({
            path,
            method,
            body: example,
            ...(isOfSandbox ? { key: test } : { headers: { cookie, origin: yield* origin } })
          })
          asked++
          const isRefused = [400, 415, 422].includes(status) || code?.startsWith("api_key.") === true
          if (lackingHere.get(route) === code) continue
          if (isRefused) faults.push(`${route}: ${status} ${text.slice(0, 400)}`)
        }
        assert.deepStrictEqual(faults, [])
        assert.isAbove(asked, 50)
      }),
    60_000
  )
})
