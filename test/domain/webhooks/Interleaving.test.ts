// Checks any interleaving of fan-outs, loads, attempts, manual retries and commits.
import { assert, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { decideSubscription } from "../../../src/domain/webhooks/DecideSubscription.ts"
import type { DeliveryRecord, DueDelivery } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { planSubscription } from "../../../src/domain/webhooks/PlanSubscription.ts"
import { notSent } from "../../../src/domain/webhooks/Settlement.ts"
import { absentSubscription, emptyMemory, loadSize } from "../../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionMessage } from "../../../src/domain/webhooks/SubscriptionCommand.ts"
import { after, create, decide, due, finished, keysOf, outcome, retryOf, shown } from "../../support/Subscriptions.ts"
import { subscriptionId } from "../../support/Ids.ts"

const fresh = after(absentSubscription(subscriptionId("s1")), create, 1_000)

interface Row {
  readonly delivery: DueDelivery
  readonly status: string
  readonly next_attempt_at: number | null
}

/** The stored rows, the pending commits, and the running loads and attempts. */
class World {
  now = 0
  state = { ...fresh, memory: emptyMemory }
  disk = { revision: 1, rows: new Map<string, Row>() }
  private readonly uncommitted: Array<{
    readonly revision: number
    readonly rows: ReadonlyArray<readonly [string, Row]>
  }> = []
  private loading: SubscriptionMessage | undefined
  private count = 0
  readonly begun = new Set<string>()

  tell(command: SubscriptionMessage): void {
    const { events, state, volatile } = decide(this.state, command, this.now)
    this.state = state
    if (!volatile && events.length > 0) {
      const rows = events.flatMap((event): ReadonlyArray<readonly [string, Row]> => {
        if (event._tag !== "DeliverySettled" && event._tag !== "DeliveryMoved") return []
        const {
          delivery: { id },
          settlement: { attempts, next_attempt_at, status }
        } = event
        return [[id, { delivery: due(id, attempts), status, next_attempt_at }]]
      })
      this.uncommitted.push({ revision: state.data.revision, rows })
    }
    this.watch()
  }

  /** Starts all planned work at once. No attempt may start twice. */
  private watch(): void {
    const ids = this.state.memory.window.map(({ id }) => id)
    assert.strictEqual(new Set(ids).size, ids.length, "in flight twice")
    assert.isAtMost(ids.length, 50)
    for (const { attempts, id } of this.state.memory.window) {
      const key = `${id}:${attempts + 1}`
      if (this.begun.has(key)) continue
      this.begun.add(key)
      for (const other of this.begun) {
        if (other.startsWith(`${id}:`))
          assert.isAtMost(Number(other.split(":")[1]), attempts + 1, "an earlier attempt began later")
      }
    }
  }

  fanOut(): void {
    const id = `d${this.count++}`
    this.disk.rows.set(id, { delivery: due(id), status: "pending", next_attempt_at: this.now })
    this.tell({ _tag: "Poke" })
  }

  /** Reads the stored rows now. The result arrives later. */
  startLoad(): void {
    if (this.loading !== undefined || !keysOf(this.state).some((key) => key.startsWith("load:"))) return
    const { memory } = this.state
    const flying = new Set(memory.window.map(({ id }) => id))
    const waiting = [...this.disk.rows.values()]
      .filter(({ next_attempt_at }) => next_attempt_at !== null)
      .toSorted((a, b) => a.next_attempt_at! - b.next_attempt_at!)
    const ready = waiting.filter(
      ({ delivery, next_attempt_at }) => next_attempt_at! <= this.now && !flying.has(delivery.id)
    )
    const later = waiting.find(({ next_attempt_at }) => next_attempt_at! > this.now)
    const limit = Math.max(1, loadSize(this.state))
    this.loading = {
      _tag: "Loaded",
      load: memory.loads,
      pokes: memory.pokes,
      revision: this.disk.revision,
      deliveries: ready.slice(0, limit).map(({ delivery }) => delivery),
      more: ready.length > limit,
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

  /** The delivery waited for a socket, and is given back without an attempt. */
  giveBack(choice: number): void {
    const { window } = this.state.memory
    const delivery = window[choice % Math.max(1, window.length)]
    if (delivery === undefined) return
    this.begun.delete(`${delivery.id}:${delivery.attempts + 1}`)
    this.tell(finished(delivery.id, delivery.attempts + 1, outcome(null, notSent)))
  }

  commit(): void {
    const next = this.uncommitted.shift()
    if (next === undefined) return
    this.disk.revision = next.revision
    for (const [id, row] of next.rows) this.disk.rows.set(id, row)
  }

  /** Retries a delivery manually, as its row is now. The engine may refuse. */
  retry(choice: number): void {
    const rows = [...this.disk.rows.values()]
    const row = rows[choice % Math.max(1, rows.length)]
    if (row === undefined) return
    const {
      delivery: { attempts, id },
      status
    } = row
    const command = retryOf({ ...shown(id, status as DeliveryRecord["status"]), attempts }, this.disk.revision)
    if (Result.isSuccess(decideSubscription(this.state, command, this.now))) this.tell(command)
  }

  /** Advances the clock to the next deadline of the plan and delivers it. */
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
  kind: Schema.Literals([
    "fanOut",
    "startLoad",
    "finishLoad",
    "succeed",
    "fail",
    "giveBack",
    "commit",
    "retry",
    "wait"
  ]),
  choice: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99 }))
})

const step = (world: World, { choice, kind }: typeof Step.Type): void => {
  switch (kind) {
    case "fanOut":
      return world.fanOut()
    case "startLoad":
      return world.startLoad()
    case "finishLoad":
      return world.finishLoad()
    case "succeed":
      return world.attempt(choice, 200)
    case "fail":
      return world.attempt(choice, 500)
    case "giveBack":
      return world.giveBack(choice)
    case "commit":
      return world.commit()
    case "retry":
      return world.retry(choice)
    case "wait":
      return void world.wait()
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
    for (const {
      delivery: { attempts, id }
    } of world.disk.rows.values()) {
      const made = [...world.begun].filter((key) => key.startsWith(`${id}:`)).length
      assert.strictEqual(made, attempts, "as many attempts as were counted")
    }
  },
  { arbitrary: { runs: 2_000, size: 120 } }
)
