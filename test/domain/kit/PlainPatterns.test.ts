import { assert, describe, it } from "@effect/vitest"
import { plainPattern, withPlainPatterns } from "../../../src/domain/kit/PlainPatterns.ts"

const patterns = [
  String.raw`^[^\0\p{Surrogate}]*$`,
  String.raw`^[^\p{Cc}\p{Surrogate}]+$`,
  String.raw`^[^\p{Cc}"\\<>]*$`,
  String.raw`^(?=.*\S)[^\p{Cc}]{1,100}$`
]

const texts = [
  "",
  " ",
  "Acme",
  "Zoë & Söhne",
  "a\u0000b",
  "a\u001fb",
  "a\u007fb",
  "a\u009fb",
  "a\u00a0b",
  "😀",
  "a😀b",
  "\ud83d",
  "\ude00",
  "a\ud83db",
  "\ude00\ud83d",
  "p{Cc}",
  '"<>\\'
]

describe("the plain form of a pattern", () => {
  for (const pattern of patterns) {
    it(`means the same with the flag u and without: ${pattern}`, () => {
      const given = new RegExp(pattern, "u")
      const plain = plainPattern(pattern)
      for (const text of texts) {
        assert.strictEqual(new RegExp(plain, "u").test(text), given.test(text), JSON.stringify(text))
        assert.strictEqual(new RegExp(plain).test(text), given.test(text), JSON.stringify(text))
      }
    })
  }

  it("is one that a long text does not overwhelm", () => {
    const plain = new RegExp(plainPattern(String.raw`^[^\0\p{Surrogate}]*$`))
    assert.isTrue(plain.test("😀".repeat(32_768)))
    assert.isFalse(plain.test(`${"a".repeat(65_535)}\u0000`))
  })

  it("leaves every other pattern as it is", () => {
    for (const pattern of [String.raw`^\+[1-9]\d{6,14}$`, "^[A-Z]{2}$"])
      assert.strictEqual(plainPattern(pattern), pattern)
  })

  it("is refused where there is none", () => {
    assert.throws(() => plainPattern(String.raw`^\p{Surrogate}$`), /No plain form/)
  })

  it("is what a document has, and a member of that name stays", () => {
    assert.deepStrictEqual(
      withPlainPatterns({ pattern: String.raw`[^\p{Cc}]`, properties: { pattern: { type: "string" } } }),
      { pattern: String.raw`[^\u0000-\u001f\u007f-\u009f]`, properties: { pattern: { type: "string" } } }
    )
  })
})
