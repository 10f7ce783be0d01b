// Follows what happens to the wall clock: tells the calls under way, the log and the metrics.
import { Clock, Effect, Layer, Metric } from "effect"
import { type CallId, toCallId } from "../../domain/BrandedIds.ts"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import { type ClockLeap, leapSeconds } from "../../domain/ClockLeap.ts"
import type { Alarm } from "../../domain/journal/Rows.ts"
import { Journal } from "../../domain/ports/engine/Journal.ts"
import { ClockLeaps, type CommonTime } from "../../domain/ports/engine/ClockLeaps.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

const leaps = Metric.counter("trunkline_clock_leaps_total", {
  description: "How often the wall clock was set, or the machine stood still, while the engine ran, by kind.",
  incremental: true
})

const direction = ({ by_ms }: ClockLeap): string => (by_ms > 0 ? "forward" : "back")

/** Smaller differences are left: calls need not be told of them. */
const leap_ms = 1_000
/** How often a process of a cluster compares its time with that of the others. */
const compareEvery = "10 seconds"

/** Sets the engine's time to `common`, by which the other processes go too. Calls under way keep their own. */
const followCommonTime = Effect.fnUntraced(function* ({ ahead_ms }: CommonTime) {
  const system = yield* ActorSystem
  const { follow } = yield* ClockLeaps
  const ahead = yield* ahead_ms
  if (ahead === undefined || Math.abs(ahead) < leap_ms) return
  const leap: ClockLeap = { kind: "set", by_ms: -Math.round(ahead) }
  const calls = yield* system.tellAll(CallCommands.ClockSet, { by_ms: leap.by_ms }, () => follow(leap))
  yield* Effect.logWarning(
    `The engine's time was ${Math.abs(leapSeconds(leap))} s ${ahead > 0 ? "ahead of" : "behind"} the clock of the ` +
      `database, by which all processes of a cluster go. Calls under way keep their own time; ${calls} were told.`
  )
  yield* system.recheckDeadlines
})

const followLeap = Effect.fnUntraced(function* (leap: ClockLeap) {
  const system = yield* ActorSystem
  const { common, follow } = yield* ClockLeaps
  const { by_ms, kind } = leap
  yield* Metric.update(Metric.withAttributes(leaps, { kind }), 1)
  if (kind === "stood_still") {
    yield* Effect.logWarning(`The machine stood still for ${leapSeconds(leap)} s.`)
    return yield* system.recheckDeadlines
  }
  if (common !== undefined) {
    yield* Effect.logWarning(
      `The clock of this machine was set ${direction(leap)} by ${Math.abs(leapSeconds(leap))} s. ` +
        "This process goes by the clock of the database."
    )
    return yield* followCommonTime(common)
  }
  const calls = yield* system.tellAll(CallCommands.ClockSet, { by_ms }, () => follow(leap))
  yield* Effect.logWarning(
    `The clock was set ${direction(leap)} by ${Math.abs(leapSeconds(leap))} s. ` +
      `Calls under way keep their own time; ${calls} were told.`
  )
  yield* system.recheckDeadlines
})

/** Every call under way has a deadline that is nearer. */
const longestDeadline_ms = 366 * 86_400_000
const pageSize = 1_000
const toldAtOnce = 100

/** The stored calls under way. All are read before one is told, because that moves its deadline. */
const storedCalls = Effect.fnUntraced(function* (by_ms: number) {
  const journal = yield* Journal
  const before = (yield* Clock.currentTimeMillis) + Math.abs(by_ms) + longestDeadline_ms
  const ids = new Set<CallId>()
  let after: Alarm | undefined
  do {
    const page: ReadonlyArray<Alarm> = yield* journal.alarms({ before, limit: pageSize, ...(after && { after }) })
    for (const { actor_id, actor_type } of page)
      if (actor_type === CallCommands.ClockSet.actor) ids.add(toCallId(actor_id))
    after = page.length === pageSize ? page.at(-1) : undefined
  } while (after !== undefined)
  return ids
})

/** Tells the stored calls, and returns how many there are. */
const tellStored = Effect.fnUntraced(function* (by_ms: number) {
  const system = yield* ActorSystem
  const calls = yield* storedCalls(by_ms)
  const tell = (call_id: CallId) =>
    Effect.catchCause(system.ask(CallCommands.ClockSet, call_id, { by_ms }), (cause) =>
      Effect.annotateLogs(Effect.logWarning("A call was not told that the clock was set", cause), { call_id })
    )
  yield* Effect.forEach(calls, tell, { concurrency: toldAtOnce, discard: true })
  return calls.size
})

/**
 * Follows a clock that was set while no engine ran, before anything else begins: until the stored calls were told, the
 * engine's time goes on as if the clock had not been set.
 */
export const followWhileDown = Effect.gen(function* () {
  const { common, follow, keep, whileDown } = yield* ClockLeaps
  if (common !== undefined) return yield* followCommonTime(common)
  if (whileDown === undefined) return
  yield* Metric.update(Metric.withAttributes(leaps, { kind: whileDown.kind }), 1)
  const calls = yield* tellStored(whileDown.by_ms)
  follow(whileDown)
  yield* keep
  yield* Effect.logWarning(
    `The clock was set ${direction(whileDown)} by ${Math.abs(leapSeconds(whileDown))} s while no engine ran. ` +
      `Calls under way keep their own time; ${calls} were told.`
  )
})

/** A counter that exists from the start: Prometheus sees no increase in one that begins with 1. */
const countFromZero = Effect.forEach(["set", "stood_still"], (kind) =>
  Metric.value(Metric.withAttributes(leaps, { kind }))
)

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { common, next } = yield* ClockLeaps
    yield* countFromZero
    if (common !== undefined)
      yield* followCommonTime(common).pipe(Effect.delay(compareEvery), Effect.forever, Effect.forkScoped)
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(next, followLeap)))
  })
)
