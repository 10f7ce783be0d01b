// Follows what happens to the wall clock: tells the calls under way, the log and the metrics.
import { Effect, Layer, Metric } from "effect"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import { type ClockLeap, leapSeconds } from "../../domain/ClockLeap.ts"
import { ClockLeaps } from "../../domain/ports/engine/ClockLeaps.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

const leaps = Metric.counter("trunkline_clock_leaps_total", {
  description: "How often the wall clock was set, or the machine stood still, while the engine ran, by kind.",
  incremental: true
})

const followLeap = Effect.fnUntraced(function* (leap: ClockLeap) {
  const system = yield* ActorSystem
  const { follow } = yield* ClockLeaps
  const { by_ms, kind } = leap
  yield* Metric.update(Metric.withAttributes(leaps, { kind }), 1)
  if (kind === "stood_still") {
    yield* Effect.logWarning(`The machine stood still for ${leapSeconds(leap)} s.`)
    return yield* system.recheckDeadlines
  }
  const calls = yield* system.tellAll(CallCommands.ClockSet, { by_ms }, () => follow(leap))
  yield* Effect.logWarning(
    `The clock was set ${by_ms > 0 ? "forward" : "back"} by ${Math.abs(leapSeconds(leap))} s. ` +
      `Calls under way keep their own time; ${calls} were told.`
  )
  yield* system.recheckDeadlines
})

/** A counter that exists from the start: Prometheus sees no increase in one that begins with 1. */
const countFromZero = Effect.forEach(["set", "stood_still"], (kind) =>
  Metric.update(Metric.withAttributes(leaps, { kind }), 0)
)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { next } = yield* ClockLeaps
    yield* countFromZero
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(next, followLeap)))
  })
)
