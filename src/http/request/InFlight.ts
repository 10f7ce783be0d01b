import { Effect, Result } from "effect"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { IdempotencyConflict, IdempotencyInProgress } from "../../domain/errors/GeneralErrors.ts"

/**
 * The requests with an Idempotency-Key that this process is serving. A second one with the same key is refused at once.
 * Across processes the journal's unique key refuses it at the commit.
 */
export const makeInFlight = () => {
  const fingerprints = new Map<string, string>()
  const enter = ({ workspace_id, method, route, key, fingerprint }: IdempotentRequest) => {
    const id = `${workspace_id} ${method} ${route} ${key}`
    const first = fingerprints.get(id)
    if (first !== undefined) {
      return Result.fail(first === fingerprint ? new IdempotencyInProgress() : new IdempotencyConflict())
    }
    fingerprints.set(id, fingerprint)
    return Result.succeed(id)
  }
  /** Runs the effect to its end, even if the client disconnects. The key is in use until then. */
  const alone = <A, E, R>(request: IdempotentRequest, effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptible(
      Effect.gen(function* () {
        const id = yield* Effect.fromResult(enter(request))
        return yield* Effect.ensuring(
          effect,
          Effect.sync(() => fingerprints.delete(id))
        )
      })
    )
  return { alone }
}
