// The gauges of what waits in this process, and of what it refuses. They move by themselves.
import { Effect, Metric } from "effect"
import { countFailures } from "./AnswerFailure.ts"
import type { Backlog } from "../../domain/journal/Shedding.ts"
import { type Cause, causes, type Level, type PoolQueue, rankOf } from "../../domain/overload/Pressure.ts"

const shedding = Metric.gauge("trunkline_shedding", {
  description:
    "What is refused for lack of capacity: 0 nothing, 1 lists and statistics, 2 sandboxes too, 3 some new calls too."
})
const pressure = Metric.gauge("trunkline_pressure_ratio", {
  description: "What waits as a share of the limit from which requests are refused, by cause."
})
const entries = Metric.gauge("trunkline_journal_waiting_entries", {
  description: "Entries that wait for the journal's next transaction."
})
const characters = Metric.gauge("trunkline_journal_waiting_characters", {
  description: "How many characters these entries have."
})
const journalWait = Metric.gauge("trunkline_journal_wait_seconds", {
  description: "How long entries of the latest transaction had waited until it was sent. 0 if none waits now."
})
const waiting = Metric.gauge("trunkline_database_waiting", {
  description: "Who waits for a database connection, by pool."
})
const inFlight = Metric.gauge("trunkline_http_requests_in_flight", {
  description: "Requests in work, beside those that end work."
})
const admitted = Metric.gauge("trunkline_calls_admitted_per_second", {
  description: "How many new calls a second the engine takes while it refuses some. 0: it takes all."
})

export interface Shown {
  readonly shedding: Level
  readonly because: Cause | undefined
  readonly found: Readonly<Record<Cause, number>>
  readonly pools: ReadonlyMap<string, PoolQueue>
  readonly backlog: Backlog
  readonly journal_wait_ms: number
  readonly in_flight: number
  readonly refusals: number
  readonly admitted_per_second: number | undefined
}

/** Giving a metric its labels costs more than setting it, so each has its own. */
const each = (gauge: typeof pressure, label: string) => {
  const known = new Map<string, typeof pressure>()
  return (value: string) => {
    const found = known.get(value) ?? Metric.withAttributes(gauge, { [label]: value })
    known.set(value, found)
    return found
  }
}

const changed = (before: Level, { because, shedding: now }: Shown): Effect.Effect<void> => {
  if (before === now) return Effect.void
  const rises = rankOf(now) > rankOf(before)
  return Effect.annotateLogs(
    rises ? Effect.logWarning("The engine is behind, and refuses requests") : Effect.logInfo("The engine refuses less"),
    { shedding: now, ...(because !== undefined && { because }) }
  )
}

/** Sets all gauges. Logs what is refused when it changes. */
export const makeOverloadGauges = () => {
  const ofCause = each(pressure, "cause")
  const ofPool = each(waiting, "pool")
  let before: Level = "nothing"
  return (shown: Shown): Effect.Effect<void> =>
    Effect.gen(function* () {
      yield* changed(before, shown)
      before = shown.shedding
      yield* Metric.update(shedding, rankOf(shown.shedding))
      for (const cause of causes) yield* Metric.update(ofCause(cause), shown.found[cause])
      for (const [pool, queue] of shown.pools) yield* Metric.update(ofPool(pool), queue.waiting)
      yield* Metric.update(entries, shown.backlog.entries)
      yield* Metric.update(characters, shown.backlog.characters)
      yield* Metric.update(journalWait, shown.journal_wait_ms / 1_000)
      yield* Metric.update(inFlight, shown.in_flight)
      if (shown.refusals > 0) yield* countFailures("service_unavailable", shown.refusals)
      yield* Metric.update(admitted, shown.admitted_per_second ?? 0)
    })
}
