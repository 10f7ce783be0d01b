// What shows that this process has too much to do: a late event loop, and who waits for its database connections.
import { Clock, Effect, Layer, Schedule } from "effect"
import { performance } from "node:perf_hooks"
import type { FairShares } from "../../domain/access/FairShares.ts"
import type { LoopLoad, PoolQueue } from "../../domain/overload/Pressure.ts"
import { LoadSignals } from "../../domain/ports/engine/LoadSignals.ts"
import { PoolQueues } from "../postgres/database/PoolQueues.ts"

/** How often the event loop is looked at, in milliseconds. */
const tick_ms = 10

/** Over how long the share of busy time is averaged, in milliseconds. */
const memory_ms = 250

/** The turn in which it is asked counts too. */
const makeLoopLoad = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const now_ms = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  let latest_ms = 0
  let ticked_at = now_ms()
  const late = (): number => Math.max(latest_ms, now_ms() - ticked_at - tick_ms)
  const tick = Effect.sync(() => {
    latest_ms = late()
    ticked_at = now_ms()
  })
  yield* Effect.forkScoped(Effect.repeat(tick, Schedule.spaced(tick_ms)))
  let [asked_at, before, busy] = [now_ms(), performance.eventLoopUtilization(), 0]
  return (): LoopLoad => {
    const late_ms = late()
    latest_ms = 0
    const now = now_ms()
    const used = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(used, before)
    busy += (utilization - busy) * Math.min(1, (now - asked_at) / memory_ms)
    asked_at = now
    before = used
    return { late_ms, busy }
  }
})

const queueOf = (shares: FairShares): PoolQueue => ({ waiting: shares.inQueue(), wait_ms: shares.takeLongestWait() })

export const layer = Layer.effect(
  LoadSignals,
  Effect.gen(function* () {
    const { requests, system, urgent } = yield* PoolQueues
    const eventLoop = yield* makeLoopLoad
    return LoadSignals.of({
      eventLoop,
      pools: () =>
        new Map([
          ["system", queueOf(system)],
          ["requests", queueOf(requests)],
          ["urgent", queueOf(urgent)]
        ])
    })
  })
)
