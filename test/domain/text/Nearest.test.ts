import { describe, expect, it } from "@effect/vitest"
import { didYouMean, nearest } from "../../../src/domain/text/Nearest.ts"

const names = ["status", "direction", "from", "to", "number_id", "created_after", "created_before"]

describe("the nearest name", () => {
  it.each([
    ["statuss", "status"],
    ["sttaus", "status"],
    ["Status", "status"],
    ["number-id", "number_id"],
    ["created_afte", "created_after"],
    ["form", "from"],
    ["colour", undefined],
    ["x", undefined],
    ["", undefined],
    ["s".repeat(100_000), undefined]
  ])("of %s is %s", (name, expected) => {
    expect(nearest(name, names)).toBe(expected)
  })

  it("is suggested where there is one", () => {
    expect(didYouMean("dierction", names)).toBe(" Did you mean `direction`?")
    expect(didYouMean("zzz", names)).toBe("")
  })
})
