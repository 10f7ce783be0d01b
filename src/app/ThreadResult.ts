// Makes something in a thread of its own when it is first asked for, so that no request waits for it in the event loop.
import { Worker } from "node:worker_threads"
import { Effect, Fiber, type Scope } from "effect"
import { ServiceUnavailable } from "../domain/errors/GeneralErrors.ts"

/** How long a thread may take. On a busy machine it needs some seconds. */
const patience = "30 seconds"

/** Runs a thread to its end. It posts what it made. `what` names that for whoever waits. */
export const madeInThread = <Made>(entry: URL, what: string): Effect.Effect<Made, ServiceUnavailable> => {
  const notMade = new ServiceUnavailable({ message: `${what} could not be made.` })
  return Effect.callback<Made, ServiceUnavailable>((resume) => {
    const worker = new Worker(entry)
    worker.once("message", (made: Made) => resume(Effect.succeed(made)))
    worker.once("error", () => resume(Effect.fail(notMade)))
    worker.once("exit", () => resume(Effect.fail(notMade)))
    return Effect.promise(() => worker.terminate())
  }).pipe(Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(notMade) }))
}

/** The entry of a thread beside a module: TypeScript in the sources, JavaScript in the package. */
export const threadBeside = (module: string, name: string): URL =>
  new URL(`./${name}${module.endsWith(".ts") ? ".ts" : ".js"}`, module)

/**
 * All who ask while it is made wait for the same work, which goes on if they leave. It is kept. After a failure, the
 * next one who asks tries again.
 */
export const madeOnce = <Made, E>(
  make: Effect.Effect<Made, E>
): Effect.Effect<Effect.Effect<Made, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let making: Fiber.Fiber<Made, E> | undefined
    return Effect.gen(function* () {
      making ??= yield* Effect.forkIn(make, scope, { startImmediately: true })
      return yield* Fiber.join(making)
    }).pipe(
      Effect.tapError(() =>
        Effect.sync(() => {
          making = undefined
        })
      )
    )
  })
