// Full call cycles a second: originated, ringing, answered, callback asked, completed, charged, one webhook event stored.
import { Effect } from "effect"
import { cycle, cycleEngine, fund, type Tenant, tenants } from "./CycleEngine.ts"
import type { BenchRow } from "./journal.ts"

/** Keeps `at_once` cycles under way for the time given, and counts those that ended. */
const run = (all: ReadonlyArray<Tenant>, at_once: number, duration_ms: number) =>
  Effect.gen(function*() {
    const start = performance.now()
    let count = 0
    yield* Effect.forEach(Array.from({ length: at_once }), (_, lane) =>
      Effect.gen(function*() {
        while (performance.now() - start < duration_ms) {
          yield* cycle(all[(lane + count) % all.length]!)
          count++
        }
      }), { concurrency: "unbounded", discard: true })
    return count / ((performance.now() - start) / 1000)
  })

/** On the database given. One wallet is hot, or each of many is used in turn. */
export const cyclesBench = (options: { readonly at_once: ReadonlyArray<number>; readonly duration_ms: number }) =>
  Effect.gen(function*() {
    const all = tenants(500)
    return yield* Effect.gen(function*() {
      yield* fund(all)
      yield* run(all, 64, options.duration_ms / 2)
      const rows: Array<BenchRow> = []
      for (const at_once of options.at_once) {
        rows.push({ name: `call cycles, ${at_once} at once`, value: yield* run(all, at_once, options.duration_ms), unit: "/s" })
      }
      const many = yield* run(all, 256, options.duration_ms)
      const hot = yield* run(all.slice(0, 1), 256, options.duration_ms)
      rows.push({ name: "call cycles, 256 at once, one wallet", value: hot, unit: "/s" })
      rows.push({ name: "one hot wallet against many", value: hot / many, unit: "x" })
      return rows
    }).pipe(Effect.provide(cycleEngine({ tenants: all })))
  })
