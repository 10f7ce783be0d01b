// Random texts and ranges, which Node's own reader of addresses (node:net) judges in the same way.
import { assert, describe, it } from "@effect/vitest"
import { BlockList, isIPv4, isIPv6 } from "node:net"
import { parseIpv4, parseIpv6 } from "../../../src/domain/targets/AddressClass.ts"
import { isWithin } from "../../../src/domain/targets/AddressRange.ts"

const random = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const next = random(51)

/** Pieces that make texts which are almost addresses. */
const pieces = ["1", "0", "::", ":", "ffff", "fe80", "2001", "db8", ".", "10", "127", "255", "256", "01", "0x7f"]
const otherPieces = ["abcde", "g", "/", "-1", " ", "1.2.3.4", "00", "+1", "１", ""]
const almost = (): string => {
  const all = [...pieces, ...otherPieces]
  return Array.from({ length: 1 + next(12) }, () => all[next(all.length)]).join("")
}

const four = (limit = 256): string => Array.from({ length: 4 }, () => next(limit)).join(".")

const six = (): string => {
  const groups = Array.from({ length: 8 }, () => (next(3) === 0 ? "0" : next(65_536).toString(16)))
  if (next(4) === 0) groups.splice(6, 2, four(260))
  if (next(2) === 0) return groups.join(":")
  const from = next(groups.length)
  const to = from + next(groups.length + 1 - from)
  return `${groups.slice(0, from).join(":")}::${groups.slice(to).join(":")}`
}

describe("addresses", () => {
  it("are those that Node reads as such", () => {
    for (let run = 0; run < 15_000; run++) {
      for (const text of [almost(), four(300), six()]) {
        assert.strictEqual(parseIpv4(text) !== undefined, isIPv4(text), text)
        assert.strictEqual(parseIpv6(text) !== undefined, isIPv6(text), text)
      }
    }
  })

  it("are in the ranges in which Node finds them", () => {
    for (let run = 0; run < 10_000; run++) {
      const isFour = next(2) === 0
      const base = isFour ? four() : six()
      const address = next(3) === 0 ? base.replace(/[^:.]+$/, "1") : isFour ? four() : six()
      if (!(isFour ? isIPv4 : isIPv6)(base) || !(isFour ? isIPv4 : isIPv6)(address)) continue
      const [family, length] = isFour ? (["ipv4", next(33)] as const) : (["ipv6", next(129)] as const)
      const ranges = new BlockList()
      ranges.addSubnet(base, length, family)
      assert.strictEqual(
        isWithin([`${base}/${length}`], address),
        ranges.check(address, family),
        `${address} ${base}/${length}`
      )
    }
  })
})
