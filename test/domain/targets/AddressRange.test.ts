import { assert, describe, it } from "@effect/vitest"
import { isAddressRange, isWithin, prefixOf } from "../../../src/domain/targets/AddressRange.ts"

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
    "::/129"
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
