import { assert, describe, it } from "@effect/vitest"
import { knownAddresses, knownAddressesMax } from "../../../src/domain/trunks/KnownAddresses.ts"

describe("the known addresses of a trunk", () => {
  it.each<[string, Parameters<typeof knownAddresses>[0], ReadonlyArray<string>]>([
    ["those of its host", { host: "sip.example.com", addresses: ["192.0.2.1"], allowed_ips: [] }, ["192.0.2.1"]],
    ["its host", { host: "192.0.2.1", allowed_ips: [] }, ["192.0.2.1"]],
    [
      "single addresses that it may call from",
      { host: "sip.example.com", allowed_ips: ["192.0.2.2", "192.0.2.3/32", "2001:db8::1/128"] },
      ["192.0.2.2", "192.0.2.3/32", "2001:db8::1/128"]
    ],
    ["no ranges", { host: "sip.example.com", allowed_ips: ["192.0.2.0/30", "10.0.0.0/16", "2001:db8::/64"] }, []]
  ])("are %s", (_, target, known) => {
    assert.deepStrictEqual(knownAddresses(target), known)
  })

  it("are few, whatever it names", () => {
    const allowed_ips = Array.from({ length: 250 }, (_, index) => `192.0.2.${index + 1}`)
    assert.lengthOf(knownAddresses({ host: "sip.example.com", allowed_ips }), knownAddressesMax)
  })
})
