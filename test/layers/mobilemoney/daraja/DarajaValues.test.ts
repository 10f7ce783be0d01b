import { assert, describe, it } from "@effect/vitest"
import { eastAfrican, instantOf, pastInstantOf, stamp } from "../../../../src/layers/mobilemoney/daraja/DarajaValues.ts"

const noon = Date.UTC(2026, 10, 22, 12)

describe("a time of Safaricom's", () => {
  it.each([
    ["20261122150000", noon],
    ["2026-11-22 15:00:00", noon],
    ["2026-11-22T15:00:00", noon],
    ["2026-11-22T15:00:00+03:00", noon],
    ["2026-11-22T12:00:00Z", noon],
    ["yesterday", undefined]
  ])("%s is read as East Africa Time without a zone", (text, at) => assert.strictEqual(instantOf(text), at))

  it("is written as East Africa Time", () =>
    assert.deepStrictEqual([eastAfrican(noon), stamp(noon)], ["2026-11-22 15:00:00", "20261122150000"]))

  it.each([
    ["as UTC, paid just now", "2026-11-22T12:00:00Z", noon],
    ["as UTC, by a clock that is ahead", "2026-11-22T12:04:00Z", noon + 240_000],
    ["as East Africa Time that says it is UTC", "2026-11-22T15:00:00Z", noon],
    ["as East Africa Time without a zone", "2026-11-22 15:00:00", noon]
  ])("in a list of payments is never in the future: %s", (_, text, at) =>
    assert.strictEqual(pastInstantOf(text, noon), at)
  )
})
