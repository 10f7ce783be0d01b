// Runs all actors in one process: the default, also in tests. Nothing polls, so a virtual day takes milliseconds.
import { Clock, Effect, Layer, Metric } from "effect"
import { Journal } from "../../domain/ports/engine/Journal.ts"
import type { Alarm } from "../../domain/journal/Rows.ts"
import { ActorSystem, type Ask, type AskTied } from "./ActorSystem.ts"
import type { AnyDefinition } from "./Definition.ts"
import type { AnyCommand } from "../../domain/Command.ts"
import { type Cells, makeCells } from "./Cells.ts"
import type { Listener } from "./Listeners.ts"
import { askTied, tellAll } from "./OneTurn.ts"
import { withCaller } from "./Tracing.ts"
import { erase, type ErasedPerform } from "./Erased.ts"
import type { Timer } from "./TimerHeap.ts"
import { restartsOf } from "./WorkSet.ts"

/** Alarms up to this far ahead are in memory; later ones are only in the database. */
const horizon_ms = 60 * 60_000
const pageSize = 1_000

/** The alarms, up to the horizon, of actors that are not in memory. */
class AlarmClock {
  private readonly armed = new Map<string, Timer>()
  private readonly cells: Cells
  private until = Number.NEGATIVE_INFINITY

  constructor(cells: Cells) {
    this.cells = cells
  }

  set(type: string, id: string, due: number | null): void {
    const address = `${type}/${id}`
    const timer = this.armed.get(address)
    if (timer !== undefined) this.cells.timers.cancel(timer)
    this.armed.delete(address)
    if (due === null || due > this.until) return
    const ring = () => {
      this.armed.delete(address)
      this.cells.wake(type, id)
    }
    this.armed.set(address, this.cells.timers.set(due, ring))
  }

  /** Reads the alarms up to the horizon from the journal. */
  readonly read = (journal: (typeof Journal)["Service"]) =>
    Effect.gen({ self: this }, function* () {
      this.until = (yield* Clock.currentTimeMillis) + horizon_ms
      let after: Alarm | undefined
      do {
        const options = { before: this.until, limit: pageSize, ...(after && { after }) }
        const page: ReadonlyArray<Alarm> = yield* journal.alarms(options)
        for (const { actor_id, actor_type, due_at } of page) this.set(actor_type, actor_id, due_at)
        after = page.length === pageSize ? page.at(-1) : undefined
      } while (after !== undefined)
    })
}

export const layer = Layer.effect(
  ActorSystem,
  Effect.gen(function* () {
    const cells = yield* makeCells
    const journal = yield* Journal
    const alarms = new AlarmClock(cells)
    cells.placement = { ...cells.placement, passivated: (type, id, due) => alarms.set(type, id, due) }
    const readAlarms = alarms.read(journal).pipe(
      Effect.as(horizon_ms / 2),
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("Reading the alarms failed; retrying", cause), 1_000))
    )
    return ActorSystem.of({
      ask: ((to: AnyDefinition | AnyCommand, id: string, given: object) =>
        withCaller(cells.tracing, (caller) =>
          Effect.callback((resume) =>
            "tag" in to
              ? cells.route(cells.definitionOf(to.actor), id, { _tag: to.tag, ...given }, resume as never, caller)
              : cells.route(erase(to), id, given, resume as never, caller)
          )
        )) as Ask,
      askTied: ((first, second) =>
        withCaller(cells.tracing, (caller) => askTied(cells, first, second, caller))) as AskTied,
      subscribe: (definition, id) => Effect.suspend(() => cells.listenersOf(definition.type).subscribe(id)) as never,
      follow: (definition, id, listener) =>
        Effect.suspend(() => cells.listenersOf(definition.type).follow(id, listener as Listener<unknown>)),
      register: (definition: AnyDefinition, perform: unknown) =>
        Effect.andThen(
          Metric.value(restartsOf(definition.type)),
          Effect.sync(() => cells.register(erase(definition), perform as ErasedPerform))
        ),
      start: Effect.gen(function* () {
        const types = cells.wokenByFanOut
        yield* Effect.acquireRelease(
          Effect.sync(() =>
            journal.onFanOut((ids) => types.forEach((type) => ids.forEach((id) => cells.wake(type, id))))
          ),
          (stop) => Effect.sync(stop)
        )
        let again_ms = yield* readAlarms
        const keepReading = Effect.forever(
          Effect.suspend(() =>
            Effect.map(Effect.delay(readAlarms, again_ms), (next_ms) => {
              again_ms = next_ms
            })
          )
        )
        yield* Effect.forkScoped(keepReading)
      }),
      drain: cells.settled,
      tellAll: ({ actor, tag }, given, told) => tellAll(cells, actor, { _tag: tag, ...given }, told),
      recheckDeadlines: Effect.andThen(
        Effect.sync(() => cells.timers.resume()),
        Effect.asVoid(readAlarms)
      ),
      resident: Effect.sync(() => cells.resident),
      stopped: Effect.sync(() => cells.stopped)
    })
  })
)
