import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Quota, type QuotaName, quotas } from "../../../src/domain/access/Quota.ts"
import { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import { SharedCounts } from "../../../src/domain/ports/engine/SharedCounts.ts"
import { max_leases, rateLimitsInCluster } from "../../../src/http/request/LeasedQuotas.ts"
import { RateLimits } from "../../../src/http/request/RateLimits.ts"
import { LeaseModel } from "../../support/LeaseModel.ts"

/** Counters that take `delay` to answer, and what they were asked. */
const makeShared = (delay: () => Effect.Effect<void, ReadFailed> = () => Effect.void) => {
  const counts = new Map<string, LeaseModel>()
  const asked: Array<{ readonly who: string; readonly wanted: number }> = []
  const countOf = (name: QuotaName, quota: Quota, who: string): LeaseModel => {
    const count = counts.get(`${name} ${who}`) ?? new LeaseModel(quota)
    counts.set(`${name} ${who}`, count)
    return count
  }
  const service = SharedCounts.of({
    count: () => Effect.die("Only leases are asked for"),
    lease: (name, quota, who, wanted) =>
      Effect.suspend(() => {
        asked.push({ who, wanted })
        return Effect.andThen(
          delay(),
          Effect.map(Clock.currentTimeMillis, (now) => countOf(name, quota, who).lease(wanted, now))
        )
      })
  })
  return { asked, service }
}

type Shared = ReturnType<typeof makeShared>

/** Runs the effect with the limits of one process. */
const processOf = ({ service }: Shared) =>
  Effect.map(
    Layer.build(Layer.fresh(rateLimitsInCluster).pipe(Layer.provide(Layer.succeed(SharedCounts)(service)))),
    (context) => Effect.provideContext(RateLimits, context)
  ).pipe(Effect.flatten)

type Limits = RateLimits["Service"]

/** How many of so many requests at once are admitted. */
const admittedOf = ({ count }: Limits, who: string, requests: number) =>
  Effect.map(
    Effect.forEach(Array.from({ length: requests }), () => Effect.isSuccess(count("workspace_read", who)), {
      concurrency: "unbounded"
    }),
    (admitted) => admitted.filter(Boolean).length
  )

const { burst, per_second } = quotas.workspace_read

describe("limits of a workspace in a cluster", () => {
  it.effect("hold for all processes together, and refuse without asking again", () =>
    Effect.gen(function* () {
      const shared = makeShared(() => Effect.yieldNow)
      const processes = yield* Effect.all([processOf(shared), processOf(shared), processOf(shared)])
      const flood = Effect.map(
        Effect.forEach(processes, (limits) => admittedOf(limits, "one", 1_000), { concurrency: "unbounded" }),
        (each) => each.reduce((sum, admitted) => sum + admitted, 0)
      )
      assert.strictEqual(yield* flood, burst)
      // Each asks once for a lease, and once for all who wait, until nothing is left.
      assert.isAtMost(shared.asked.length, 3 * processes.length)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* flood, per_second)
      assert.isAtMost(shared.asked.length, 6 * processes.length)
      assert.strictEqual(yield* admittedOf(processes[0]!, "another", 1_000), burst)
    })
  )

  it.effect("tell a refused client when to come again", () =>
    Effect.gen(function* () {
      const limits = yield* processOf(makeShared())
      yield* admittedOf(limits, "one", burst)
      const refused = yield* Effect.flip(limits.count("workspace_read", "one"))
      assert.strictEqual(refused.retry_after_seconds, 1)
    })
  )

  it.effect("cost one round trip for 20 requests that come evenly, of which only the first waits", () =>
    Effect.gen(function* () {
      const shared = makeShared(() => Effect.sleep("10 millis"))
      const limits = yield* processOf(shared)
      const first = yield* Effect.forkChild(limits.count("workspace_read", "one"))
      yield* TestClock.adjust("10 millis")
      assert.isDefined(first.pollUnsafe())
      for (let n = 0; n < 400; n++) {
        yield* limits.count("workspace_read", "one")
        yield* TestClock.adjust("10 millis")
      }
      assert.isAtMost(shared.asked.length, 401 / 20 + 1)
    })
  )

  it.effect("cost a quiet workspace one round trip a minute", () =>
    Effect.gen(function* () {
      const shared = makeShared()
      const limits = yield* processOf(shared)
      for (let n = 0; n < 10; n++) {
        yield* limits.count("workspace_read", "one")
        yield* TestClock.adjust("29 seconds")
      }
      assert.strictEqual(shared.asked.length, 4)
    })
  )

  it.effect("let a process have what one holds that has died", () =>
    Effect.gen(function* () {
      const shared = makeShared()
      const one = yield* processOf(shared)
      const other = yield* processOf(shared)
      yield* one.count("workspace_read", "one")
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(yield* admittedOf(other, "one", 1_000), burst)
    })
  )

  it.effect("do not ask twice because the request that asked for it has ended", () =>
    Effect.gen(function* () {
      const shared = makeShared(() => Effect.sleep("100 millis"))
      const limits = yield* processOf(shared)
      const first = yield* Effect.forkChild(limits.count("workspace_read", "one"))
      const second = yield* Effect.forkChild(limits.count("workspace_read", "one"))
      yield* TestClock.adjust("50 millis")
      first.interruptUnsafe()
      yield* TestClock.adjust("50 millis")
      assert.isDefined(second.pollUnsafe())
      assert.strictEqual(shared.asked.length, 1)
    })
  )

  const failing: ReadonlyArray<readonly [string, () => Effect.Effect<void, ReadFailed>]> = [
    ["fail", () => Effect.fail(new ReadFailed({ cause: "no connection" }))],
    ["do not answer", () => Effect.never],
    ["break", () => Effect.die("broken")]
  ]
  for (const [name, delay] of failing)
    it.effect(`are those of the process while the shared counters ${name}, and are asked for again later`, () =>
      Effect.gen(function* () {
        const shared = makeShared(delay)
        const limits = yield* processOf(shared)
        const flood = yield* Effect.forkChild(admittedOf(limits, "one", burst + 10))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(flood.pollUnsafe()?._tag, "Success")
        yield* TestClock.adjust("3 seconds")
        yield* limits.count("workspace_read", "one")
        assert.strictEqual(shared.asked.length, 1)
        yield* TestClock.adjust("2 seconds")
        yield* Effect.forkChild(limits.count("workspace_read", "one"))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(shared.asked.length, 2)
      })
    )

  it.effect("make no other workspace wait while the shared counters do not answer", () =>
    Effect.gen(function* () {
      const limits = yield* processOf(makeShared(() => Effect.never))
      yield* Effect.forkChild(limits.count("workspace_read", "one"))
      yield* TestClock.adjust("1 second")
      yield* limits.count("workspace_read", "another")
      yield* limits.count("workspace_write", "one")
    })
  )

  it.effect("make no request wait longer because others came before it", () =>
    Effect.gen(function* () {
      const limits = yield* processOf(makeShared(() => Effect.sleep("800 millis")))
      const flood = yield* Effect.forkChild(admittedOf(limits, "one", burst))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(flood.pollUnsafe(), Exit.succeed(burst))
    })
  )

  it.effect("leave the limits of a key to each process", () =>
    Effect.gen(function* () {
      const shared = makeShared()
      const limits = yield* processOf(shared)
      for (let n = 0; n < quotas.read.burst; n++) yield* limits.count("read", "key")
      yield* Effect.flip(limits.count("read", "key"))
      assert.deepStrictEqual(shared.asked, [])
    })
  )

  it.effect("forget the workspace that is idle for longest when there are too many", () =>
    Effect.gen(function* () {
      const shared = makeShared()
      const { count } = yield* processOf(shared)
      for (let n = 0; n < max_leases; n++) yield* count("workspace_read", `workspace ${n}`)
      yield* count("workspace_read", "workspace 0")
      yield* count("workspace_read", "one more")
      assert.strictEqual(shared.asked.length, max_leases + 1)
      yield* count("workspace_read", "workspace 0")
      assert.strictEqual(shared.asked.length, max_leases + 1)
      yield* count("workspace_read", "workspace 1")
      assert.strictEqual(shared.asked.length, max_leases + 2)
    })
  )
})
