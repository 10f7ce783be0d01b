import { describe, expect, it } from "@effect/vitest"
import { authorise } from "../../../../src/domain/calls/policy/Authorisation.ts"
import { type CallingPolicy, default_policy, policyOf } from "../../../../src/domain/calls/policy/CallingPolicy.ts"
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
const kenya = { e164: "+254711000001", country: "KE" }
const uganda = { e164: "+256711000001", country: "UG" }
const germany = { e164: "+493012345678", country: "DE" }
const test_network = { e164: "+99900000001", country: null }
const satellite = { e164: "+881612345678", country: null }

const rate: Rate = { prefix: "2", per_min_minor: 300, class: "normal" }
const of = (rate_class: Rate["class"]): Rate => ({ ...rate, class: rate_class })

/** Policy, destination, rate; then the price of a minute, or why not and what it would have been. */
const rows: ReadonlyArray<
  readonly [Partial<CallingPolicy>, { e164: string; country: string | null }, Rate | undefined, string]
> = [
  [{}, kenya, rate, "300"],
  [{}, kenya, undefined, "400"],
  [{}, uganda, undefined, "rate_not_configured"],
  [{}, germany, undefined, "rate_not_configured"],
  [{ blocked_prefixes: ["256"], allowed_countries: [] }, uganda, undefined, "rate_not_configured"],
  [{}, germany, rate, "country_not_allowed 300"],
  [{ allowed_countries: ["DE"] }, germany, rate, "300"],
  [{ allowed_countries: ["DE"] }, kenya, rate, "country_not_allowed 300"],
  [{ allowed_countries: [] }, test_network, rate, "300"],
  [{}, satellite, rate, "country_not_allowed 300"],
  [{}, kenya, of("blocked"), "prefix_blocked"],
  [{ blocked_prefixes: ["256", "25471"] }, kenya, rate, "prefix_blocked 300"],
  [{ blocked_prefixes: ["25472", "54", "2547110000012"] }, kenya, rate, "300"],
  [{ blocked_prefixes: ["254"] }, kenya, undefined, "prefix_blocked 400"],
  [{}, kenya, of("high_risk"), "high_risk_blocked 300"],
  [{}, kenya, of("premium"), "high_risk_blocked 300"],
  [{}, kenya, of("byo"), "300"],
  [{ allow_high_risk: true }, kenya, of("high_risk"), "300"],
  [{ allow_high_risk: true }, kenya, of("premium"), "300"],
  [{ max_rate_per_min_minor: 300 }, kenya, rate, "300"],
  [{ max_rate_per_min_minor: 299 }, kenya, rate, "rate_above_limit 300"],
  [{ max_rate_per_min_minor: 399 }, kenya, undefined, "rate_above_limit 400"],
  [{ max_rate_per_min_minor: 0 }, kenya, { ...rate, per_min_minor: 0 }, "0"],
  [
    { max_rate_per_min_minor: 1, blocked_prefixes: ["2"], allowed_countries: [] },
    kenya,
    of("premium"),
    "country_not_allowed 300"
  ],
  [{ max_rate_per_min_minor: 1, blocked_prefixes: ["2"] }, kenya, of("premium"), "prefix_blocked 300"],
  [{ max_rate_per_min_minor: 1 }, kenya, of("premium"), "high_risk_blocked 300"]
]

describe("Where a workspace may call", () => {
  it.each(rows)("%j to %j at %j: %s", (policy, to, at, expected) => {
    const authorisation = authorise({ ...default_policy, ...policy }, number, to, at)
    const said = [authorisation.ok ? undefined : authorisation.reason, authorisation.price?.rate_per_min_minor]
    expect(said.filter((word) => word !== undefined).join(" ")).toBe(expected)
    expect(authorisation.to).toBe(to)
  })
})

describe("Where a workspace may call over its own trunk", () => {
  const own: Rate = { prefix: "2", per_min_minor: 100, class: "byo" }
  it.each<[Partial<CallingPolicy>, Rate | undefined, Rate | undefined, string]>([
    [{}, own, of("normal"), "100"],
    [{}, own, undefined, "100"],
    [{}, own, of("premium"), "high_risk_blocked 100"],
    [{}, own, of("high_risk"), "high_risk_blocked 100"],
    [{}, own, of("blocked"), "prefix_blocked"],
    [{ allow_high_risk: true }, own, of("premium"), "100 high-risk"],
    [{ allow_high_risk: true }, own, of("blocked"), "prefix_blocked"],
    // The platform's price of the destination does not count.
    [{ max_rate_per_min_minor: 100 }, own, of("normal"), "100"],
    [{}, undefined, of("normal"), "rate_not_configured"]
  ])("%j at %j, of the platform's class %j: %s", (policy, at, of_platform, expected) => {
    const brought: OwnedNumber = { ...number, source: "byo", outbound_per_min_minor: null }
    const authorisation = authorise({ ...default_policy, ...policy }, brought, kenya, at, of_platform)
    const said = [
      authorisation.ok ? undefined : authorisation.reason,
      authorisation.price?.rate_per_min_minor,
      authorisation.ok && authorisation.high_risk ? "high-risk" : undefined
    ]
    expect(said.filter((word) => word !== undefined).join(" ")).toBe(expected)
  })
})

describe("A stored policy", () => {
  it("is the default but for what it says", () => {
    expect(policyOf({})).toEqual(default_policy)
    expect(policyOf({ blocked_prefixes: ["25490"], of_tomorrow: 1 })).toEqual({
      ...default_policy,
      blocked_prefixes: ["25490"]
    })
  })

  it.each([
    [null],
    [{ blocked_prefixes: ["+25490"] }],
    [{ blocked_prefixes: [""] }],
    [{ allowed_countries: "KE" }],
    [{ max_rate_per_min_minor: -1 }],
    [{ max_concurrent_calls: 1.5 }]
  ])("that cannot be read lets nothing through: %j", (stored) => expect(() => policyOf(stored)).toThrow())
})
