// What endpoints have that their rows do not say.
import { assert, describe, it } from "@effect/vitest"
import { Context, Option, Schema, SchemaAST } from "effect"
import { OpenApi } from "effect/http-api"
import { CallListFailed, CallNotFound } from "../../../src/domain/errors/CallErrors.ts"
import { ServiceUnavailable } from "../../../src/domain/errors/GeneralErrors.ts"
import { WalletNotFound } from "../../../src/domain/errors/WalletErrors.ts"
import { customerEndpoints } from "../../../src/http/api/Endpoints.ts"
import { EndpointPolicy } from "../../../src/http/request/EndpointPolicy.ts"
import { JsonWrite } from "../../../src/http/request/JsonWrite.ts"

const endpoint = customerEndpoints({
  read: { scope: "calls.read", whenReadFails: ServiceUnavailable },
  write: { scope: "calls.write", role: "member" }
})

const text = { summary: "A row", description: "For a test." }
const params = { id: Schema.String }
const success = Schema.Struct({ id: Schema.String })

interface Annotated {
  readonly annotations: Context.Context<never>
}
const policyOf = ({ annotations }: Annotated) => Context.get(annotations, EndpointPolicy)

describe("the row of an endpoint", () => {
  it("has the policy of its group and method, and what differs comes from the row", () => {
    assert.deepStrictEqual(policyOf(endpoint.get("a", "/a", { ...text, success })), {
      scope: "calls.read",
      whenReadFails: ServiceUnavailable
    })
    assert.deepStrictEqual(policyOf(endpoint.remove("a", "/a", { ...text, policy: { role: "owner" }, success })), {
      scope: "calls.write",
      role: "owner"
    })
  })

  it("answers a malformed id with its first error of status 404, and a failed read with that of status 500", () => {
    const errors = [CallListFailed, CallNotFound, WalletNotFound] as const
    assert.deepStrictEqual(policyOf(endpoint.get("a", "/a/:id", { ...text, params, success, errors })), {
      scope: "calls.read",
      whenIdMalformed: CallNotFound,
      whenReadFails: CallListFailed
    })
    const named = { whenIdMalformed: WalletNotFound }
    const row = { ...text, params, success, errors, policy: named }
    assert.strictEqual(policyOf(endpoint.get("a", "/a/:id", row)).whenIdMalformed, WalletNotFound)
    const without = policyOf(endpoint.get("a", "/a", { ...text, success, errors }))
    assert.isUndefined(without.whenIdMalformed, "there is no id in the path")
  })

  it("has the parameters of paging in a list, before its filters", () => {
    const list = endpoint.list("a", "/a", { ...text, query: { name: Schema.String }, success })
    const ast = list.query?.ast
    const names = ast !== undefined && SchemaAST.isObjects(ast) ? ast.propertySignatures.map(({ name }) => name) : []
    assert.deepStrictEqual(names, ["limit", "cursor", "name"])
  })

  it("reads a body where the method has one, and says in the document that it may be absent", () => {
    const bodiless = [endpoint.act("a", "/a", { ...text, success }), endpoint.get("a", "/a", { ...text, success })]
    for (const each of bodiless) assert.deepStrictEqual([...each.middlewares], [])
    const required = endpoint.post("a", "/a", { ...text, payload: success, success })
    assert.deepStrictEqual([...required.middlewares], [JsonWrite])
    const optional = endpoint.post("a", "/a", { ...text, payload: [success, Schema.Null], success })
    const changed = ({ annotations }: Annotated) =>
      Option.map(Context.getOption(annotations, OpenApi.Transform), (change) =>
        change({ requestBody: { required: true } })
      )
    assert.isTrue(Option.isNone(changed(required)))
    assert.deepStrictEqual(changed(optional), Option.some({ requestBody: { required: false } }))
  })
})
