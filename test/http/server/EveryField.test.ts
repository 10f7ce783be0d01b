// Every query parameter and every member of a body of the calls' endpoints, made wrong in each way that the OpenAPI
// document rules out: the answer names the field, and is never a fault of the engine.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inlineReferences } from "../../../scripts/client/InlineReferences.ts"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"

interface Shape {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxProperties?: number
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Shape | boolean
  readonly propertyNames?: Shape
  readonly allOf?: ReadonlyArray<Shape>
  readonly anyOf?: ReadonlyArray<Shape>
  readonly oneOf?: ReadonlyArray<Shape>
}

interface Operation {
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Shape
  }>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Shape>> }
}

interface Wrong {
  readonly pointer: string
  readonly value: unknown
  readonly why: string
}

const id = "0190f5fe-7c00-7a00-8000-0000000000ff"

/** The forms that a value may have. */
const forms = (shape: Shape, { components: { schemas } }: Document): ReadonlyArray<Shape> => {
  const document = { components: { schemas } } as Document
  const { $ref, allOf = [], anyOf, oneOf, ...own } = shape
  if ($ref !== undefined) return forms(schemas[$ref.split("/").at(-1)!]!, document)
  const whole: Shape = Object.assign({}, own, ...allOf.flatMap((part) => forms(part, document)))
  return (anyOf ?? oneOf)?.flatMap((form) => forms({ ...whole, ...form }, document)) ?? [whole]
}

/** Values of the wrong type, and on the wrong side of each bound. */
const broken = (all: ReadonlyArray<Shape>): ReadonlyArray<readonly [unknown, string]> => {
  const types = new Set(all.flatMap(({ type = [] }) => type))
  if (types.size === 0 && all.every((form) => form.enum === undefined && form.const === undefined)) return []
  const others: ReadonlyArray<readonly [string, unknown]> = [
    ["string", "x y"],
    ["number", 7.5],
    ["boolean", true],
    ["object", { a: {} }],
    ["array", [[]]],
    ["null", null]
  ]
  const accepts = (type: string) =>
    types.has(type) ||
    all.some(({ const: only, enum: list = [] }) => [only, ...list].some((value) => typeof value === type))
  const wrong: Array<readonly [unknown, string]> = others
    .filter(([type]) => !accepts(type))
    .map(([type, value]) => [value, `a ${type}`])
  const [form] = all
  if (all.length !== 1 || form === undefined) return wrong
  if (types.has("integer")) wrong.push([1.5, "a fraction"])
  if (form.enum !== undefined) wrong.push(["no-such", "not in the list"])
  if (form.minLength !== undefined && form.minLength > 0) wrong.push(["", "too short"])
  if (form.maxLength !== undefined) wrong.push(["1".repeat(form.maxLength + 1), "too long"])
  if (form.pattern !== undefined) {
    const off = ["?", "\t", "-", "z".repeat(3)].find((text) => !new RegExp(form.pattern!, "u").test(text))
    if (off !== undefined) wrong.push([off, "off the pattern"])
  }
  if (form.minimum !== undefined) wrong.push([form.minimum - 1, "too small"])
  if (form.maximum !== undefined) wrong.push([form.maximum + 1, "too large"])
  if (form.maxProperties !== undefined) {
    wrong.push([
      Object.fromEntries(Array.from({ length: form.maxProperties + 1 }, (_, n) => [`k${n}`, "v"])),
      "too many members"
    ])
  }
  return wrong
}

const wrongValues = (pointer: string, shape: Shape, document: Document): ReadonlyArray<Wrong> => {
  const all = forms(shape, document)
  const own = broken(all).map(([value, why]) => ({ pointer, value, why }))
  const within = all.flatMap(({ additionalProperties }) =>
    typeof additionalProperties === "object"
      ? wrongValues(`${pointer}/k`, additionalProperties, document).map((wrong) => ({
          ...wrong,
          value: { k: wrong.value }
        }))
      : []
  )
  return [...own, ...within]
}

const isOfCalls = (path: string): boolean => path.startsWith("/v1/calls") || path.startsWith("/v1/voice-actions")

layer(fakeEngine)("each field of the calls' endpoints", (it) => {
  const read = Effect.gen(function* () {
    const key = yield* (yield* FakeEngine).mint()
    const { body } = yield* ask({ path: "/openapi.json", key })
    const document = inlineReferences(body as Document)
    const operations = Object.entries(document.paths)
      .filter(([path]) => isOfCalls(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          path: path.replace("{id}", id),
          method: method.toUpperCase(),
          operation
        }))
      )
    return { document, key, operations }
  })

  it.effect(
    "of a query is named in the error if it is invalid",
    () =>
      Effect.gen(function* () {
        const { document, key, operations } = yield* read
        let asked = 0
        for (const { method, operation, path } of operations) {
          const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query")
          const needed = query
            .filter(({ required }) => required === true)
            .map(({ name }): [string, string] => [name, "1"])
          for (const { name, schema } of query) {
            const texts = wrongValues(`/${name}`, schema, document).filter(
              ({ value, why }) =>
                (typeof value !== "object" && !why.startsWith("a ")) || why === "a fraction" || why === "a string"
            )
            const twice = `${new URLSearchParams([...needed.filter(([other]) => other !== name), [name, "1"], [name, "1"]])}`
            const single = texts.map(
              ({ value, why }) =>
                [`${new URLSearchParams({ ...Object.fromEntries(needed), [name]: String(value) })}`, why] as const
            )
            for (const [search, why] of [...single, [twice, "twice"]] as const) {
              const answer = yield* ask({ path: `${path}?${search}`, method, key })
              asked++
              const said = `${method} ${path}?${search.slice(0, 200)} (${why}): ${answer.status} ${answer.text.slice(0, 300)}`
              assert.deepStrictEqual([answer.status, answer.code], [400, "validation.bad_request"], said)
              const { error } = answer.body as {
                readonly error: { readonly details?: ReadonlyArray<{ readonly field: string }> }
              }
              assert.isTrue(
                error.details?.some(({ field }) => field === `/${name}`),
                said
              )
            }
          }
        }
        assert.isAbove(asked, 35)
      }),
    60_000
  )

  it.effect(
    "of a body is named in the error if it is invalid or missing",
    () =>
      Effect.gen(function* () {
        const { document, key, operations } = yield* read
        let asked = 0
        for (const { method, operation, path } of operations) {
          const shape = operation.requestBody?.content["application/json"]?.schema
          const [form] =
            shape === undefined ? [] : forms(shape, document).filter(({ properties }) => properties !== undefined)
          if (form?.properties === undefined) continue
          const whole: Record<string, unknown> = path === "/v1/calls/originate" ? { ...originateBody } : {}
          const wrong = Object.entries(form.properties).flatMap(([name, member]) =>
            wrongValues(`/${name}`, member, document)
          )
          const missing = (form.required ?? []).map((name): Wrong => ({
            pointer: `/${name}`,
            value: undefined,
            why: "left out"
          }))
          for (const { pointer, value, why } of [...wrong, ...missing]) {
            const answer = yield* ask({ path, method, key, body: { ...whole, [pointer.split("/")[1]!]: value } })
            asked++
            const said = `${method} ${path} ${pointer} (${why}): ${answer.status} ${answer.text.slice(0, 300)}`
            assert.deepStrictEqual([answer.status, answer.code], [400, "validation.bad_request"], said)
            const { error } = answer.body as {
              readonly error: { readonly details?: ReadonlyArray<{ readonly field: string }> }
            }
            assert.isTrue(
              error.details?.some(({ field }) => field === pointer || field.startsWith(`${pointer}/`)),
              said
            )
          }
        }
        assert.isAbove(asked, 100)
      }),
    60_000
  )
})
