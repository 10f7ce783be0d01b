import { assert, describe, it } from "@effect/vitest"
import { type Quota, quotas } from "../../../src/domain/access/Quota.ts"
import {
  type Lease,
  leaseLife_ms,
  leaseOf,
  noLease,
  settle,
  spend,
  verdictFrom
} from "../../../src/domain/limits/Leases.ts"
import { LeaseModel } from "../../support/LeaseModel.ts"

const quota = quotas.workspace_read
const now = 1_000_000
const lease = (given: Partial<Lease>): Lease => ({ ...noLease, ...given })

describe("a lease of a quota", () => {
  it("is a twenty-fifth of the burst, and at least one request", () => {
    assert.strictEqual(leaseOf(quota), 20)
    assert.strictEqual(leaseOf(quotas.workspace_write), 10)
    assert.strictEqual(leaseOf(quotas.topups), 1)
  })

  const spent: ReadonlyArray<readonly [string, Partial<Lease>, "admit" | "refuse" | "ask", boolean]> = [
    ["nothing is held", {}, "ask", false],
    ["much is left", { left: 20, lapses_at: now + 1 }, "admit", false],
    ["half is left", { left: 11, lapses_at: now + 1 }, "admit", true],
    ["one is left", { left: 1, lapses_at: now + 1 }, "admit", true],
    ["nothing is left", { left: 0, lapses_at: now + 1 }, "ask", false],
    ["what is left has lapsed", { left: 20, lapses_at: now }, "ask", false],
    ["no more is to be had", { empty_until: now + 100 }, "refuse", false],
    ["no more is to be had, and one is left", { left: 1, lapses_at: now + 1, empty_until: now + 100 }, "admit", false],
    ["there is more again", { empty_until: now }, "ask", false]
  ]
  for (const [name, given, outcome, renews] of spent)
    it(`spends one request: ${name}`, () => {
      const result = spend(lease(given), quota, now)
      assert.deepStrictEqual([result.outcome, result.renews], [outcome, renews])
      assert.strictEqual(result.lease.left, (given.left ?? 0) - (outcome === "admit" ? 1 : 0))
    })

  const settled: ReadonlyArray<readonly [string, Partial<Lease>, number, number, number]> = [
    ["adds to what is left", { left: 3, lapses_at: now + 1 }, 20, 0, 23],
    ["replaces what has lapsed", { left: 3, lapses_at: now }, 20, 0, 20],
    ["keeps what is granted to requests that wait", {}, 400, 400, 400],
    ["drops what was granted to requests that have ended", {}, 400, 0, 30],
    ["keeps what is left when nothing is granted", { left: 3, lapses_at: now + 1 }, 0, 5, 3]
  ]
  for (const [name, given, requests, waiting, left] of settled)
    it(name, () => {
      const result = settle(lease(given), quota, { requests, full_in_ms: 5_000 }, waiting, now)
      assert.strictEqual(result.left, left)
      if (requests > 0) assert.strictEqual(result.lapses_at, now + leaseLife_ms)
    })

  it("tells a client what is left, here and in the shared count, and when to come again", () => {
    const first = settle(noLease, quota, { requests: 20, full_in_ms: 200 }, 1, now)
    const told = verdictFrom(spend(first, quota, now), quota, now)
    assert.deepStrictEqual([told.admitted, told.remaining, told.reset_ms, told.retry_ms], [true, 499, 200, 0])
    // Five seconds later the shared count is full again, beside what is held here.
    assert.strictEqual(verdictFrom(spend(first, quota, now + 5_000), quota, now + 5_000).remaining, quota.burst)
    const none = settle(noLease, quota, { requests: 0, full_in_ms: 4_900 }, 1, now)
    const refused = verdictFrom(spend(none, quota, now), quota, now)
    assert.deepStrictEqual(
      [refused.admitted, refused.remaining, refused.reset_ms, refused.retry_ms],
      [false, 0, 4_900, 100]
    )
  })
})

interface Asked {
  readonly processes: number
  /** How many requests each process is asked at a time. */
  readonly each: number
  readonly every_ms: number
  readonly for_ms: number
}

/** How many requests of the processes are admitted, each that holds nothing at first. */
const admittedBy = (quota: Quota, { each, every_ms, for_ms, processes }: Asked) => {
  const held: Array<Lease> = Array.from({ length: processes }, () => noLease)
  const shared = new LeaseModel(quota)
  let admitted = 0
  const ask = (process: number, waiting: number, at: number): void => {
    const grant = shared.lease(Math.min(quota.burst, Math.max(leaseOf(quota), waiting)), at)
    held[process] = settle(held[process]!, quota, grant, waiting, at)
  }
  for (let at = now; at <= now + for_ms; at += every_ms)
    for (let process = 0; process < processes; process++)
      for (let n = 0; n < each; n++) {
        if (spend(held[process]!, quota, at).outcome === "ask") ask(process, each - n, at)
        const result = spend(held[process]!, quota, at)
        held[process] = result.lease
        if (result.outcome === "admit") admitted++
        if (result.renews) ask(process, 0, at)
      }
  return { admitted, left: held.reduce((sum, { left }) => sum + left, 0) }
}

describe("processes that share a quota", () => {
  for (const processes of [1, 2, 8, 25])
    for (const each of [20, 500])
      it(`${processes} admit together what one may, of ${each} requests at a time each`, () => {
        const for_ms = 10_000
        const { admitted } = admittedBy(quota, { processes, each, every_ms: 50, for_ms })
        const one = quota.burst + (quota.per_second * for_ms) / 1_000
        assert.isAtMost(admitted, one)
        assert.isAtLeast(admitted, one - (processes + 1) * 1.5 * leaseOf(quota))
      })

  for (const processes of [1, 2, 8, 25])
    it(`${processes} refuse nothing of a workspace that asks for half of its rate`, () => {
      const every_ms = processes * 20
      const { admitted } = admittedBy(quota, { processes, each: 1, every_ms, for_ms: 30_000 })
      assert.strictEqual(admitted, processes * (Math.floor(30_000 / every_ms) + 1))
    })

  for (const processes of [1, 2, 8, 25])
    it(`${processes} hold at most one and a half leases each when nobody asks`, () => {
      const { left } = admittedBy(quota, { processes, each: 13, every_ms: 1_000, for_ms: 60_000 })
      assert.isAtMost(left, processes * 1.5 * leaseOf(quota))
    })
})
