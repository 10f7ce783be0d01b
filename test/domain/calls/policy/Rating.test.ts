import { describe, expect, it } from "@effect/vitest"
import { priceOf } from "../../../../src/domain/calls/policy/Rating.ts"
import { defaultRouting } from "../../../../src/domain/numbers/Routing.ts"
import type { OwnedNumber } from "../../../../src/domain/numbers/OwnedNumber.ts"
import type { Rate } from "../../../../src/domain/numbers/Rate.ts"
import { numberId } from "../../../support/Ids.ts"

const number: OwnedNumber = {
  id: numberId("n"),
  number: "+254700000001",
  status: "active",
  source: "platform",
  country: "KE",
  outbound_per_min_minor: 400,
  inbound_per_min_minor: null,
  routing: defaultRouting
}
const rate: Rate = { prefix: "2547", per_min_minor: 300, class: "normal" }

const price = (rate: Rate | undefined, of: OwnedNumber, country: string | null) => {
  const found = priceOf(rate, of, country)
  return found && `${found.rate_per_min_minor} by ${found.matched_prefix}`
}

describe("The price of a minute", () => {
  it("is that of the rate table, even if it is 0", () => {
    expect(price(rate, number, "KE")).toBe("300 by 2547")
    expect(price({ ...rate, per_min_minor: 0, class: "byo" }, number, "UG")).toBe("0 by 2547")
  })

  it("otherwise is the number's own, within its own country", () => {
    expect(price(undefined, number, "KE")).toBe("400 by null")
    expect(price(undefined, { ...number, outbound_per_min_minor: 0 }, "KE")).toBe("0 by null")
  })

  it("otherwise is unknown", () => {
    expect(price(undefined, number, "UG")).toBeUndefined()
    expect(price(undefined, number, null)).toBeUndefined()
    expect(price(undefined, { ...number, outbound_per_min_minor: null }, "KE")).toBeUndefined()
  })
})
