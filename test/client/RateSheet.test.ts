// Rate sheets that operators import: how they are read, and what they change.
import { assert, describe, it } from "@effect/vitest"
import { changesOf, readSheet } from "../../src/client/RateSheet.ts"

const head = "currency,direction,prefix,per_min_minor,country,description,class"
const now = Date.parse("2026-11-23T00:00:00Z")

const rate = (prefix: string, per_min_minor: number, effective_from = "2026-01-01T00:00:00Z") => ({
  id: `${prefix} ${effective_from}`,
  currency: "KES" as const,
  direction: "outbound" as const,
  prefix,
  country: "KE",
  description: "Kenya",
  per_min_minor,
  class: "normal" as const,
  effective_from,
  effective_to: null
})

describe("a rate sheet", () => {
  it("is read by the names of its columns, with quotes, other separators and a plus", () => {
    const read = readSheet(`${head}\r\nkes,outbound,+254,300,ke,"Kenya, ""mobile""",high_risk\r\n\r\n`)
    assert.deepStrictEqual(read, {
      rates: [
        {
          currency: "KES",
          direction: "outbound",
          prefix: "254",
          per_min_minor: 300,
          country: "KE",
          description: 'Kenya, "mobile"',
          class: "high_risk"
        }
      ],
      faults: []
    })
    assert.strictEqual(readSheet("prefix;currency;per_min_minor\n256;UGX;1200").rates[0]?.prefix, "256")
  })

  it("names the line of each fault", () => {
    const { faults, rates } = readSheet(`${head}\nKES,outbound,254,3.50\nUSD,outbound,1,10\nKES,up,254,10\nKES,,x,10`)
    assert.deepStrictEqual(rates, [])
    assert.deepStrictEqual(
      faults.map(({ line }) => line),
      [2, 3, 4, 5]
    )
    assert.match(readSheet("a,b\n1,2").faults[0]?.message ?? "", /does not name currency, prefix, per_min_minor/)
  })

  it("changes what is new or costs something else now, and nothing that stays", () => {
    const sheet = readSheet(`${head}\nKES,outbound,254,300\nKES,outbound,255,500\nKES,outbound,256,700`).rates
    const current = [
      rate("254", 300),
      rate("255", 100),
      rate("255", 450, "2026-06-01T00:00:00Z"),
      rate("256", 700, "2027-01-01T00:00:00Z")
    ]
    assert.deepStrictEqual(
      changesOf(sheet, current, now).map(({ before, rate: { prefix } }) => [prefix, before]),
      [
        ["255", 450],
        ["256", undefined]
      ]
    )
  })

  it("keeps the days on which a price begins and ends, and compares with the rate of that day", () => {
    const { faults, rates } = readSheet(
      "currency,prefix,per_min_minor,effective_from,effective_to\nKES,256,700,2027-01-01,\nKES,254,310,2027-02-01,2027-03-01\nKES,255,9,soon,"
    )
    assert.deepStrictEqual(faults, [{ line: 4, message: "effective_from is no day such as 2027-01-31." }])
    assert.deepStrictEqual(
      rates.map(({ effective_from, effective_to }) => [effective_from, effective_to]),
      [
        ["2027-01-01", undefined],
        ["2027-02-01", "2027-03-01"]
      ]
    )
    const current = [rate("254", 300), rate("256", 100), rate("256", 700, "2027-01-01T00:00:00Z")]
    assert.deepStrictEqual(
      changesOf(rates, current, now).map(({ before, rate: { prefix } }) => [prefix, before]),
      [["254", 300]]
    )
  })

  it("compares a row with the rows that begin before it, and takes a rate without an end for one", () => {
    const { rates } = readSheet(
      "currency,prefix,per_min_minor,effective_from\nKES,254,300,2027-01-01\nKES,254,310,\nKES,255,500,"
    )
    const ending = { ...rate("255", 500), effective_to: "2027-03-01T00:00:00Z" }
    assert.deepStrictEqual(
      changesOf(rates, [rate("254", 300), ending], now).map(
        ({ before, rate: { effective_from, per_min_minor, prefix } }) => [prefix, before, per_min_minor, effective_from]
      ),
      [
        ["254", 300, 310, undefined],
        ["255", 500, 500, undefined],
        // Without this row, 310 would stay.
        ["254", 310, 300, "2027-01-01"]
      ]
    )
  })
})
