import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"

const validate = (body: unknown) =>
  Effect.gen(function* () {
    const key = yield* Effect.flatMap(FakeEngine, ({ mint }) => mint({ scopes: ["calls.read"] }))
    return yield* ask({ path: "/v1/voice-actions/validate", key, body })
  })

describe("voice actions over HTTP", () => {
  layer(fakeEngine)((it) => {
    it.effect("have a schema that names every action", () =>
      Effect.gen(function* () {
        const key = yield* Effect.flatMap(FakeEngine, ({ mint }) => mint({ scopes: ["calls.read"] }))
        const { body, status } = yield* ask({ path: "/v1/voice-actions/schema", key })
        assert.strictEqual(status, 200)
        const { $schema, properties } = body as {
          $schema: string
          properties: { actions: { items: { anyOf: ReadonlyArray<{ required: [string] }> } } }
        }
        assert.strictEqual($schema, "https://json-schema.org/draft/2020-12/schema")
        assert.includeMembers(
          properties.actions.items.anyOf.map(({ required: [key] }) => key),
          ["say", "dial", "gather", "hangup", "tag", "reject"]
        )
      })
    )

    it.effect("are reported as valid, or with the faults of each action", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* validate({ actions: [{ hangup: {} }] })).body, { valid: true, errors: [] })
        const { body, status } = yield* validate({
          actions: [{ say: {} }, { hangup: {} }, { dial: { number: "+254700000001", timeout: 1 } }]
        })
        assert.strictEqual(status, 200)
        const { errors, valid } = body as { valid: boolean; errors: ReadonlyArray<{ pointer: string }> }
        assert.isFalse(valid)
        assert.deepStrictEqual(
          errors.map(({ pointer }) => pointer),
          ["/actions/0/say/text", "/actions/2/dial/timeout"]
        )
        for (const document of [[], '"say"', 7, {}, { actions: [], more: 1 }]) {
          assert.deepInclude((yield* validate(document)).body as object, { valid: false })
        }
      })
    )
  })
})
