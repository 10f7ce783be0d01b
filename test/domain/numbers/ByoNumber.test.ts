import { assert, describe, it } from "@effect/vitest"
import { budgets } from "../../../src/domain/limits/Budgets.ts"
import { byoNumberId, mayBring } from "../../../src/domain/numbers/ByoNumber.ts"
import type { HeldNumber } from "../../../src/domain/numbers/NumberRecord.ts"
import { number_id } from "./Fixtures.ts"

const { limit } = budgets.brought_numbers
const numbers = (count: number, source: HeldNumber["source"]) =>
  Array.from({ length: count }, (): HeldNumber => ({ id: number_id, source, claiming: false }))

describe("a workspace", () => {
  it.each<[string, ReadonlyArray<HeldNumber>, boolean]>([
    ["may bring a first number", [], true],
    ["may bring a last number", numbers(limit - 1, "byo"), true],
    ["may bring no number beyond the limit", numbers(limit, "byo"), false],
    ["may bring a number beside those of the platform", numbers(limit, "platform"), true]
  ])("%s", (_, held, expected) => assert.strictEqual(mayBring(held), expected))
})

describe("the id of a brought number", () => {
  it("has its digits, and is the same for every workspace", () => {
    assert.strictEqual(byoNumberId("+254711000001"), "00000000-0000-8000-8000-254711000001")
  })
})
