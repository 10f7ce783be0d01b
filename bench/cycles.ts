// Full call cycles a second: originated, ringing, answered, callback, completed, charged, one webhook event stored.
import { Effect } from "effect"
import { cycle, cycleEngine, fund, type Tenant, tenants } from "./CycleEngine.ts"
import { type BenchRow, median } from "./Row.ts"

/** Keeps `at_once` cycles running for the given time, and counts those that ended. */
const run = (all: ReadonlyArray<Tenant>, at_once: number, duration_ms: number) =>
  Effect.gen(function* () {
    const start = performance.now()
    const before = process.cpuUsage()
    let count = 0
    const lane = Effect.gen(function* () {
      while (performance.now() - start < duration_ms) yield* cycle(all[count++ % all.length]!)
    })
    yield* Effect.forEach(Array.from({ length: at_once }), () => lane, { concurrency: "unbounded", discard: true })
    const { system, user } = process.cpuUsage(before)
    return { per_second: count / ((performance.now() - start) / 1000), cpu_us: (system + user) / count }
  })

export interface CyclesBenchOptions {
  readonly at_once: ReadonlyArray<number>
  readonly duration_ms: number
  readonly rounds: number
}

/** Uses many wallets in turn, or one wallet for all calls. */
export const cyclesBench = ({ at_once, duration_ms, rounds }: CyclesBenchOptions) =>
  Effect.gen(function* () {
    const all = tenants(500)
    return yield* Effect.gen(function* () {
      yield* fund(all)
      yield* run(all, 64, duration_ms)
      const rates = new Map<string, Array<number>>()
      const costs: Array<number> = []
      const measure = Effect.fnUntraced(function* (name: string, of: ReadonlyArray<Tenant>, count: number) {
        const { cpu_us, per_second } = yield* run(of, count, duration_ms)
        rates.set(name, [...(rates.get(name) ?? []), per_second])
        if (count === 256) costs.push(cpu_us)
        return per_second
      })
      const ratios: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        for (const count of at_once) yield* measure(`call cycles, ${count} at once`, all, count)
        const many = yield* measure("call cycles, 256 at once, many wallets", all, 256)
        ratios.push((yield* measure("call cycles, 256 at once, one wallet", all.slice(0, 1), 256)) / many)
      }
      const rows = [...rates].map(([name, values]): BenchRow => ({
        name,
        value: median(values),
        unit: "/s",
        ...(name.endsWith(" 256 at once") && { goal: { least: 2_500 } })
      }))
      return [
        ...rows,
        { name: "… 256 at once, processor time of the engine for each", value: median(costs), unit: "µs" },
        { name: "one hot wallet, relative to many", value: median(ratios), unit: "x", goal: { least: 0.8 } }
      ]
    }).pipe(Effect.provide(cycleEngine({ tenants: all })))
  })
