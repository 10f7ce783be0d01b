import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { decideSubscription } from "../../../src/domain/webhooks/DecideSubscription.ts"
import type { DueDelivery, Outcome } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { planSubscription } from "../../../src/domain/webhooks/PlanSubscription.ts"
import { blank, evolve, initial, type Subscription } from "../../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionCommand } from "../../../src/domain/webhooks/SubscriptionCommand.ts"

const hour = 3_600_000

const create: SubscriptionCommand = {
  _tag: "Create",
  facts: {
    workspace_id: "w1", url: "https://example.com/", description: "mine", events: ["call.*"], kinds: ["call.completed"], number_ids: [],
    signature_format: "timestamped", api_version: "2026-10-01", source: "api", secret: "sealed"
  }
}

const due = (id: string, attempts = 0): DueDelivery => ({
  id, created_at: 0, attempts, attempt_log: [], event_id: `e-${id}`, event_kind: "call.completed", sequence: 1, occurred_at: 0,
  payload: "{}"
})

const outcome = (http_status: number | null, error: string | null = null): Outcome => ({
  at: 0, duration_ms: 1, http_status, error, response_excerpt: null, retry_after_ms: null
})

const finished = (delivery_id: string, attempt: number, ended: Outcome): SubscriptionCommand => ({
  _tag: "AttemptFinished", delivery_id, attempt, outcome: ended
})

const decide = (state: Subscription, command: SubscriptionCommand, now = 0) => {
  const { events, reply, volatile } = Result.getOrThrow(decideSubscription(state, command, now))
  return { events, reply, volatile: volatile === true, state: events.reduce(evolve, state) }
}
const tell = (state: Subscription, command: SubscriptionCommand, now = 0) => decide(state, command, now).state

const load = (state: Subscription, deliveries: ReadonlyArray<DueDelivery>, change: Partial<Extract<SubscriptionCommand, { _tag: "Loaded" }>> = {}) =>
  tell(state, {
    _tag: "Loaded", load: state.memory.loads, pokes: state.memory.pokes, revision: state.kept?.revision ?? 0, deliveries, more: false,
    next_due_at: null, ...change
  })

const keysOf = (state: Subscription) => planSubscription(state).map(({ key }) => key)

const absent = initial("s1")
const fresh = tell(absent, create, 1_000)
const poked = tell(fresh, { _tag: "Poke" })
const loaded = load(poked, [due("a"), due("b", 3)])
const disabled = tell(loaded, finished("a", 1, outcome(410)))
const open = Array.from({ length: 10 }, (_, n) => `d${n}`).reduce(
  (state, id) => tell(state, finished(id, 1, outcome(500)), 0),
  load(poked, Array.from({ length: 11 }, (_, n) => due(`d${n}`)))
)

describe("a subscription", () => {
  it("is made once, and tells what it is without its secret", () => {
    const { reply, volatile } = decide(absent, create, 1_000)
    assert.isFalse(volatile)
    assert.deepStrictEqual(reply, {
      _tag: "Created",
      record: {
        id: "s1", url: "https://example.com/", description: "mine", events: ["call.*"], status: "active", disabled_reason: null,
        signature_format: "timestamped", api_version: "2026-10-01", source: "api", secret_set: true, filters: { number_ids: [] },
        created_at: "1970-01-01T00:00:01.000Z", updated_at: "1970-01-01T00:00:01.000Z", last_success_at: null, failing_since: null
      }
    })
    const again = decide(fresh, create, 2_000)
    assert.deepStrictEqual([again.events, again.reply], [[], reply])
  })

  describe("for every state and command", () => {
    const commands: Record<string, SubscriptionCommand> = {
      Poke: { _tag: "Poke" },
      ProbeDue: { _tag: "ProbeDue" },
      Loaded: { _tag: "Loaded", load: 0, pokes: 2, revision: 1, deliveries: [due("c")], more: false, next_due_at: 9 },
      Success: finished("a", 1, outcome(200)),
      Failure: finished("a", 1, outcome(500)),
      Gone: finished("a", 1, outcome(410)),
      WrongAttempt: finished("a", 2, outcome(200)),
      Unknown: finished("z", 1, outcome(200))
    }
    const states = { absent, fresh, poked, loaded, disabled, open }
    const table: Record<keyof typeof states, Record<string, string>> = {
      absent: {},
      fresh: { Poke: "~Poked", Loaded: "~LoadCame" },
      poked: { Poke: "~Poked", Loaded: "~LoadCame" },
      loaded: { Poke: "~Poked", Success: "DeliverySettled", Failure: "DeliverySettled", Gone: "DeliverySettled Disabled" },
      disabled: { Poke: "~Poked" },
      open: { Poke: "~Poked", ProbeDue: "~ProbeBegan" }
    }
    for (const [name, state] of Object.entries(states)) {
      for (const [label, command] of Object.entries(commands)) {
        const expected = table[name as keyof typeof states][label] ?? "nothing"
        it(`${name}, ${label}: ${expected}`, () => {
          const { events, volatile } = decide(state, command)
          const tags = events.map(({ _tag }) => _tag).join(" ")
          assert.strictEqual(tags === "" ? "nothing" : volatile ? `~${tags}` : tags, expected)
        })
      }
    }
  })

  it("loads when it was poked, once at a time, and not before", () => {
    assert.deepStrictEqual(keysOf(absent), [])
    assert.deepStrictEqual(keysOf(fresh), [])
    assert.deepStrictEqual(keysOf(poked), ["load:0"])
    assert.deepStrictEqual(keysOf(tell(poked, { _tag: "Poke" })), ["load:0"])
    assert.deepStrictEqual(keysOf(loaded), ["attempt:a:1", "attempt:b:4"])
  })

  it("loads again when it was poked during a load, or when more was left", () => {
    const during = load(tell(poked, { _tag: "Poke" }), [], { pokes: poked.memory.pokes })
    assert.deepStrictEqual(keysOf(during), ["load:1"])
    assert.deepStrictEqual(keysOf(load(poked, [due("a")], { more: true })), ["attempt:a:1", "load:1"])
  })

  it("has at most fifty in flight and loads more when half of them are through", () => {
    let state = load(poked, Array.from({ length: 50 }, (_, n) => due(`d${n}`)), { more: true })
    assert.strictEqual(keysOf(state).length, 50)
    for (let n = 0; n < 24; n++) state = tell(state, finished(`d${n}`, 1, outcome(200)))
    assert.notInclude(keysOf(state), "load:1")
    state = tell(state, finished("d24", 1, outcome(200)))
    assert.include(keysOf(state), "load:1")
  })

  it("comes back when the next delivery is due", () => {
    const waiting = load(poked, [], { next_due_at: 5_000 })
    assert.deepStrictEqual(planSubscription(waiting), [{ _tag: "Deadline", key: "due:5000", at: 5_000, command: { _tag: "Poke" } }])
    assert.deepStrictEqual(keysOf(tell(waiting, { _tag: "Poke" }, 4_999)), ["load:1", "due:5000"])
    assert.deepStrictEqual(keysOf(tell(waiting, { _tag: "Poke" }, 5_000)), ["load:1"])
    const sooner = tell(load(poked, [due("a")], { next_due_at: 5_000_000 }), finished("a", 1, outcome(500)), 1_000)
    assert.match(keysOf(sooner).join(), /^due:[4-7]\d{3}$/)
  })

  it("takes no delivery twice, though the disk still shows it as it was", () => {
    const again = load(tell(loaded, { _tag: "Poke" }), [due("a"), due("c")])
    assert.deepStrictEqual(keysOf(again), ["attempt:a:1", "attempt:b:4", "attempt:c:1"])
    const through = tell(tell(loaded, { _tag: "Poke" }), finished("a", 1, outcome(200)))
    const stale = load(through, [due("a")], { revision: through.kept!.revision - 1 })
    assert.deepStrictEqual(keysOf(stale), ["attempt:b:4"])
    // A retried delivery that comes with the revision of its retry is another attempt.
    const retried = tell(tell(loaded, { _tag: "Poke" }), finished("a", 1, outcome(500)))
    assert.include(keysOf(load(retried, [due("a", 1)])), "attempt:a:2")
  })

  it("keeps the time of a retry that the disk did not show yet", () => {
    const retried = tell(tell(loaded, { _tag: "Poke" }), finished("a", 1, outcome(500)))
    const at = retried.memory.next_due_at
    assert.isNotNull(at)
    const stale = load(retried, [], { revision: retried.kept!.revision - 1, next_due_at: null })
    assert.strictEqual(stale.memory.next_due_at, at)
    assert.isNull(load(retried, [], { next_due_at: null }).memory.next_due_at)
  })

  it("leaves what is in flight alone while the breaker is open, loads nothing, then lets one through", () => {
    const state = tell(open, { _tag: "Poke" })
    const half = tell(state, { _tag: "ProbeDue" }, 30_000)
    assert.deepStrictEqual(keysOf(state).filter((key) => !key.startsWith("due:")), ["attempt:d10:1", "probe:30000"])
    assert.notInclude(keysOf(half), "load:1")
    const empty = tell(half, finished("d10", 1, outcome(500)), 30_000)
    assert.isTrue(keysOf(empty).some((key) => key.startsWith("probe:")))
    const probing = load(tell(empty, { _tag: "ProbeDue" }, 90_000), [due("p")], { more: true })
    assert.deepStrictEqual(keysOf(probing).filter((key) => !key.startsWith("due:")), ["attempt:p:1"])
    assert.include(keysOf(tell(probing, finished("p", 1, outcome(200)), 91_000)), "load:2")
  })

  it("is disabled by 410 at once, and what is in flight still finishes", () => {
    assert.strictEqual(disabled.kept!.disabled_reason, "receiver_gone")
    assert.deepStrictEqual(keysOf(tell(disabled, { _tag: "Poke" })), ["attempt:b:4"])
    const last = tell(disabled, finished("b", 4, outcome(410)), 5)
    assert.deepStrictEqual([last.kept!.sequence, last.memory.window.length], [1, 0])
  })

  it("is disabled after 120 hours in which nothing succeeded", () => {
    const fail = (state: Subscription, at: number) => tell(load(tell(state, { _tag: "Poke" }), [due(`x${at}`)]), finished(`x${at}`, 1, outcome(500)), at)
    const failing = fail(fresh, hour)
    assert.strictEqual(failing.kept!.failing_since, hour)
    assert.strictEqual(fail(failing, 121 * hour - 1).kept!.status, "active")
    const given = fail(failing, 121 * hour).kept!
    assert.deepStrictEqual([given.status, given.disabled_reason, given.updated_at], ["disabled", "failing", 121 * hour])
    const saved = tell(load(tell(failing, { _tag: "Poke" }), [due("y")]), finished("y", 1, outcome(200)), 100 * hour)
    assert.deepStrictEqual([saved.kept!.failing_since, saved.kept!.last_success_at], [null, 100 * hour])
    assert.strictEqual(fail(saved, 121 * hour).kept!.status, "active")
  })

  it("blocks a delivery without a secret, and counts it for nothing", () => {
    const blocked = tell(loaded, finished("a", 1, outcome(null, "webhooks.deliver.secret_unset")))
    assert.deepStrictEqual([blocked.kept!.failing_since, blocked.memory.breaker.in_row], [null, 0])
    assert.deepStrictEqual(keysOf(blocked), ["attempt:b:4"])
  })
})

// ---- any interleaving of fan-outs, loads, attempts and commits

interface Row {
  readonly delivery: DueDelivery
  readonly status: string
  readonly next_attempt_at: number | null
}

/** What is on disk, what is on its way there, and what is under way outside. */
class World {
  now = 0
  state = { ...fresh, memory: blank }
  disk = { revision: 1, rows: new Map<string, Row>() }
  private readonly uncommitted: Array<{ readonly revision: number; readonly rows: ReadonlyArray<readonly [string, Row]> }> = []
  private loading: SubscriptionCommand | undefined
  private count = 0
  readonly begun = new Set<string>()

  tell(command: SubscriptionCommand): void {
    const { events, state, volatile } = decide(this.state, command, this.now)
    this.state = state
    if (!volatile && events.length > 0) {
      const rows = events.flatMap((event): ReadonlyArray<readonly [string, Row]> => {
        if (event._tag !== "DeliverySettled") return []
        const { delivery, settlement: { attempts, next_attempt_at, status } } = event
        return [[delivery.id, { delivery: { ...delivery, attempts }, status, next_attempt_at }]]
      })
      this.uncommitted.push({ revision: state.kept!.revision, rows })
    }
    this.watch()
  }

  /** Everything the plan names begins at once; no attempt may ever begin twice. */
  private watch(): void {
    const ids = this.state.memory.window.map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, ids.length, "in flight twice")
    assert.isAtMost(ids.length, 50)
    for (const { attempts, id } of this.state.memory.window) {
      const key = `${id}:${attempts + 1}`
      if (this.begun.has(key)) continue
      this.begun.add(key)
      for (const other of this.begun) {
        if (other.startsWith(`${id}:`)) assert.isAtMost(Number(other.split(":")[1]), attempts + 1, "an earlier attempt began later")
      }
    }
  }

  fanOut(): void {
    const id = `d${this.count++}`
    this.disk.rows.set(id, { delivery: due(id), status: "pending", next_attempt_at: this.now })
    this.tell({ _tag: "Poke" })
  }

  /** Reads the disk as it is now; the answer comes later. */
  startLoad(): void {
    if (this.loading !== undefined || !keysOf(this.state).some((key) => key.startsWith("load:"))) return
    const { memory } = this.state
    const flying = new Set(memory.window.map(({ id }) => id))
    const waiting = [...this.disk.rows.values()].filter(({ next_attempt_at }) => next_attempt_at !== null)
      .toSorted((a, b) => a.next_attempt_at! - b.next_attempt_at!)
    const ready = waiting.filter(({ delivery, next_attempt_at }) => next_attempt_at! <= this.now && !flying.has(delivery.id))
    const later = waiting.find(({ next_attempt_at }) => next_attempt_at! > this.now)
    const limit = Math.max(1, 50 - memory.window.length)
    this.loading = {
      _tag: "Loaded", load: memory.loads, pokes: memory.pokes, revision: this.disk.revision,
      deliveries: ready.slice(0, limit).map(({ delivery }) => delivery), more: ready.length > limit,
      next_due_at: later?.next_attempt_at ?? null
    }
  }

  finishLoad(): void {
    const answer = this.loading
    this.loading = undefined
    if (answer !== undefined) this.tell(answer)
  }

  attempt(choice: number, http_status: number): void {
    const { window } = this.state.memory
    const delivery = window[choice % Math.max(1, window.length)]
    if (delivery !== undefined) this.tell(finished(delivery.id, delivery.attempts + 1, outcome(http_status)))
  }

  commit(): void {
    const next = this.uncommitted.shift()
    if (next === undefined) return
    this.disk.revision = next.revision
    for (const [id, row] of next.rows) this.disk.rows.set(id, row)
  }

  /** Time passes to the next deadline of the plan, which then is told. */
  wait(): boolean {
    const deadlines = planSubscription(this.state).filter((work) => work._tag === "Deadline")
    const [first] = deadlines.toSorted((a, b) => a.at - b.at)
    if (first === undefined) return false
    this.now = Math.max(this.now, first.at)
    this.tell(first.command)
    return true
  }
}

const Step = Schema.Struct({
  kind: Schema.Literals(["fanOut", "startLoad", "finishLoad", "succeed", "fail", "commit", "wait"]),
  choice: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 }))
})

const step = (world: World, { choice, kind }: typeof Step.Type): void => {
  switch (kind) {
    case "fanOut": return world.fanOut()
    case "startLoad": return world.startLoad()
    case "finishLoad": return world.finishLoad()
    case "succeed": return world.attempt(choice, 200)
    case "fail": return world.attempt(choice, 500)
    case "commit": return world.commit()
    case "wait": return void world.wait()
  }
}

it.prop(
  "in any order of events, no attempt is made twice and no delivery is left behind",
  [Schema.Array(Step).check(Schema.isMaxLength(120))],
  ([steps]) => {
    const world = new World()
    for (const one of steps) step(world, one)
    for (let round = 0; round < 2_000; round++) {
      world.startLoad()
      world.finishLoad()
      world.attempt(0, 200)
      world.commit()
      const rows = [...world.disk.rows.values()]
      if (rows.every(({ next_attempt_at }) => next_attempt_at === null)) break
      if (world.state.memory.window.length === 0) world.wait()
    }
    for (const { delivery, status } of world.disk.rows.values()) assert.strictEqual(status, "succeeded", delivery.id)
    for (const { delivery: { attempts, id } } of world.disk.rows.values()) {
      const made = [...world.begun].filter((key) => key.startsWith(`${id}:`)).length
      assert.strictEqual(made, attempts, "as many attempts as were counted")
    }
  },
  { arbitrary: { runs: 2_000, size: 120 } }
)
