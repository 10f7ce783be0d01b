// The OpenAPI document that is committed, so that a change of the public contract is seen in review.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { apiDocuments } from "../../../src/app/ApiDocuments.ts"
import { differences } from "../../../src/cli/OpenApiCommand.ts"

describe("docs/openapi.json", () => {
  it("is the document that the engine serves", () => {
    const committed: unknown = JSON.parse(readFileSync("docs/openapi.json", "utf8"))
    const found = differences(committed, apiDocuments.openapi())
    assert.deepStrictEqual(found, [], "if the change is meant, run `node scripts/docs/openapi.ts`")
  })
})
