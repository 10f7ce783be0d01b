import { assert, describe, it } from "@effect/vitest"
import { dayOrInstantOf, instantOf } from "../../src/domain/GivenInstant.ts"

describe("an instant that is given", () => {
  const known: ReadonlyArray<readonly [string, string]> = [
    ["2026-11-22T00:00:00Z", "2026-11-22T00:00:00.000Z"],
    ["2026-11-22t00:00:00.123456789z", "2026-11-22T00:00:00.123Z"],
    ["2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00.000Z"],
    ["1900-01-01T00:00:00Z", "1900-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
  ]
  for (const [text, at] of known)
    it(`is ${at} where ${text} is written`, () => assert.strictEqual(instantOf(text), Date.parse(at)))

  const unknown = [
    "0000-01-01T00:00:00Z",
    "1900-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-00:01",
    "2026-02-29T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-01T24:00:01Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00",
    "2026-01-01",
    "-000001-01-01T00:00:00Z",
    "+10000-01-01T00:00:00Z",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00Z ",
    "1790000000",
    ""
  ]
  for (const text of unknown)
    it(`is none where ${JSON.stringify(text)} is written`, () => assert.isUndefined(instantOf(text)))
})

describe("a day that is given", () => {
  it("is one of the calendar, or an instant", () => {
    assert.strictEqual(dayOrInstantOf("2024-02-29"), Date.UTC(2024, 1, 29))
    assert.strictEqual(dayOrInstantOf("2024-02-29T12:00:00Z"), Date.UTC(2024, 1, 29, 12))
    for (const text of ["2026-02-29", "0000-01-01", "2026-1-1", "2026-11-22Z", ""])
      assert.isUndefined(dayOrInstantOf(text), text)
  })
})
