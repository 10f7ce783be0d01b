import { assert, describe, it } from "@effect/vitest"
import { FairShare } from "../../../src/domain/access/FairShare.ts"

const limits = { total: 4, each: 2, waiting: 3 }

describe("FairShare", () => {
  it("lets a holder in up to its share, then has it wait, then refuses it", () => {
    const share = new FairShare<string>(limits)
    const entered = ["a1", "a2", "a3", "a4", "a5", "a6"].map((item) => share.enter("a", item))
    assert.deepStrictEqual(entered, ["entered", "entered", "waiting", "waiting", "waiting", "refused"])
    assert.strictEqual(share.enter("b", "b1"), "entered", "another holder does not notice")
    assert.deepStrictEqual([share.inUse, share.inQueue], [3, 3])
    assert.strictEqual(share.leave("a"), "a3")
    assert.strictEqual(share.enter("a", "a7"), "waiting")
  })

  it("gives a free place to whoever uses least, and to equals in turn", () => {
    const share = new FairShare<string>(limits)
    for (const item of ["a1", "a2"]) share.enter("a", item)
    for (const item of ["b1", "b2"]) share.enter("b", item)
    for (const item of ["a3", "a4", "c1", "c2", "d1", "d2"]) assert.strictEqual(share.enter(item[0]!, item), "waiting")
    assert.strictEqual(share.leave("a"), "c1", "c and d use nothing, c waits longer")
    assert.strictEqual(share.leave("b"), "d1")
    assert.strictEqual(share.leave("b"), "a3")
    assert.strictEqual(share.leave("c"), "c2")
    assert.strictEqual(share.leave("d"), "d2")
    assert.strictEqual(share.leave("a"), "a4", "only a waits")
    assert.isUndefined(share.leave("a"))
  })

  it("bounds those that wait altogether", () => {
    const share = new FairShare<string>({ total: 1, each: 1, waiting: 5, waiting_total: 2 })
    assert.deepStrictEqual(
      ["a", "b", "c", "d"].map((who) => share.enter(who, who)),
      ["entered", "waiting", "waiting", "refused"]
    )
  })

  it("does not let in what no longer waits, and forgets holders without use", () => {
    const share = new FairShare<string>({ total: 1, each: 1, waiting: 5 })
    share.enter("a", "a1")
    share.enter("b", "b1")
    assert.isTrue(share.withdraw("b", "b1"))
    assert.isFalse(share.withdraw("b", "b1"))
    assert.isUndefined(share.leave("a"))
    assert.deepStrictEqual([share.inUse, share.inQueue], [0, 0])
    assert.strictEqual(share.enter("c", "c1"), "entered")
  })

  it("never exceeds a limit, and leaves no place free while somebody may have it", () => {
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const share = new FairShare<string>(limits)
    const using: Array<string> = []
    const waits: Array<string> = []
    for (let step = 0; step < 20_000; step++) {
      const who = "abcdef"[random(6)]!
      if (random(2) === 0) {
        const item = `${who}${step}`
        const answer = share.enter(who, item)
        if (answer === "entered") using.push(item)
        if (answer === "waiting") waits.push(item)
      } else if (random(8) === 0 && waits.length > 0) {
        const [item] = waits.splice(random(waits.length), 1)
        assert.isTrue(share.withdraw(item![0]!, item!))
      } else if (using.length > 0) {
        const [left] = using.splice(random(using.length), 1)
        const next = share.leave(left![0]!)
        if (next !== undefined) using.push(...waits.splice(waits.indexOf(next), 1))
      }
      const usedBy = (holder: string) => using.filter((item) => item[0] === holder).length
      assert.deepStrictEqual([share.inUse, share.inQueue], [using.length, waits.length])
      assert.isAtMost(using.length, limits.total)
      for (const holder of "abcdef") {
        assert.isAtMost(usedBy(holder), limits.each)
        if (waits.some((item) => item[0] === holder))
          assert.isTrue(using.length === limits.total || usedBy(holder) === limits.each, "a place was left free")
      }
    }
  })
})
