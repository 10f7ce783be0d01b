import { describe, expect, it } from "@effect/vitest"
import { didYouMean, nearest } from "../../../src/domain/text/Nearest.ts"

const names = ["status", "direction", "from", "to", "number_id", "created_after", "created_before"]

/** How many steps make one text of the other, without any of the shortcuts. */
const steps = (a: string, b: string): number => {
  const table = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    table.push([i])
    for (let j = 1; j <= b.length; j++) {
      const replaced = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swaps = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = swaps ? table[i - 2]![j - 2]! + 1 : replaced
      table[i]!.push(Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, replaced, swapped))
    }
  }
  return table[a.length]![b.length]!
}

/** All words of that length. */
const words = (letters: string, length: number): ReadonlyArray<string> =>
  length === 0 ? [""] : words(letters, length - 1).flatMap((word) => [...letters].map((letter) => word + letter))

describe("the nearest name", () => {
  it("is the first of those with the fewest steps, of which there may be a third of the characters", () => {
    const candidates = [4, 5, 6, 7].flatMap((length) => words("ab", length))
    for (const name of [...words("ab", 6), ...words("abc", 4), ...words("bc", 3)]) {
      const counted = candidates.map((candidate) => [candidate, steps(name, candidate)] as const)
      const fewest = Math.min(...counted.map(([, count]) => count))
      const isNear = fewest <= Math.max(1, Math.floor(name.length / 3))
      expect(nearest(name, candidates)).toBe(isNear ? counted.find(([, count]) => count === fewest)?.[0] : undefined)
      for (const [candidate, count] of counted)
        if (nearest(name, [candidate]) !== (count <= Math.max(1, Math.floor(name.length / 3)) ? candidate : undefined))
          expect.fail(`${name} and ${candidate} differ by ${count} steps`)
    }
  })

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
