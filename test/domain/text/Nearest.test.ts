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

  it("of an event is the one that somebody probably meant, and none that is far from it", () => {
    const kinds = ["call.completed", "call.busy", "wallet.low_balance"]
    expect(nearest("call.complete", kinds)).toBe("call.completed")
    expect(nearest("cal.buzy", kinds)).toBe("call.busy")
    expect(nearest("something", kinds)).toBe(undefined)
    expect(nearest("call.busy", [])).toBe(undefined)
  })

  it("is suggested where there is one", () => {
    expect(didYouMean("dierction", names)).toBe(" Did you mean `direction`?")
    expect(didYouMean("zzz", names)).toBe("")
  })
})
