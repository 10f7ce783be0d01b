import { describe, expect, it } from "@effect/vitest"
import { type Authorisation, emergency } from "../../../../src/domain/calls/policy/Authorisation.ts"
import { destinationCheck } from "../../../../src/domain/calls/policy/DestinationCheck.ts"

const to = { e164: "+254711000001", country: "KE" }
const at = (rate_per_min_minor: number): Authorisation => ({
  ok: true,
  to,
  price: { rate_per_min_minor, matched_prefix: "254" },
  high_risk: false
})

const check = (authorisation: Authorisation, available_minor: number) =>
  destinationCheck({ to: "0711 000 001", from: "+254700000001", currency: "KES", authorisation }, available_minor)

describe("The check of a destination", () => {
  it.each([
    [300, 299, false, 0],
    [300, 300, true, 1],
    [300, 1_000, true, 3],
    [300, 0, false, 0],
    [300, -500, false, 0],
    [0, 0, true, null],
    [0, -1, false, null]
  ])("at %d a minute with %d available: %s, %s minutes", (rate, available, sufficient_funds, affordable_minutes) => {
    expect(check(at(rate), available)).toMatchObject({
      rated: true,
      rate_per_min_minor: rate,
      sufficient_funds,
      affordable_minutes
    })
  })

  it("names the price in words", () => {
    expect(check(at(1_205), 0).message).toBe("A minute to this destination costs 12.05 KES.")
  })

  it("names no amount if there is no rate", () => {
    expect(check({ ok: false, reason: "rate_not_configured", to }, 0)).toEqual({
      to: "0711 000 001",
      from: "+254700000001",
      rated: false,
      reason: "rate_not_configured",
      message: "There is no rate for this destination.",
      country: "KE",
      matched_prefix: null,
      rate_per_min_minor: null,
      currency: "KES",
      sufficient_funds: null,
      affordable_minutes: null,
      normalized_to: "+254711000001"
    })
  })

  it("has no E.164 for an emergency number", () => {
    expect(check(emergency, 0)).toMatchObject({ reason: "emergency_number", country: null, normalized_to: null })
  })
})
