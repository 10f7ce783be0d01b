import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { chainOrder, type Movement } from "../../../src/domain/wallet/ChainOrder.ts"

/** Entries as a wallet books them: each amount with its time. Ids say nothing of the order. */
const booked = (moves: ReadonlyArray<readonly [amount_minor: number, at: number]>): ReadonlyArray<Movement> => {
  let balance_after_minor = 0
  return moves.map(([amount_minor, created_at], index) => {
    balance_after_minor += amount_minor
    return { id: `${(index * 7919) % 1_000}-${index}`, amount_minor, balance_after_minor, created_at }
  })
}

/** Sorts entries by time, then by id, as statements did before entries had a sequence. */
const byTime = (movements: ReadonlyArray<Movement>): ReadonlyArray<Movement> =>
  movements.toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))

const isChain = (movements: ReadonlyArray<Movement>): boolean =>
  movements.every(
    ({ amount_minor, balance_after_minor }, index) =>
      (movements[index - 1]?.balance_after_minor ?? 0) + amount_minor === balance_after_minor
  )

const upTo = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
/** Amounts, and how much later than the one before each is booked. */
const Moves = Schema.Array(Schema.Tuple([upTo(-3, 3), upTo(0, 1)])).check(Schema.isMaxLength(200))

describe("chainOrder", () => {
  it("puts entries of one instant in the order of their balances", () => {
    const entries = booked([[1_000, 1], ...Array.from({ length: 300 }, () => [-3, 2] as const), [500, 3]])
    assert.isFalse(isChain(byTime(entries)))
    assert.deepStrictEqual(chainOrder(byTime(entries)), entries)
  })

  it.prop("chains all entries of any wallet, and keeps the order of time", [Moves], ([moves]) => {
    let at = 0
    const entries = booked(moves.map(([amount_minor, step]) => [amount_minor, (at += step)]))
    const ordered = chainOrder(byTime(entries))
    assert.isTrue(isChain(ordered))
    assert.deepStrictEqual(byTime(ordered), byTime(entries))
    assert.isTrue(ordered.every(({ created_at }, index) => created_at >= (ordered[index - 1]?.created_at ?? 0)))
  })

  it("goes by the balances where the clock was set back", () => {
    const entries = booked([
      [1_000, 10],
      [-300, 20],
      [-50, 12],
      [-50, 21]
    ])
    assert.isTrue(isChain(chainOrder(byTime(entries))))
  })

  it("keeps the order of time in a ledger that was changed by hand", () => {
    const entries = booked([
      [1_000, 1],
      [-300, 2]
    ]).map((entry) => ({ ...entry, balance_after_minor: entry.balance_after_minor + entry.created_at }))
    assert.deepStrictEqual(chainOrder(byTime(entries)), entries)
  })
})
