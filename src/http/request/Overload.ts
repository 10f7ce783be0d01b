import { Clock, Context, Effect, Layer, Metric } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { type Backlogs, type Shed, shedAt, shedFor, shedForEverybody } from "../../domain/journal/Shedding.ts"
import { JournalBacklog } from "../../domain/ports/engine/JournalBacklog.ts"

/** How long a look at the backlog counts, in milliseconds. */
const look_ms = 20

const waiting = Metric.gauge("trunkline_journal_waiting_entries", {
  description: "Entries that wait for the journal's next transaction."
})
const shedding = Metric.gauge("trunkline_shedding", {
  description:
    "What workspaces that cause the backlog are refused for lack of capacity: 0 nothing, 1 lists and statistics, 2 new calls too."
})
const level = { nothing: 0, reads: 1, calls: 2 } satisfies Record<Shed, number>

interface Look {
  readonly at: number
  readonly backlogs: Backlogs
}

interface Refused {
  /** What workspaces that cause the backlog are refused. */
  readonly most: Effect.Effect<Shed>
  /** What everybody is refused. */
  readonly everybody: Effect.Effect<Shed>
  readonly of: (workspace_id: WorkspaceId) => Effect.Effect<Shed>
}

const nothing = Effect.succeed<Shed>("nothing")

/** Says which requests the engine refuses at the moment for lack of capacity, and to whom. */
export class Overload extends Context.Service<Overload, Refused>()("trunkline/http/Overload") {
  static readonly none = Layer.succeed(Overload)({ most: nothing, everybody: nothing, of: () => nothing })

  static readonly layer = Layer.effect(
    Overload,
    Effect.map(JournalBacklog, ({ read }) => {
      let last: Look = { at: Number.NEGATIVE_INFINITY, backlogs: { all: { entries: 0, characters: 0 }, of: new Map() } }
      const look = Effect.fnUntraced(function* (now: number) {
        const backlogs = read()
        last = { at: now, backlogs }
        yield* Metric.update(waiting, backlogs.all.entries)
        yield* Metric.update(shedding, level[shedAt(backlogs.all)])
        return backlogs
      })
      const backlogs = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        now - last.at >= 0 && now - last.at < look_ms ? Effect.succeed(last.backlogs) : look(now)
      )
      return Overload.of({
        most: Effect.map(backlogs, ({ all }) => shedAt(all)),
        everybody: Effect.map(backlogs, ({ all }) => shedForEverybody(all)),
        of: (workspace_id) => Effect.map(backlogs, (now) => shedFor(now, workspace_id))
      })
    })
  )
}
