import { assert, describe, it } from "@effect/vitest"
import { planSubscription } from "../../../src/domain/webhooks/PlanSubscription.ts"
import type { PresentSubscription } from "../../../src/domain/webhooks/Subscription.ts"
import {
  absent,
  after,
  disabled,
  due,
  finished,
  fresh,
  keysOf,
  load,
  loaded,
  open,
  outcome,
  poked
} from "../../support/Subscriptions.ts"

const hour = 3_600_000

describe("the work of a subscription", () => {
  it("loads after a poke, one load at a time", () => {
    assert.deepStrictEqual(keysOf(absent), [])
    assert.deepStrictEqual(keysOf(fresh), [])
    assert.deepStrictEqual(keysOf(poked), ["load:0"])
    assert.deepStrictEqual(keysOf(after(poked, { _tag: "Poke" })), ["load:0"])
    assert.deepStrictEqual(keysOf(loaded), ["attempt:a:1", "attempt:b:4"])
  })

  it("loads again after a poke during a load, or when a load left deliveries behind", () => {
    const during = load(after(poked, { _tag: "Poke" }), [], { pokes: poked.memory.pokes })
    assert.deepStrictEqual(keysOf(during), ["load:1"])
    assert.deepStrictEqual(keysOf(load(poked, [due("a")], { more: true })), ["attempt:a:1", "load:1"])
  })

  it("attempts at most fifty deliveries at once and loads more when half of them have ended", () => {
    let state = load(
      poked,
      Array.from({ length: 50 }, (_, n) => due(`d${n}`)),
      { more: true }
    )
    assert.strictEqual(keysOf(state).length, 50)
    for (let n = 0; n < 24; n++) state = after(state, finished(`d${n}`, 1, outcome(200)))
    assert.notInclude(keysOf(state), "load:1")
    state = after(state, finished("d24", 1, outcome(200)))
    assert.include(keysOf(state), "load:1")
  })

  it("has a deadline for the next delivery", () => {
    const waiting = load(poked, [], { next_due_at: 5_000 })
    assert.deepStrictEqual(planSubscription(waiting), [
      { _tag: "Deadline", key: "due:5000", at: 5_000, command: { _tag: "Poke" } }
    ])
    assert.deepStrictEqual(keysOf(after(waiting, { _tag: "Poke" }, 4_999)), ["load:1", "due:5000"])
    assert.deepStrictEqual(keysOf(after(waiting, { _tag: "Poke" }, 5_000)), ["load:1"])
    const sooner = after(load(poked, [due("a")], { next_due_at: 5_000_000 }), finished("a", 1, outcome(500)), 1_000)
    assert.match(keysOf(sooner).join(), /^due:[4-7]\d{3}$/)
  })

  it("attempts no delivery twice when a load reads an old row", () => {
    const again = load(after(loaded, { _tag: "Poke" }), [due("a"), due("c")])
    assert.deepStrictEqual(keysOf(again), ["attempt:a:1", "attempt:b:4", "attempt:c:1"])
    const through = after(after(loaded, { _tag: "Poke" }), finished("a", 1, outcome(200)))
    const stale = load(through, [due("a")], { revision: through.data.revision - 1 })
    assert.deepStrictEqual(keysOf(stale), ["attempt:b:4"])
    // A row with the revision of its retry is another attempt.
    const retried = after(after(loaded, { _tag: "Poke" }), finished("a", 1, outcome(500)))
    assert.include(keysOf(load(retried, [due("a", 1)])), "attempt:a:2")
  })

  it("keeps the due time of a retry that a load has not read", () => {
    const retried = after(after(loaded, { _tag: "Poke" }), finished("a", 1, outcome(500)))
    const at = retried.memory.next_due_at
    assert.isNotNull(at)
    const stale = load(retried, [], { revision: retried.data.revision - 1, next_due_at: null })
    assert.strictEqual(stale.memory.next_due_at, at)
    assert.isNull(load(retried, [], { next_due_at: null }).memory.next_due_at)
  })

  it("loads nothing while the breaker is open, then lets one delivery probe", () => {
    const state = after(open, { _tag: "Poke" })
    const half = after(state, { _tag: "ProbeDue" }, 30_000)
    assert.deepStrictEqual(
      keysOf(state).filter((key) => !key.startsWith("due:")),
      ["attempt:d10:1", "probe:30000"]
    )
    assert.notInclude(keysOf(half), "load:1")
    const empty = after(half, finished("d10", 1, outcome(500)), 30_000)
    assert.isTrue(keysOf(empty).some((key) => key.startsWith("probe:")))
    const probing = load(after(empty, { _tag: "ProbeDue" }, 90_000), [due("p")], { more: true })
    assert.deepStrictEqual(
      keysOf(probing).filter((key) => !key.startsWith("due:")),
      ["attempt:p:1"]
    )
    assert.include(keysOf(after(probing, finished("p", 1, outcome(200)), 91_000)), "load:2")
  })

  it("is disabled by a 410, and running attempts finish", () => {
    assert.strictEqual(disabled.data.disabled_reason, "receiver_gone")
    assert.deepStrictEqual(keysOf(after(disabled, { _tag: "Poke" })), ["attempt:b:4", "mail:0"])
    const last = after(disabled, finished("b", 4, outcome(410)), 5)
    assert.deepStrictEqual([last.data.sequence, last.memory.window.length], [1, 0])
  })

  it("is disabled after 120 hours without a success", () => {
    const fail = (state: PresentSubscription, at: number) =>
      after(load(after(state, { _tag: "Poke" }), [due(`x${at}`)]), finished(`x${at}`, 1, outcome(500)), at)
    const failing = fail(fresh, hour)
    assert.strictEqual(failing.data.failing_since, hour)
    assert.strictEqual(fail(failing, 121 * hour - 1).data.status, "active")
    const given = fail(failing, 121 * hour).data
    assert.deepStrictEqual([given.status, given.disabled_reason, given.updated_at], ["disabled", "failing", 121 * hour])
    const saved = after(load(after(failing, { _tag: "Poke" }), [due("y")]), finished("y", 1, outcome(200)), 100 * hour)
    assert.deepStrictEqual([saved.data.failing_since, saved.data.last_success_at], [null, 100 * hour])
    assert.strictEqual(fail(saved, 121 * hour).data.status, "active")
  })

  it("blocks a delivery without a secret, which counts neither as a failure nor as a success", () => {
    const blocked = after(loaded, finished("a", 1, outcome(null, "webhooks.deliver.secret_unset")))
    assert.deepStrictEqual([blocked.data.failing_since, blocked.memory.breaker.in_row], [null, 0])
    assert.deepStrictEqual(keysOf(blocked), ["attempt:b:4"])
  })
})
