import { assert, describe, it } from "@effect/vitest"
import { SocketShares, type SocketUser } from "../../../src/domain/webhooks/SocketShares.ts"

const limits = { total: 500, each: 100 }

const user = (receiver: string, proven: boolean, workspace_id = "w1"): SocketUser => ({
  workspace_id,
  receiver,
  proven
})
const proven = (receiver: string, workspace_id?: string) => user(receiver, true, workspace_id)
const unproven = (receiver: string, workspace_id?: string) => user(receiver, false, workspace_id)

const make = () => new SocketShares<SocketUser>(limits)

/** How many of these attempts get a socket without waiting. */
const begun = (shares: SocketShares<SocketUser>, users: ReadonlyArray<SocketUser>) =>
  users.filter((each) => shares.enter(each)).length

const many = (count: number, of: (n: number) => SocketUser) => Array.from({ length: count }, (_, n) => of(n))

/** The receiver accepts one delivery. */
const accept = (shares: SocketShares<SocketUser>, each: SocketUser) => {
  assert.isTrue(shares.enter(each), `${each.receiver} gets a socket`)
  return shares.leave(each, true)
}

describe("the sockets of a workspace", () => {
  it.each<[string, number, (n: number) => SocketUser, number]>([
    ["one proven receiver: a fifth of nine tenths, until it accepts something", 100, (_: number) => proven("a"), 18],
    ["two: a sixth each", 200, (n: number) => proven(`${n % 2}`), 30],
    ["fifty: one or two each", 2_500, (n: number) => proven(`${n % 50}`), 86],
    ["many proven receivers: nine tenths", 200, (n: number) => proven(`${n}`), 90],
    ["many that are not proven: half", 200, (n: number) => unproven(`${n}`), 50],
    ["one that is not proven: one", 10, (_: number) => unproven("a"), 1]
  ])("go to %s", (_, count, of, most) => {
    const shares = make()
    assert.strictEqual(begun(shares, many(count, of)), most)
  })

  it("go to a single receiver that works, up to the half that is its whole window", () => {
    const shares = make()
    const first = proven("a")
    for (const each of [first, proven("a")]) shares.enter(each)
    shares.leave(first, true)
    assert.strictEqual(
      1 +
        begun(
          shares,
          many(60, () => proven("a"))
        ),
      50
    )
  })

  it("are a hundred at most, whoever asks", () => {
    const shares = make()
    const healthy = many(300, (n) => proven(`ok ${n}`))
    for (const each of healthy) accept(shares, each)
    begun(
      shares,
      many(100, (n) => unproven(`new ${n}`))
    )
    begun(
      shares,
      many(100, (n) => proven(`hole ${n}`))
    )
    for (const each of healthy) shares.enter(each)
    assert.isAtMost(shares.inUse, 100)
  })

  it("are left to those that answer when fifty proven receivers begin to hang at once, in any order", () => {
    const shares = make()
    const holes = many(50, (n) => proven(`hole ${n}`))
    for (let round = 0; round < 50; round++) for (const hole of holes) shares.enter({ ...hole })
    assert.strictEqual(shares.inUse, 86)
    const healthy = many(50, (n) => proven(`ok ${n}`))
    for (let round = 0; round < 3; round++) for (const each of healthy) accept(shares, each)
    assert.strictEqual(begun(shares, healthy), 14, "what is left, at the same time")
  })

  it("are left to those that have answered since a hundred began to hang", () => {
    const shares = make()
    const holes = many(100, (n) => proven(`hole ${n}`))
    const healthy = many(50, (n) => proven(`ok ${n}`))
    for (const [n, hole] of holes.entries()) {
      shares.enter(hole)
      if (n % 2 === 0 && n < 90) accept(shares, healthy[n / 2]!)
    }
    for (let round = 0; round < 3; round++) for (const each of healthy.slice(0, 45)) accept(shares, each)
    assert.isFalse(shares.enter(healthy[49]!), "nothing shows that it does not hang, too")
    assert.strictEqual(shares.inUse, 90)
  })

  it("are divided by what is free, so that a few that hang take few from many", () => {
    const shares = make()
    const first = proven("hole 0")
    assert.isTrue(shares.enter(first))
    const holes = Array.from({ length: 9 }, (_, n) => many(50, () => proven(`hole ${n}`)))
    for (let k = 0; k < 50; k++) for (const hole of holes) shares.enter(hole[k]!)
    assert.isAtMost(shares.inUse, 70)
    assert.isTrue(shares.enter(proven("another")), "a receiver that has been idle")
  })

  it("go to a receiver that works while others hang, up to its half of what is free", () => {
    const shares = make()
    begun(
      shares,
      many(60, (n) => proven(`hole ${n}`))
    )
    accept(shares, proven("ok"))
    const taken = begun(
      shares,
      many(50, () => proven("ok"))
    )
    assert.strictEqual(taken, 20)
  })

  it("grow with a receiver that heals: its deliveries that wait begin as soon as it may have them", () => {
    const shares = make()
    const hole = proven("a")
    shares.enter(hole)
    begun(
      shares,
      many(95, (n) => proven(`other ${n}`))
    )
    const queue = many(5, () => proven("a"))
    assert.strictEqual(begun(shares, queue), 0)
    const begin = shares.leave(hole, true).begin.filter(({ receiver }) => receiver === "a")
    assert.deepStrictEqual(begin, queue, "it has just accepted one, so it is fresh")
  })
})

describe("the sockets of all workspaces", () => {
  it("are left to the others when many workspaces are full of receivers that hang", () => {
    for (const of of [proven, unproven]) {
      const shares = make()
      for (let n = 0; n < 100; n++)
        for (const workspace of ["w1", "w2", "w3", "w4", "w5"]) shares.enter(of(`hole ${n}`, workspace))
      assert.isAtMost(shares.inUse, 300)
      assert.strictEqual(
        begun(
          shares,
          many(20, (n) => proven(`ok ${n}`, "w6"))
        ),
        20
      )
      assert.strictEqual(
        begun(
          shares,
          many(20, (n) => unproven(`new ${n}`, "w7"))
        ),
        20
      )
    }
  })

  it("go to the workspace that uses least, and in it to the receiver that uses least", () => {
    const shares = new SocketShares<SocketUser>({ total: 8, each: 8 })
    const using = many(4, (n) => unproven("a", `w${n}`))
    const [later, least] = [unproven("b", "w0"), unproven("a", "w4")]
    assert.strictEqual(begun(shares, [...using, later, least]), 4)
    assert.deepStrictEqual(shares.leave(using[1]!, undefined).begin, [least])

    const one = make()
    const holes = many(90, (n) => proven(`hole ${n}`))
    assert.strictEqual(begun(one, holes), 90)
    const [again, another] = [proven("hole 0"), proven("another")]
    assert.strictEqual(begun(one, [again, another]), 0)
    assert.deepStrictEqual(one.leave(holes[1]!, undefined).begin, [another])
  })
})

describe("a receiver that fails", () => {
  it("is not sent what waited for a socket; what is not proven goes on waiting", () => {
    const shares = make()
    const all = many(80, () => proven("a"))
    const taken = all.filter((each) => shares.enter(each))
    const test = unproven("a")
    assert.isFalse(shares.enter(test))
    const { begin, refused } = shares.leave(taken[0]!, false)
    assert.deepStrictEqual([begin, refused.length], [[], 80 - taken.length])
    assert.isFalse(shares.withdraw(refused[0]!))
    for (const each of taken.slice(1, -1)) assert.deepStrictEqual(shares.leave(each, false).begin, [])
    assert.deepStrictEqual(shares.leave(taken.at(-1)!, false).begin, [test], "one at a time")
  })
})

it("forgets everything once nothing is under way", () => {
  const shares = make()
  const all = many(300, (n) => user(`${n % 60}`, n % 3 > 0, `w${n % 4}`))
  const using = all.filter((each) => shares.enter(each))
  const waiting = all.filter((each) => !using.includes(each))
  for (const each of waiting.slice(0, 20)) assert.isTrue(shares.withdraw(each))
  for (let each = using.shift(); each !== undefined; each = using.shift())
    using.push(...shares.leave(each, using.length % 2 === 0 ? true : undefined).begin)
  assert.deepStrictEqual([shares.inUse, shares.kept], [0, 0])
})
