import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { readEmail } from "../../../src/domain/access/Email.ts"

describe("an e-mail address", () => {
  it("is compared in lower case, without surrounding blanks", () => {
    const good: ReadonlyArray<[string, string]> = [
      ["ann@example.com", "ann@example.com"],
      ["  Ann.O'Neil+calls@Mail.Example.CO.KE ", "ann.o'neil+calls@mail.example.co.ke"],
      ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
      [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`]
    ]
    for (const [text, email] of good) assert.strictEqual(Result.getOrThrow(readEmail(text)), email)
  })

  it("is refused if it is malformed or could be read as another address", () => {
    const bad = [
      "",
      "ann",
      "@example.com",
      "ann@",
      "ann@localhost",
      "ann@example..com",
      ".ann@example.com",
      "ann.@example.com",
      "a..n@example.com",
      "ann@-example.com",
      "ann@example.com, bob@example.com",
      "ann@example.com\r\nBcc: bob@example.com",
      "ann bob@example.com",
      '"ann"@example.com',
      "ann@[127.0.0.1]",
      "änn@example.com",
      "ann@exämple.com",
      `${"a".repeat(65)}@example.com`,
      `a@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.${"e".repeat(63)}.com`,
      "ann@example.com\0"
    ]
    for (const text of bad) {
      const refused = Result.getOrThrow(Result.flip(readEmail(text, "/who")))
      assert.deepStrictEqual(refused._tag, "validation.bad_request", text)
      assert.deepInclude((refused as unknown as { details: ReadonlyArray<object> }).details[0], {
        field: "/who",
        code: "invalid_email"
      })
    }
  })
})
