import { assert, describe, it } from "@effect/vitest"
import { forbidsCalls } from "../../../src/domain/chatapp/CallSettings.ts"

const now = Date.UTC(2026, 9, 1)
const second = now / 1_000

describe("a restriction of the chat app's provider", () => {
  it.each<[string, number, boolean]>([
    ["RESTRICTED_BUSINESS_INITIATED_CALLING", second + 1, true],
    ["RESTRICTED_BUSINESS_INITIATED_CALLING", second, false],
    ["RESTRICTED_USER_INITIATED_CALLING", second + 1, false],
    ["SOMETHING_NEW", second + 1, true]
  ])("of type %s that ends at %s forbids calls to users: %s", (type, expiration, expected) => {
    assert.strictEqual(forbidsCalls({ type, reason: "", expiration }, now), expected)
  })
})
