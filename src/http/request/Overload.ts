// Looks at how far the engine is behind, and says which requests it refuses.
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { limitsOf, pressures } from "../../domain/overload/Pressure.ts"
import { type OverloadOptions, Refusing, type Refusals } from "../../domain/journal/Refusing.ts"
import { JournalBacklog } from "../../domain/ports/engine/JournalBacklog.ts"
import { LoadSignals } from "../../domain/ports/engine/LoadSignals.ts"
import { makeOverloadGauges } from "./OverloadGauges.ts"

/** How often the signals are looked at, in milliseconds. */
export const look_ms = 50

/** Over how long the requests that come are averaged, because they come in bursts. */
const memory_ms = 250

const never = () => false
const nothing = () => {}

/** Says which requests the engine refuses at the moment for lack of capacity, and to whom. */
export class Overload extends Context.Service<Overload, Refusals>()("trunkline/http/Overload") {
  static readonly none = Layer.succeed(Overload)({
    report: () => ({ shedding: "nothing" }),
    refusesAll: never,
    refusesSandboxes: never,
    refuses: never,
    admitted: nothing,
    finished: nothing,
    isRefusing: never,
    isFull: never,
    began: nothing,
    ended: nothing,
    refused: nothing
  })

  /** Looks from now on, until the scope closes. The gauges move with each look. */
  static readonly layer = (options: OverloadOptions) =>
    Layer.effect(
      Overload,
      Effect.gen(function* () {
        const journal = yield* JournalBacklog
        const signals = yield* LoadSignals
        const show = makeOverloadGauges()
        const clock = yield* Clock.Clock
        const refusing = new Refusing(options, () => clock.currentTimeMillisUnsafe())
        const limits = limitsOf(options.event_loop_ms, options.max_requests)
        let last = yield* Clock.currentTimeMillis
        let per_second = 0
        const lookNow = Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const { came, in_flight, refusals } = refusing.takeCounts()
          const pools = signals.pools()
          const backlogs = journal.read()
          const journal_wait_ms = journal.wait()
          const elapsed_ms = Math.max(1, now - last)
          per_second += ((came * 1_000) / elapsed_ms - per_second) * Math.min(1, elapsed_ms / memory_ms)
          const { busy: event_loop_busy, late_ms: event_loop_ms } = signals.eventLoop()
          const pool_wait_ms = Math.max(0, ...[...pools.values()].map((pool) => pool.wait_ms))
          const measured = {
            event_loop_ms,
            event_loop_busy,
            journal_wait_ms,
            pool_wait_ms,
            requests: in_flight,
            requests_per_second: per_second
          }
          last = now
          const found = pressures(measured, limits)
          const wait_ms = Math.max(event_loop_ms, journal_wait_ms, pool_wait_ms)
          refusing.learn(backlogs, found, { now, wait_ms })
          const { because, shedding } = refusing.report()
          const admitted_per_second = refusing.rates.calls.perSecond
          return show({
            shedding,
            because,
            found,
            pools,
            backlog: backlogs.all,
            journal_wait_ms,
            in_flight,
            refusals,
            admitted_per_second
          })
        })
        yield* Effect.forkScoped(Effect.repeat(lookNow, Schedule.spaced(look_ms)))
        return refusing
      })
    )
}
