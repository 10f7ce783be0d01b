// All actors in one process. The default, and what tests use: nothing polls, so virtual days pass in milliseconds.
import { Clock, Effect, Layer, type Exit } from "effect"
import { type Alarm, Journal } from "../../domain/ports/Journal.ts"
import { ActorSystem } from "./ActorSystem.ts"
import { makeCells, settle } from "./Cells.ts"
import type { Erased, ErasedPerform } from "./Host.ts"

/** Alarms beyond the horizon stay in the database until it moves. */
const horizon_ms = 60 * 60_000
const pageSize = 1_000

export const layer = Layer.effect(
  ActorSystem,
  Effect.gen(function*() {
    const cells = yield* makeCells
    const journal = yield* Journal
    const clock = yield* Clock.Clock
    /** The alarm of each passivated actor that is due before the horizon. */
    const armed = new Map<string, () => void>()

    const arm = (type: string, id: string, due: number) => {
      const address = `${type}/${id}`
      armed.get(address)?.()
      const timer = cells.setTimer(due, () => {
        armed.delete(address)
        cells.wake(type, id)
      })
      armed.set(address, () => cells.cancelTimer(timer))
    }

    const armDue = Effect.gen(function*() {
      const before = clock.currentTimeMillisUnsafe() + horizon_ms
      let after: Alarm | undefined
      do {
        const page: ReadonlyArray<Alarm> = yield* journal.alarms({ before, limit: pageSize, ...(after && { after }) })
        for (const { actor_id, actor_type, due_at } of page) arm(actor_type, actor_id, due_at)
        after = page.length === pageSize ? page.at(-1) : undefined
      } while (after !== undefined)
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("Alarms could not be read; they are read again", cause)))

    cells.onPassivated = ({ definition, due, id }) => arm(definition.type, id, due)

    return ActorSystem.of({
      ask: (definition, id, command) =>
        Effect.callback((resume) =>
          cells.route(definition as unknown as Erased, id, command, (reply) => resume(reply as Exit.Exit<never, never>))
        ),
      subscribe: (definition, id) => cells.subscribe(definition.type, id) as never,
      register: (definition, perform) =>
        Effect.sync(() => cells.register(definition as unknown as Erased, perform as unknown as ErasedPerform)),
      start: Effect.gen(function*() {
        yield* Effect.acquireRelease(
          Effect.sync(() => journal.onFanOut((ids) => ids.forEach((id) => cells.wake("Subscription", id)))),
          (stop) => Effect.sync(stop)
        )
        yield* armDue
        yield* armDue.pipe(Effect.delay(horizon_ms / 2), Effect.forever, Effect.forkScoped)
      }),
      drain: settle(cells),
      resident: Effect.sync(() => cells.resident)
    })
  })
)
