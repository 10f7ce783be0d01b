import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  allowsSipHost,
  allowsUnproved,
  CallingPolicyChange,
  default_policy,
  unprovedShownUntil
} from "../../../../src/domain/calls/policy/CallingPolicy.ts"

describe("the calling policy", () => {
  const policy = {
    ...default_policy,
    sip_allowlist: ["sip.example.com", "*.example.org"],
    allowed_caller_ids: ["+254711000000"]
  }

  it.each([
    ["sip.example.com", true],
    ["SIP.Example.COM", true],
    ["a.sip.example.com", false],
    ["sip.example.com.evil.net", false],
    ["a.example.org", true],
    ["a.b.example.org", true],
    ["example.org", false],
    ["evilexample.org", false],
    ["", false]
  ])("SIP to %s: %s", (host, allowed) => {
    assert.strictEqual(allowsSipHost(policy, host), allowed)
    assert.isFalse(allowsSipHost(default_policy, host))
  })

  it("allows the caller numbers that it lists, until March 2027", () => {
    assert.strictEqual(new Date(unprovedShownUntil).toISOString(), "2027-03-01T00:00:00.000Z")
    assert.isTrue(allowsUnproved(policy, "+254711000000", unprovedShownUntil - 1))
    assert.isFalse(allowsUnproved(policy, "+254711000000", unprovedShownUntil))
    assert.isFalse(allowsUnproved(policy, "+25471100000", 0))
  })

  const fits = Schema.is(CallingPolicyChange)
  it.each([
    [{}, true],
    [default_policy, true],
    [{ calls_per_second: 0 }, false],
    [{ calls_per_second: 0.5 }, false],
    [{ daily_spend_limit_minor: null }, true],
    [{ daily_spend_limit_minor: -1 }, false],
    [{ daily_spend_limit_minor: 2 ** 53 }, false],
    [{ max_calls_per_destination_per_hour: 1_001 }, false],
    [{ max_calls_per_destination_per_hour: null }, true],
    [{ max_concurrent_calls: null }, false],
    [{ sip_allowlist: ["*.example.com", "10.0.0.1"] }, true],
    [{ sip_allowlist: ["*"] }, false],
    [{ sip_allowlist: ["sip:example.com"] }, false],
    [{ sip_allowlist: ["Example.com"] }, false],
    [{ sip_allowlist: Array.from({ length: 101 }, () => "a") }, false],
    [{ allowed_caller_ids: ["254711000000"] }, false],
    [{ allowed_countries: ["KE", "ke"] }, false]
  ])("%j is a change: %s", (change, allowed) => {
    assert.strictEqual(fits(change), allowed)
  })
})
