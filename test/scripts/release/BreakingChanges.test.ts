// Semantic versioning of the API: what breaks a client, and that nothing does so unnoticed.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { digestOf } from "../../../scripts/release/ApiDigest.ts"
import { breakingChanges } from "../../../scripts/release/BreakingChanges.ts"
import { toldAsBreaking } from "../../../scripts/release/Changelog.ts"
import { currentDigest, readDigest, releasedVersions } from "../../../scripts/release/Releases.ts"
import { newest } from "../../../scripts/release/Versions.ts"

interface Part {
  readonly operationId?: string
  readonly parameters?: ReadonlyArray<object>
  readonly request?: object
  readonly answer?: object
  readonly codes?: ReadonlyArray<string>
  readonly event?: object
}

const text = { type: "string" }
const call = {
  type: "object",
  required: ["id", "to"],
  properties: { id: text, to: text, note: text, state: { type: "string", enum: ["busy", "done"] } }
}
const body = {
  type: "object",
  required: ["to"],
  properties: {
    to: { type: "string", maxLength: 20 },
    from: text,
    mode: { anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }] },
    count: { type: "number", minimum: 1 }
  }
}

const documentOf = ({
  answer = call,
  codes = ["calls.not_found", "internal_error"],
  event = call,
  operationId = "calls.place",
  parameters = [{ in: "query", name: "limit", schema: { type: "integer", maximum: 100 } }],
  request = body
}: Part = {}) => ({
  paths: {
    "/v1/calls": {
      post: {
        operationId,
        parameters,
        requestBody: { content: { "application/json": { schema: request } } },
        responses: {
          "201": { content: { "application/json": { schema: answer } } },
          "404": {
            content: {
              "application/json": {
                schema: {
                  allOf: [
                    { $ref: "#/components/schemas/Error" },
                    { properties: { error: { properties: { code: { enum: codes } } } } }
                  ]
                }
              }
            }
          }
        }
      }
    }
  },
  components: {
    schemas: {
      Error: {
        type: "object",
        properties: { error: { type: "object", properties: { code: text } } },
        required: ["error"]
      }
    }
  },
  webhooks: { "call.completed": { post: { requestBody: { content: { "application/json": { schema: event } } } } } }
})

const with_ = (
  schema: typeof call | typeof body,
  properties: object,
  required: ReadonlyArray<string> = schema.required
) => ({
  type: "object",
  required,
  properties: { ...schema.properties, ...properties }
})
const without = (schema: typeof call | typeof body, name: string) => ({
  ...schema,
  properties: Object.fromEntries(Object.entries(schema.properties).filter(([each]) => each !== name))
})

const before = digestOf(documentOf())
const broken = (part: Part): ReadonlyArray<string> =>
  breakingChanges(before, digestOf(documentOf(part))).map(({ what }) => what)

describe("an API breaks its clients if", () => {
  it.each<[string, Part, string]>([
    ["a request loses a member", { request: without(body, "from") }, "body/from is gone"],
    ["a member of a request becomes required", { request: with_(body, {}, ["to", "from"]) }, "body/from is required"],
    ["a new member of a request is required", { request: with_(body, { x: text }, ["to", "x"]) }, "body/x is required"],
    [
      "a request loses a value",
      { request: with_(body, { mode: { type: ["string", "null"], enum: ["a", null] } }) },
      "body/mode no longer takes b"
    ],
    [
      "a request loses null",
      { request: with_(body, { mode: { type: "string", enum: ["a", "b"] } }) },
      "body/mode no longer takes null"
    ],
    [
      "a text gets a list of values",
      { request: with_(body, { from: { type: "string", enum: ["x"] } }) },
      "body/from takes x only"
    ],
    [
      "a text must be shorter",
      { request: with_(body, { to: { type: "string", maxLength: 19 } }) },
      "body/to has a narrower limit"
    ],
    [
      "a number must be larger",
      { request: with_(body, { count: { type: "number", minimum: 2 } }) },
      "body/count has a narrower limit"
    ],
    [
      "a number must be an integer",
      { request: with_(body, { count: { type: "integer", minimum: 1 } }) },
      "body/count no longer takes number"
    ],
    ["a parameter is gone", { parameters: [] }, "query limit is gone"],
    [
      "a parameter becomes required",
      { parameters: [{ in: "query", name: "limit", required: true, schema: { type: "integer", maximum: 100 } }] },
      "query limit is required"
    ],
    ["an answer loses a member", { answer: without(call, "note") }, "answer 201/note is gone"],
    ["a member of an answer may be absent", { answer: with_(call, {}, ["id"]) }, "answer 201/to may be absent"],
    [
      "a member of an answer may be null",
      { answer: with_(call, { id: { type: ["string", "null"] } }) },
      "answer 201/id may be null"
    ],
    ["an event loses a member", { event: without(call, "note") }, "body/note is gone"],
    ["a code is gone", { codes: ["internal_error"] }, "the code calls.not_found is gone"],
    [
      "a method of the client has another name",
      { operationId: "calls.start" },
      "the client calls it calls.start, no longer calls.place"
    ]
  ])("%s", (_, part, what) => {
    assert.include(broken(part), what)
  })

  it("an operation or an event is gone", () => {
    const empty = digestOf({ paths: {}, webhooks: {} })
    assert.deepStrictEqual(
      breakingChanges(before, empty)
        .map(({ where, what }) => `${where} ${what}`)
        .slice(0, 2),
      ["POST /v1/calls is gone", "call.completed is gone"]
    )
  })
})

describe("an API does not break its clients if", () => {
  const named = { ...documentOf({ answer: { $ref: "#/components/schemas/Call" } }) }
  it.each<[string, Part]>([
    ["nothing has changed", {}],
    ["a request may have another member", { request: with_(body, { x: text }) }],
    [
      "a request takes another value",
      { request: with_(body, { mode: { type: ["string", "null"], enum: ["a", "b", "c", null] } }) }
    ],
    ["a text may be longer", { request: with_(body, { to: { type: "string", maxLength: 30 } }) }],
    ["an answer has another member", { answer: with_(call, { x: text }) }],
    [
      "an answer has another value",
      { answer: with_(call, { state: { type: "string", enum: ["busy", "done", "new"] } }) }
    ],
    ["a member of an answer is always there", { answer: with_(call, {}, ["id", "to", "note"]) }],
    ["there is another code", { codes: ["calls.not_found", "internal_error", "calls.new"] }],
    [
      "null is written in another way",
      { request: with_(body, { mode: { type: ["string", "null"], enum: ["a", "b", null] } }) }
    ]
  ])("%s", (_, part) => {
    assert.deepStrictEqual(broken(part), [])
  })

  it("a schema gets a name", () => {
    const document = { ...named, components: { schemas: { ...named.components.schemas, Call: call } } }
    assert.deepStrictEqual(breakingChanges(before, digestOf(document)), [])
  })
})

describe("the API", () => {
  it("is read whole, with the actions that contain themselves", () => {
    const { events, operations } = currentDigest()
    assert.isAbove(Object.keys(operations).length, 150)
    assert.isAbove(Object.keys(events).length, 50)
    const originate = operations["POST /v1/calls/originate"]!
    assert.deepStrictEqual(originate.bodies["application/json"]!.required, ["from", "to"])
    assert.include(originate.codes, "wallet.insufficient_funds")
    const { actions } = originate.bodies["application/json"]!.members!
    assert.containsAllKeys(actions!.items!.members!, ["say", "dial", "gather"])
    assert.include(operations["GET /v1/calls/{id}"]!.answers["200"]!.required!, "status")
  })

  it("has broken nothing since the last release that CHANGELOG.md does not name under Breaking", () => {
    const last = newest(releasedVersions())
    if (last === undefined) return
    const told = toldAsBreaking(readFileSync("CHANGELOG.md", "utf8"))
    const untold = breakingChanges(readDigest(last), currentDigest()).filter(({ where }) => !told.has(where))
    assert.deepStrictEqual(untold, [])
  })
})
