import { Context, Effect, Exit, Fiber } from "effect"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"

/** How long a request of the customer API may take as a whole. */
export class RequestTimeout extends Context.Service<RequestTimeout, { readonly timeout_ms: number }>()(
  "trunkline/http/RequestTimeout"
) {}

const tooLong = (method: string): ServiceUnavailable =>
  new ServiceUnavailable(
    method === "GET"
      ? { message: "The request took too long." }
      : {
          message: "The request took too long. It is not known whether it is carried out.",
          resolution: "Wait as long as Retry-After says, then repeat it with the same Idempotency-Key."
        }
  )

/**
 * Answers 503 when the request has taken too long. What it does is interrupted, which nobody waits for: a database that
 * does not answer would hold that up too. A write that is past its commit, or has an Idempotency-Key, runs to its end.
 */
export const withDeadline = <A, E, R>(
  httpEffect: Effect.Effect<A, E, R>,
  method: string,
  timeout_ms: number
): Effect.Effect<A, E | ServiceUnavailable, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(httpEffect, { startImmediately: true })
    const ended = fiber.pollUnsafe()
    if (ended !== undefined) return yield* ended
    const exit = yield* Fiber.await(fiber).pipe(
      Effect.timeoutOrElse({
        duration: timeout_ms,
        orElse: () => Effect.sync(() => Exit.fail(tooLong(method)))
      }),
      Effect.onExit((outcome) =>
        Effect.sync(() => {
          if (fiber.pollUnsafe() === undefined) fiber.interruptUnsafe()
          return outcome
        })
      )
    )
    return yield* exit
  })
