import { assert, describe, it } from "@effect/vitest"
import { SqlError } from "effect/sql"
import { ServiceUnavailable } from "../../../src/domain/errors/GeneralErrors.ts"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { isReadOnly, isUnavailable } from "../../../src/domain/errors/Unavailable.ts"

const failed = (code: string) =>
  new ReadFailed({
    cause: new SqlError.SqlError({
      reason: new SqlError.UnknownError({ cause: { code, severity: "ERROR" }, message: "x", operation: "query" })
    })
  })

const connection = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: new Error("ECONNREFUSED"), message: "x", operation: "connect" })
})

describe("isUnavailable", () => {
  for (const [what, error, expected] of [
    ["a connection that failed", connection, true],
    ["a read over one", new ReadFailed({ cause: connection }), true],
    ["an operator's shutdown", failed("57P01"), true],
    ["a server that starts", failed("57P03"), true],
    ["too many connections", failed("53300"), true],
    ["a full disk", failed("53100"), true],
    ["a read-only server", failed("25006"), true],
    ["a statement that took too long", failed("57014"), true],
    ["a deadlock", failed("40P01"), true],
    ["the engine's own refusal", new ServiceUnavailable(), true],
    ["an unknown table", failed("42P01"), false],
    ["a violated constraint", failed("23505"), false],
    ["corrupt data", failed("XX001"), false],
    ["a defect", new TypeError("x is not a function"), false],
    ["nothing", undefined, false],
    ["text", "ConnectionError", false]
  ] as const)
    it(`${what}: ${expected}`, () => assert.strictEqual(isUnavailable(error), expected))

  it("ends with a cause that is its own cause", () => {
    const error: { cause?: unknown } = {}
    error.cause = error
    assert.isFalse(isUnavailable(error))
  })
})

describe("isReadOnly", () => {
  for (const [what, error, expected] of [
    ["a write in a read-only session", failed("25006"), true],
    ["the cause of another error", { cause: failed("25006") }, true],
    ["a full disk", failed("53100"), false],
    ["a connection that failed", connection, false],
    ["nothing", undefined, false]
  ] as const)
    it(`${what}: ${expected}`, () => assert.strictEqual(isReadOnly(error), expected))
})
