// Originates over HTTP against the program, and the time from its start to its first served request.
import { Effect, type Redacted } from "effect"
import type { Load, LoadOrder } from "./LoadClient.ts"
import { load, loadClient } from "./Loading.ts"
import { cpuSeconds } from "./Processes.ts"
import { enrich, folder, program } from "./Program.ts"
import { type BenchRow, median } from "./Row.ts"

/** `cpu_us`: microseconds of processor time of the engine for each request, with all that it causes meanwhile. */
type MeasuredLoad = Load & { readonly cpu_us: number }

export const httpBench = (options: {
  readonly url: Redacted.Redacted
  readonly duration_ms: number
  readonly rounds: number
  /** How long to wait after each measurement until its calls have ended. */
  readonly pause_ms: number
}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const data_dir = yield* folder
      const port = 18_080
      yield* Effect.scoped(program(options.url, data_dir, port))
      yield* enrich(options.url)
      const starts: Array<number> = []
      for (let round = 0; round < options.rounds; round++) {
        starts.push((yield* Effect.scoped(program(options.url, data_dir, port))).start_ms)
      }
      const { demo, pid } = yield* program(options.url, data_dir, port)
      const order = {
        port,
        path: "/v1/calls/originate",
        token: demo.api_key,
        duration_ms: options.duration_ms,
        // A phone that rings briefly without an answer: the originate is measured, including the cost of ending the
        // call.
        body: JSON.stringify({
          to: "+99900000003",
          from: demo.number.number,
          voice_callback_url: "https://app.example/voice",
          timeout_seconds: 5
        })
      }
      const child = yield* loadClient
      yield* load(child, { ...order, connections: 64, duration_ms: options.duration_ms / 2 })
      const measured = Effect.fnUntraced(function* (more: Partial<LoadOrder>) {
        const before = cpuSeconds([pid])
        const answer = yield* load(child, { ...order, connections: 64, ...more })
        const requests = Object.values(answer.statuses).reduce((sum, count) => sum + count, 0)
        return { ...answer, cpu_us: ((cpuSeconds([pid]) - before) * 1_000_000) / requests }
      })
      const full: Array<MeasuredLoad> = []
      const paced: Array<MeasuredLoad> = []
      for (let round = 0; round < options.rounds; round++) {
        full.push(yield* measured({}))
        // Wait until the calls have ended, so that each round starts with the same engine.
        yield* Effect.sleep(options.pause_ms)
        paced.push(yield* measured({ per_second: 500 }))
        yield* Effect.sleep(options.pause_ms)
      }
      const of = (loads: ReadonlyArray<MeasuredLoad>, key: "per_second" | "p50_ms" | "p99_ms" | "cpu_us") =>
        median(loads.map((one) => one[key]))
      const rows: ReadonlyArray<BenchRow> = [
        {
          name: "originates over HTTP, 64 connections",
          value: of(full, "per_second"),
          unit: "/s",
          goal: { least: 5_000 }
        },
        { name: "… p50", value: of(full, "p50_ms"), unit: "ms" },
        { name: "… p99", value: of(full, "p99_ms"), unit: "ms" },
        { name: "… processor time of the engine for each", value: of(full, "cpu_us"), unit: "µs" },
        { name: "originates over HTTP at 500 a second, p50", value: of(paced, "p50_ms"), unit: "ms" },
        { name: "… p99", value: of(paced, "p99_ms"), unit: "ms", goal: { most: 25 } },
        { name: "… at 500 a second, processor time of the engine for each", value: of(paced, "cpu_us"), unit: "µs" },
        {
          name: "start to first served request, existing database",
          value: median(starts),
          unit: "ms",
          goal: { most: 3_000 }
        }
      ]
      return rows
    })
  )
