import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { rateOfColumns, RateReader, type RateRequest, RatesRequest } from "../../../src/domain/numbers/RateSheet.ts"

const now = Date.parse("2026-11-20T00:00:00Z")
const rate: RateRequest = { currency: "KES", direction: "outbound", prefix: "254", per_min_minor: 300 }
const decode = Schema.decodeUnknownResult(RatesRequest)

/** Reads rates one at a time: the parts of a table are checked as one list. */
const ratesOf = (rates: ReadonlyArray<RateRequest>, now: number) => {
  const reader = new RateReader(now)
  for (const rate of rates) reader.read([rate])
  return reader.result
}

describe("rates", () => {
  it("start now and have no end by default", () => {
    assert.deepStrictEqual(Result.getOrThrow(ratesOf([rate], now)), [
      {
        ...rate,
        country: null,
        description: "",
        class: "normal",
        effective_from: now,
        effective_to: null
      }
    ])
    const dated = { ...rate, effective_from: "2026-12-01", effective_to: "2027-01-01T00:00:00Z" }
    assert.deepInclude(Result.getOrThrow(ratesOf([dated], now))[0], {
      effective_from: Date.parse("2026-12-01"),
      effective_to: Date.parse("2027-01-01")
    })
  })

  it("are refused if two contradict each other or one ends before it begins", () => {
    const { details } = Result.getOrThrow(
      Result.flip(ratesOf([rate, { ...rate, per_min_minor: 1 }, { ...rate, effective_to: "2026-11-20" }], now))
    )
    assert.deepStrictEqual(
      details?.map(({ code, field }) => [field, code]),
      [
        ["/rates/1", "duplicate"],
        ["/rates/2/effective_to", "not_after_effective_from"],
        ["/rates/2", "duplicate"]
      ]
    )
  })

  it.each([
    { currency: "EUR" },
    { direction: "both" },
    { prefix: "+254" },
    { prefix: "" },
    { prefix: "1234567890123456" },
    { per_min_minor: -1 },
    { per_min_minor: 1.5 },
    { per_min_minor: "300" },
    { class: "free" },
    { country: "ke" },
    { effective_from: "soon" },
    { effective_to: "2026-02-31" }
  ])("with %o are refused", (change) => {
    assert.isTrue(Result.isFailure(decode({ rates: [{ ...rate, ...change }] })))
  })

  it("are read from table columns, where an empty field is absent", () => {
    const row = rateOfColumns({
      currency: "KES",
      direction: "outbound",
      prefix: "254",
      per_min_minor: " 300 ",
      country: "",
      class: " "
    })
    assert.deepStrictEqual(row, { ...rate })
    assert.isTrue(Result.isFailure(decode({ rates: [rateOfColumns({ ...row, per_min_minor: "3.5" })] })))
  })
})
