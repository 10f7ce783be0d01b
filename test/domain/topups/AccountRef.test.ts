import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { accountRef, readAccountRef } from "../../../src/domain/topups/AccountRef.ts"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const Bits = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 45 - 1 }))

describe("a pay-in reference", () => {
  it.prop("is ten characters, read in any spelling", [Bits], ([bits]) => {
    const ref = accountRef(BigInt(bits))
    assert.match(ref, /^[0-9A-HJKMNP-TV-Z]{10}$/)
    for (const spelled of [
      ref,
      ref.toLowerCase(),
      ` ${ref.slice(0, 4)} ${ref.slice(4)}`,
      ref.split("").join("-"),
      ref.replaceAll("0", "o").replaceAll("1", "l")
    ]) {
      assert.deepStrictEqual(readAccountRef(spelled), Option.some(ref))
    }
  })

  it.prop(
    "with one wrong character is invalid",
    [Bits, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))],
    ([bits, at]) => {
      const ref = accountRef(BigInt(bits))
      for (const other of alphabet) {
        if (other !== ref[at])
          assert.isTrue(Option.isNone(readAccountRef(ref.slice(0, at) + other + ref.slice(at + 1))))
      }
    }
  )

  it.prop(
    "with two neighbouring characters swapped is invalid, except 0 and Z",
    [Bits, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8 }))],
    ([bits, at]) => {
      const ref = accountRef(BigInt(bits))
      const [a, b] = [ref[at]!, ref[at + 1]!]
      if (a === b || new Set([a, b, "0", "Z"]).size === 2) return
      assert.isTrue(Option.isNone(readAccountRef(ref.slice(0, at) + b + a + ref.slice(at + 2))))
    }
  )

  it("of any other form is invalid", () => {
    for (const text of ["", "invoice009", "0000000000 0", "00000", "UUUUUUUUUU", "0".repeat(11)])
      assert.isTrue(Option.isNone(readAccountRef(text)), text)
    assert.strictEqual(accountRef(0n), "0000000000")
    assert.notStrictEqual(accountRef(1n), accountRef(2n))
  })
})
