import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { OpenApi } from "effect/http-api"
import { eventKinds } from "../../../src/domain/events/EventTable.ts"
import { DocumentedApi } from "../../../src/http/openapi/DocumentedApi.ts"

interface Operation {
  readonly requestBody: {
    readonly content: {
      readonly "application/json": {
        readonly schema: object
        readonly example: { event_kind: string; payload: object }
      }
    }
  }
}

const document = OpenApi.fromApi(DocumentedApi) as unknown as {
  readonly webhooks: Record<string, { readonly post: Operation }>
  readonly components: object
}

describe("the contract's webhooks section", () => {
  it("has every kind of event", () => {
    assert.deepStrictEqual(Object.keys(document.webhooks), [...eventKinds])
  })

  for (const kind of eventKinds) {
    it(`shows an example of ${kind} that fits its JSON Schema`, () => {
      const { example, schema } = document.webhooks[kind]!.post.requestBody.content["application/json"]
      const ajv = new Ajv2020({ strict: false, validateFormats: false })
      const fits = ajv.compile({ ...schema, components: document.components })
      assert.isTrue(fits(example), ajv.errorsText(fits.errors))
      assert.strictEqual(example.event_kind, kind)
      assert.isFalse(fits({ ...example, payload: {} }))
      assert.isFalse(fits({ ...example, event_kind: "call.nothing" }))
    })
  }
})
