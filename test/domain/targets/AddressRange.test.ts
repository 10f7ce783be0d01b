import { assert, describe, it } from "@effect/vitest"
import {
  classOfRange,
  isAddressRange,
  isWithin,
  overlap,
  prefixOf,
  readRange
} from "../../../src/domain/targets/AddressRange.ts"

describe("an address range", () => {
  it.each(["192.0.2.1", "192.0.2.0/24", "0.0.0.0/0", "2001:db8::/32", "::1", "::/0", "192.0.2.7/32"])(
    "is %s",
    (text) => {
      assert.isTrue(isAddressRange(text))
    }
  )
  it.each([
    "",
    "x",
    "192.0.2",
    "192.0.2.0/33",
    "192.0.2.1/24",
    "192.0.2.0/",
    "192.0.2.0/-1",
    "192.0.2.0/24/8",
    "2001:db8::1/32",
    "::/129",
    "2001:db8::1%eth0",
    "fe80::%1/64",
    "010.0.0.1",
    "192.0.02.0/24"
  ])("is not %s", (text) => assert.isFalse(isAddressRange(text)))
})

it.each([
  ["192.0.2.77", ["192.0.2.0/24"], true],
  ["192.0.3.1", ["192.0.2.0/24"], false],
  ["::ffff:192.0.2.77", ["192.0.2.0/24"], true],
  ["192.0.2.77", ["198.51.100.1", "192.0.2.77"], true],
  ["2001:db8:1::5", ["2001:db8::/32"], true],
  ["2001:db9::5", ["2001:db8::/32"], false],
  ["192.0.2.77", ["::/0"], false],
  ["192.0.2.77", ["0.0.0.0/0"], true],
  ["192.0.2.77", [], false],
  ["", ["0.0.0.0/0", "::/0"], false]
] as const)("%s in %s: %s", (address, ranges, expected) => assert.strictEqual(isWithin(ranges, address), expected))

it.each([
  ["192.0.2.1", { bits: 32, length: 32 }],
  ["192.0.2.0/24", { bits: 32, length: 24 }],
  ["0.0.0.0/0", { bits: 32, length: 0 }],
  ["2001:db8::/32", { bits: 128, length: 32 }],
  ["::1", { bits: 128, length: 128 }],
  ["x", undefined],
  ["192.0.2.0/33", undefined]
] as const)("the prefix of %s", (text, expected) => assert.deepStrictEqual(prefixOf(text), expected))

it.each([
  ["192.0.2.0/24", "192.0.2.77", true],
  ["192.0.2.0/24", "192.0.0.0/16", true],
  ["192.0.2.0/25", "192.0.2.128/25", false],
  ["::ffff:192.0.2.7", "192.0.2.0/24", true],
  ["2001:db8::/32", "2001:0DB8:1::7", true],
  ["::/0", "0.0.0.0/0", false]
] as const)("%s and %s have an address in common: %s", (one, other, expected) => {
  assert.strictEqual(overlap(readRange(one)!, readRange(other)!), expected)
  assert.strictEqual(overlap(readRange(other)!, readRange(one)!), expected)
})

it.each([
  ["8.8.8.8", "public"],
  ["8.8.0.0/16", "public"],
  ["9.255.0.0/16", "public"],
  ["10.0.0.0/24", "private"],
  ["172.16.0.0/16", "private"],
  // Metadata and documentation within public ranges.
  ["168.63.0.0/16", "special"],
  ["203.0.0.0/16", "special"],
  ["100.64.0.0/16", "special"],
  ["2606:4700::/48", "public"],
  ["2001:db8:1::/48", "special"],
  ["fd00::/48", "private"],
  ["fd00:ec2::/48", "special"],
  ["fe80::/64", "special"],
  ["::ffff:8.8.8.0/24", "special"],
  ["x", "special"]
] as const)("%s is %s", (range, expected) => assert.strictEqual(classOfRange(range), expected))
