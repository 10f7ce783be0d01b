// Follows what happens to the wall clock: tells the calls under way, the log and the metrics.
import { Effect, Layer, Metric } from "effect"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import type { ClockLeap } from "../../domain/ClockLeap.ts"
import { ClockLeaps } from "../../domain/ports/engine/ClockLeaps.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

const leaps = Metric.counter("trunkline_clock_leaps_total", {
  description: "How often the wall clock was set, or the machine stood still, while the engine ran, by kind.",
  incremental: true
})

const seconds = (ms: number): number => Math.round(ms / 100) / 10

const followLeap = Effect.fnUntraced(function* (leap: ClockLeap) {
  const system = yield* ActorSystem
  const { follow } = yield* ClockLeaps
  const { by_ms, kind } = leap
  yield* Metric.update(Metric.withAttributes(leaps, { kind }), 1)
  if (kind === "stood_still") {
    yield* Effect.logWarning(`The machine stood still for ${seconds(by_ms)} s.`)
    return yield* system.recheckDeadlines
  }
  const calls = yield* system.tellAll(CallCommands.ClockSet, { by_ms }, () => follow(leap))
  yield* Effect.logWarning(
    `The clock was set ${by_ms > 0 ? "forward" : "back"} by ${seconds(Math.abs(by_ms))} s. ` +
      `Calls under way keep their own time; ${calls} were told.`
  )
  yield* system.recheckDeadlines
})

export const layer = Layer.effectDiscard(
  Effect.flatMap(ClockLeaps, ({ next }) => Effect.forkScoped(Effect.forever(Effect.flatMap(next, followLeap))))
)
