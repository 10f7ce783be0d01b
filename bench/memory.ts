// Memory of a live call: answered, speaking a long sentence, with its timers.
import { Effect } from "effect"
import { Legs } from "../src/actors/calls/Legs.ts"
import type { VoiceAction } from "../src/domain/calls/verbs/VoiceAction.ts"
import { cycleEngine, fund, legOf, tenants } from "./CycleEngine.ts"
import { used } from "./Heap.ts"
import type { BenchRow } from "./Row.ts"

const speak: ReadonlyArray<VoiceAction> = [{ say: { text: "A long sentence. ".repeat(100) } }]

export const memoryBench = (options: {
  readonly calls: number
  /** How long to wait before memory is read. */
  readonly settle_ms: number
}) =>
  Effect.gen(function* () {
    const all = tenants(100)
    return yield* Effect.gen(function* () {
      yield* fund(all)
      const legs = yield* Legs
      const place = (index: number) => legs.place(legOf(all[index % all.length]!))
      yield* Effect.forEach(
        Array.from({ length: 200 }, (_, index) => index),
        place,
        { concurrency: 64, discard: true }
      )
      yield* Effect.sleep(options.settle_ms)
      const before = yield* used
      yield* Effect.forEach(
        Array.from({ length: options.calls }, (_, index) => index),
        place,
        { concurrency: 256, discard: true }
      )
      yield* Effect.sleep(options.settle_ms)
      const bytes = ((yield* used) - before) / options.calls
      const rows: ReadonlyArray<BenchRow> = [
        {
          name: `memory of a live call, ${options.calls} of them`,
          value: bytes / 1024,
          unit: "KiB",
          goal: { most: 20 }
        }
      ]
      return rows
    }).pipe(Effect.provide(cycleEngine({ tenants: all, actions: speak })))
  })
