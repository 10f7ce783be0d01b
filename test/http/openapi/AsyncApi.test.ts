import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result, Schema } from "effect"
import { StreamedEvent } from "../../../src/domain/calls/views/CallNotice.ts"
import { DownFrame, UpFrame } from "../../../src/domain/pbx/Frame.ts"
import { eventKinds } from "../../../src/domain/events/EventTable.ts"
import { asyncApiText } from "../../../src/http/openapi/AsyncApi.ts"

interface Reference {
  readonly $ref: string
}
interface Document {
  readonly asyncapi: string
  readonly channels: Record<string, { readonly address?: string; readonly messages: Record<string, Reference> }>
  readonly operations: Record<
    string,
    { readonly action: string; readonly channel: Reference; readonly messages: ReadonlyArray<Reference> }
  >
  readonly components: {
    readonly schemas: Record<string, object>
    readonly messages: Record<
      string,
      { readonly payload: object; readonly examples: ReadonlyArray<{ readonly payload: unknown }> }
    >
  }
}

const document = JSON.parse(asyncApiText()) as Document
const ajv = new Ajv2020({ strict: false, validateFormats: false })

const references = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) =>
        name === "$ref" && typeof member === "string" ? [member] : references(member)
      )

const resolve = (reference: string): unknown =>
  reference
    .slice(2)
    .split("/")
    .reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document)

const examplesOf = (prefix: string) =>
  Object.entries(document.components.messages)
    .filter(([id]) => id.startsWith(prefix))
    .map(([id, { examples }]) => ({ id, example: examples[0]?.payload }))

describe("the AsyncAPI document", () => {
  it("has both streams, webhooks and the feed, and refers to nothing that it does not have", () => {
    assert.strictEqual(document.asyncapi, "3.0.0")
    assert.deepStrictEqual(
      Object.values(document.channels).map(({ address }) => address),
      ["/v1/calls/{id}/stream", "/v1/events/stream", undefined, "/v1/pbx/feed"]
    )
    assert.deepStrictEqual(
      references(document).filter((reference) => resolve(reference) === undefined),
      []
    )
  })

  it("has every kind of webhook and every frame", () => {
    assert.deepStrictEqual(
      examplesOf("webhook.").map(({ id }) => id),
      eventKinds.map((kind) => `webhook.${kind}`)
    )
    assert.deepStrictEqual(
      examplesOf("feed.").map(({ id }) => id),
      [
        ...["hello", "events", "ack", "refuse", "pong"].map((type) => `feed.up.${type}`),
        ...["welcome", "commands", "ack", "refused", "ping"].map((type) => `feed.down.${type}`)
      ]
    )
  })

  for (const [id, { examples, payload }] of Object.entries(document.components.messages)) {
    it(`shows an example of ${id} that fits its schema`, () => {
      const fits = ajv.compile({ ...payload, components: document.components })
      for (const { payload: example } of examples)
        assert.isTrue(fits(example), `${ajv.errorsText(fits.errors)} ${JSON.stringify(example)}`)
    })
  }

  it("shows frames and events that the engine itself reads", () => {
    const decodes = (schema: Schema.Codec<unknown>, example: unknown, id: string) => {
      const decoded = Schema.decodeUnknownResult(schema)(example)
      assert.isTrue(Result.isSuccess(decoded), `${id}: ${Result.isFailure(decoded) ? decoded.failure.message : ""}`)
    }
    for (const { example, id } of examplesOf("feed.up.")) decodes(UpFrame as Schema.Codec<unknown>, example, id)
    for (const { example, id } of examplesOf("feed.down.")) decodes(DownFrame as Schema.Codec<unknown>, example, id)
    for (const { example, id } of examplesOf("stream.event"))
      decodes(StreamedEvent as Schema.Codec<unknown>, example, id)
  })

  it("describes every member", () => {
    const lacking = Object.entries(document.components.schemas).flatMap(([name, schema]) => lackingIn(schema, name))
    assert.deepStrictEqual(lacking, [])
  })
})

const lackingIn = (value: unknown, place: string): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const members = "properties" in value ? Object.entries(value.properties as Record<string, object>) : []
  return [
    ...members.filter(([, member]) => !("description" in member)).map(([name]) => `${place}.${name}`),
    ...Object.entries(value).flatMap(([name, member]) => lackingIn(member, `${place}/${name}`))
  ]
}
