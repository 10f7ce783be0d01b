import { describe, expect, it } from "@effect/vitest"
import { shownAttempts } from "../../../../src/domain/calls/state/CallbackAttempt.ts"
import { maxShown_chars, shown } from "../../../../src/domain/calls/state/Shown.ts"

describe("what a timeline stores of a document", () => {
  it("has no secrets", () => {
    expect(
      shown({
        text: "Hello.",
        api_key: "k",
        Authorization: "Bearer x",
        nested: [{ clientSecret: "s", "x-auth-token": "t", pin: "1234", keys: 3, empty_token: null }],
        url: "https://user:pass@example.com/a?step=2&token=abc&sig=x#frag"
      })
    ).toEqual({
      text: "Hello.",
      api_key: "[redacted]",
      Authorization: "[redacted]",
      nested: [
        { clientSecret: "[redacted]", "x-auth-token": "[redacted]", pin: "[redacted]", keys: 3, empty_token: null }
      ],
      url: "https://example.com/a?step=2&token=%5Bredacted%5D&sig=%5Bredacted%5D"
    })
    expect(shown(`https://s3.example.com/a.wav?id=${"x".repeat(65)}`)).toBe(
      "https://s3.example.com/a.wav?id=%5Bredacted%5D"
    )
    for (const url of ["https://example.com/voice", "https://example.com/voice?step=2", "https://example.com/@a"])
      expect([shown(url), shown([url])]).toEqual([url, [url]])
    expect(shown([{ url: "https://u:p@example.com/" }])).toEqual([{ url: "https://example.com/" }])
    expect(shown("https://example.com/#token")).toBe("https://example.com/")
  })

  it("is bounded, and can be stored", () => {
    expect(shown("a".repeat(maxShown_chars + 1))).toBe(`${"a".repeat(maxShown_chars)}…`)
    const long = shown({ actions: Array.from({ length: 100 }, () => ({ say: { text: "a".repeat(3_000) } })) })
    expect(long).toHaveLength(maxShown_chars + 1)
    expect(shown({ "a\0": "b\ud800" })).toEqual({ "a\uFFFD": "b\uFFFD" })
    let deep: unknown = "x"
    for (let depth = 0; depth < 10_000; depth++) deep = [deep]
    expect(JSON.stringify(shown(deep))).toContain("…")
  })

  it("is of a callback its URL, its request and its response, of the first 16 requests", () => {
    const raw = {
      url: "https://u:p@example.com/voice",
      at: 1,
      duration_ms: 2,
      http_status: 200,
      error: null,
      request: '{"reason":"answered"}',
      response: "<html>"
    }
    const all = shownAttempts(Array.from({ length: 20 }, () => raw))
    expect(all).toHaveLength(16)
    expect(all[0]).toEqual({ ...raw, url: "https://example.com/voice", request: { reason: "answered" } })
    expect(shownAttempts([{ ...raw, response: null }])[0]).toMatchObject({ response: null })
  })
})
