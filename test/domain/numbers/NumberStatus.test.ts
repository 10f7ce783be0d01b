import { assert, describe, it } from "@effect/vitest"
import { anniversary, dayOfMonth } from "../../../src/domain/numbers/NumberStatus.ts"

const at = (text: string): number => Date.parse(text)

describe("the day of a rental", () => {
  it.each([
    [31, "2027-01-31T10:00:00Z", "2027-02-28T00:00:00Z"],
    [31, "2027-02-28T00:00:00Z", "2027-03-31T00:00:00Z"],
    [31, "2027-03-31T00:00:00Z", "2027-04-30T00:00:00Z"],
    [29, "2028-01-29T23:59:59Z", "2028-02-29T00:00:00Z"],
    [30, "2027-12-30T00:00:00Z", "2028-01-30T00:00:00Z"],
    [15, "2027-06-15T00:00:00Z", "2027-07-15T00:00:00Z"],
    [15, "2027-06-14T23:59:59Z", "2027-06-15T00:00:00Z"],
    [1, "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"]
  ])("%i, after %s, is %s", (day, after, expected) => {
    assert.strictEqual(new Date(anniversary(day, at(after))).toISOString(), new Date(expected).toISOString())
  })

  it("is the day of the claim in UTC", () => assert.strictEqual(dayOfMonth(at("2027-01-31T23:30:00Z")), 31))
})
