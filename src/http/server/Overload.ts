import { Clock, Context, Effect, Layer, Metric } from "effect"
import { type Shed, shedAt } from "../../domain/journal/Shedding.ts"
import { JournalBacklog } from "../../domain/ports/JournalBacklog.ts"

/** How long a look at the backlog counts, in milliseconds. */
const look_ms = 20

const waiting = Metric.gauge("trunkline_journal_waiting_entries", {
  description: "Entries that wait for the journal's next transaction."
})
const shedding = Metric.gauge("trunkline_shedding", {
  description: "What is refused for lack of capacity: 0 nothing, 1 lists and statistics, 2 new calls too."
})
const level = { nothing: 0, reads: 1, calls: 2 } satisfies Record<Shed, number>

/** Says which requests the engine refuses at the moment for lack of capacity. */
export class Overload extends Context.Service<Overload, { readonly shed: Effect.Effect<Shed> }>()(
  "trunkline/http/Overload"
) {
  static readonly none = Layer.succeed(Overload)({ shed: Effect.succeed("nothing") })

  static readonly layer = Layer.effect(
    Overload,
    Effect.map(JournalBacklog, ({ read }) => {
      let last: { readonly at: number; readonly shed: Shed } = { at: Number.NEGATIVE_INFINITY, shed: "nothing" }
      const look = Effect.fnUntraced(function* (now: number) {
        const backlog = read()
        last = { at: now, shed: shedAt(backlog) }
        yield* Metric.update(waiting, backlog.entries)
        yield* Metric.update(shedding, level[last.shed])
        return last.shed
      })
      return Overload.of({
        shed: Effect.flatMap(Clock.currentTimeMillis, (now) =>
          now - last.at >= 0 && now - last.at < look_ms ? Effect.succeed(last.shed) : look(now)
        )
      })
    })
  )
}
