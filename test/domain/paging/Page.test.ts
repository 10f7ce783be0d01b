import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { pageLimit, pageOf } from "../../../src/domain/paging/Page.ts"

describe("pageLimit", () => {
  it.each([
    [undefined, 50],
    ["1", 1],
    ["200", 200],
    ["201", 200],
    ["99999999999999999999999999999999", 200],
    ["007", 7]
  ])("reads %j as %d", (raw, limit) => {
    assert.strictEqual(Result.getOrThrow(pageLimit(raw)), limit)
  })

  it.each(["0", "-1", "", " ", "1.5", "1e2", "0x10", "ten", "+5", "Infinity", "NaN", "٣"])("refuses %j", (raw) => {
    const refused = Result.getOrThrow(Result.flip(pageLimit(raw)))
    assert.strictEqual(refused._tag, "validation.bad_request")
    assert.strictEqual(refused.details?.[0]?.field, "/limit")
  })
})

describe("pageOf", () => {
  const position = (row: number) => ({ sort: row, id: `id-${row}` })

  it("has a next page if one more row was read", () => {
    assert.deepStrictEqual(pageOf([9, 8, 7], 2, position), { rows: [9, 8], next: { sort: 8, id: "id-8" } })
  })

  it("ends with the row with which it reaches a mebibyte, and goes on after it", () => {
    const rows = [1, 2, 3, 4].map((id) => ({ id, text: "x".repeat(600_000) }))
    const first = pageOf(rows, 3, ({ id }) => position(id))
    assert.deepStrictEqual([first.rows.map(({ id }) => id), first.next], [[1, 2], position(2)])
    const rest = pageOf(rows.slice(2), 3, ({ id }) => position(id))
    assert.deepStrictEqual([rest.rows.map(({ id }) => id), rest.next], [[3, 4], null])
    const huge = [{ id: 1, text: "x".repeat(3_000_000) }, { id: 2 }]
    assert.deepStrictEqual(pageOf(huge, 3, ({ id }) => position(id)).next, position(1))
  })

  it.each([[[9, 8]], [[9]], [[]]])("ends with %j", (rows) => {
    assert.deepStrictEqual(pageOf(rows, 2, position), { rows, next: null })
  })
})
