import { assert, describe, it } from "@effect/vitest"
import { planSubscription } from "../../../src/domain/webhooks/PlanSubscription.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { notSent } from "../../../src/domain/webhooks/Settlement.ts"
import { emptyMemory, isProven, loadSize, type PresentSubscription } from "../../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionMessage } from "../../../src/domain/webhooks/SubscriptionCommand.ts"
import {
  absent,
  after,
  decide,
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

/** The state after a receiver has accepted so many deliveries, one after the other. */
const accepting = (count: number, from = poked): PresentSubscription =>
  Array.from({ length: count }, (_, n) => `ok${n}`).reduce(
    (state, id) => after(load(after(state, { _tag: "Poke" }), [due(id)]), finished(id, 1, outcome(200)), 2_000),
    from
  )

const sizeAfter = (state: PresentSubscription): number => loadSize(after(state, { _tag: "Poke" }))

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
    const left = load(after(accepting(2), { _tag: "Poke" }), [due("a")], { more: true })
    assert.deepStrictEqual(keysOf(left), ["attempt:a:1", "load:3"])
  })

  it("attempts at most fifty deliveries at once and loads more when half of them have ended", () => {
    const grown = accepting(6)
    const { loads } = grown.memory
    assert.strictEqual(loadSize(after(grown, { _tag: "Poke" })), 50)
    let state = load(
      after(grown, { _tag: "Poke" }),
      Array.from({ length: 50 }, (_, n) => due(`d${n}`)),
      { more: true }
    )
    assert.strictEqual(keysOf(state).length, 50)
    for (let n = 0; n < 24; n++) state = after(state, finished(`d${n}`, 1, outcome(200)), 2_000)
    assert.notInclude(keysOf(state), `load:${loads + 1}`)
    state = after(state, finished("d24", 1, outcome(200)), 2_000)
    assert.include(keysOf(state), `load:${loads + 1}`)
  })

  it("attempts one delivery at a time until the receiver accepts one, then twice as many after each", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 5, 6, 7].map((count) => sizeAfter(accepting(count))),
      [1, 2, 4, 8, 16, 32, 50, 50]
    )
  })

  it("attempts one delivery at a time again after a failure, and after a change of the receiver", () => {
    const fail = (state: PresentSubscription) =>
      after(load(after(state, { _tag: "Poke" }), [due("no")]), finished("no", 1, outcome(500)), 3_000)
    const failed = fail(accepting(7))
    assert.strictEqual(sizeAfter(failed), 1)
    assert.deepStrictEqual(
      [1, 2, 6].map((count) => sizeAfter(accepting(count, failed))),
      [2, 4, 50]
    )
    const moved: SubscriptionMessage<"Change"> = {
      _tag: "Change",
      change: { url: "https://example.com/2" },
      origin: systemOrigin
    }
    const changed = after(accepting(7), moved, 2_001)
    assert.deepStrictEqual([isProven(changed.data), sizeAfter(changed)], [false, 1])
  })

  it("begins with four at once when a proven subscription comes back into memory", () => {
    const back = (state: PresentSubscription) => ({ ...state, memory: emptyMemory })
    assert.deepStrictEqual([sizeAfter(back(fresh)), sizeAfter(back(accepting(1)))], [1, 4])
  })

  it("reads a delivery again that was not sent, even if a load has just passed it over", () => {
    const one = after(load(after(accepting(7), { _tag: "Poke" }), [due("a")]), { _tag: "Poke" })
    const { pokes } = one.memory
    const { events, state, volatile } = decide(one, finished("a", 1, outcome(null, notSent)), 2_000)
    assert.deepStrictEqual([events.map(({ _tag }) => _tag), volatile], [["DeliveryReturned"], true])
    assert.deepStrictEqual([state.memory.window, state.data], [[], one.data])
    const passed = load(state, [], { pokes })
    assert.include(keysOf(passed), `load:${passed.memory.loads}`)
    assert.deepStrictEqual(
      load(passed, [due("a")]).memory.window.map(({ id }) => id),
      ["a"]
    )
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
