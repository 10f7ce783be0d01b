import { assert, describe, it } from "@effect/vitest"
import { clientAddress, clientNetwork } from "../../../src/domain/access/ClientAddress.ts"

const proxies = ["10.0.0.0/8", "::1"]

/** [who is connected, what the header says, who asks] */
const rows: ReadonlyArray<[string, string | undefined, string]> = [
  ["203.0.113.9", undefined, "203.0.113.9"],
  ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["10.0.0.1", undefined, "10.0.0.1"],
  ["10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["::1", "2001:db8::7", "2001:db8::7"],
  ["::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"],
  ["10.0.0.1", "192.0.2.66, 198.51.100.1, 10.2.3.4", "198.51.100.1"],
  ["10.0.0.1", "10.9.9.9,10.2.3.4", "10.9.9.9"],
  ["10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
  ["10.0.0.1", "nonsense, 10.2.3.4", "10.2.3.4"],
  ["10.0.0.1", "198.51.100.0/24", "10.0.0.1"],
  ["10.0.0.1", "", "10.0.0.1"]
]

describe("the client's address", () => {
  for (const [peer, header, expected] of rows) {
    it(`through ${peer} with "${header ?? ""}" is ${expected}`, () =>
      assert.strictEqual(clientAddress(peer, header, proxies), expected))
  }

  it("is that of the connection if no proxy is trusted", () =>
    assert.strictEqual(clientAddress("10.0.0.1", "198.51.100.1", []), "10.0.0.1"))
})

describe("a client of a rate limit", () => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2::1", "20010db800010002/64"],
    ["2001:db8:1:2:ffff:ffff:ffff:ffff", "20010db800010002/64"],
    ["2001:db8:1:3::1", "20010db800010003/64"],
    ["", ""]
  ]
  for (const [address, network] of rows)
    it(`with ${address || "no address"} is ${network || "nobody"}`, () =>
      assert.strictEqual(clientNetwork(address), network))
})
