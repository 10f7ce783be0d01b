// Gauges of the process, measured when the metrics are read.
import { Effect, Metric } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { ActorSystem } from "../../actors/runtime/ActorSystem.ts"
import { UnreadableRows } from "../state/UnreadableRows.ts"

const actors = Metric.gauge("trunkline_actors_resident", { description: "Actors in memory." })
const stopped = Metric.gauge("trunkline_actors_stopped", {
  description:
    "Actors whose stored state is unreadable: they are stopped, or lists leave them out (docs/operations.md)."
})
const memory = Metric.gauge("process_resident_memory_bytes", {
  description: "Resident memory of the process, in bytes."
})
const heap = Metric.gauge("nodejs_heap_used_bytes", { description: "JavaScript heap in use, in bytes." })
const lag = Metric.gauge("nodejs_eventloop_delay_p99_seconds", {
  description: "How late the event loop was since it was last measured, 99th percentile."
})

const nanoseconds_in_second = 1e9

/** Updates the gauges. Measures event-loop delay until the scope closes. */
export const makeEngineGauges = Effect.gen(function* () {
  const system = yield* ActorSystem
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution: 10 })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  return Effect.gen(function* () {
    yield* Metric.update(actors, yield* system.resident)
    const left_out = (yield* UnreadableRows.Current).actors
    yield* Metric.update(stopped, new Set([...(yield* system.stopped), ...left_out]).size)
    const { heapUsed, rss } = process.memoryUsage()
    yield* Metric.update(memory, rss)
    yield* Metric.update(heap, heapUsed)
    yield* Metric.update(lag, delay.percentile(99) / nanoseconds_in_second)
    delay.reset()
  })
})
