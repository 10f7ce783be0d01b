import { Clock, Context, Effect, type Scope } from "effect"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"

/** How long a request of the customer API may take as a whole. */
export class RequestTimeout extends Context.Service<RequestTimeout, { readonly timeout_ms: number }>()(
  "trunkline/http/RequestTimeout"
) {}

/** The request took too long. It is answered with the operation's own failure, if it has one. */
export class RequestTookTooLong extends ServiceUnavailable {}

const tooLong = (method: string): RequestTookTooLong =>
  new RequestTookTooLong(
    method === "GET"
      ? { message: "The request took too long." }
      : {
          message: "The request took too long. It is not known whether it is carried out.",
          resolution: "Wait as long as Retry-After says, then repeat it with the same Idempotency-Key."
        }
  )

interface Running {
  /** Epoch milliseconds. */
  readonly until: number
  readonly expire: () => void
}

export interface WithDeadline {
  /**
   * Answers 503 when the request has taken too long. What it does is interrupted, which nobody waits for: a database
   * that does not answer would hold that up too. A write that is past its commit, or has an Idempotency-Key, runs to
   * its end.
   */
  <A, E, R>(httpEffect: Effect.Effect<A, E, R>, method: string): Effect.Effect<A, E | ServiceUnavailable, R>
}

/** One fiber watches all requests: a timer for each would cost a tenth of a short request. */
export const makeDeadline = Effect.fnUntraced(function* (
  timeout_ms: number
): Effect.fn.Return<WithDeadline, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  /** In the order of their beginnings, which is that of their ends, as all may take the same time. */
  const running = new Set<Running>()
  let wake = (): void => {}
  const someRequest = Effect.callback<void>((resume) => {
    wake = () => resume(Effect.void)
  })

  const watch = Effect.gen(function* () {
    const [oldest] = running
    if (oldest === undefined) return yield* someRequest
    const left = oldest.until - clock.currentTimeMillisUnsafe()
    if (left > 0) return yield* Effect.sleep(left)
    running.delete(oldest)
    oldest.expire()
  })
  yield* Effect.forkScoped(Effect.forever(watch))

  const begin = (expire: () => void): Running => {
    const request = { until: clock.currentTimeMillisUnsafe() + timeout_ms, expire }
    running.add(request)
    if (running.size === 1) wake()
    return request
  }

  return (httpEffect, method) =>
    Effect.flatMap(Effect.forkDetach(httpEffect, { startImmediately: true }), (fiber) => {
      const ended = fiber.pollUnsafe()
      if (ended !== undefined) return ended
      return Effect.callback((resume) => {
        const request = begin(() => {
          resume(Effect.fail(tooLong(method)))
          fiber.interruptUnsafe()
        })
        const forget = fiber.addObserver((exit) => {
          running.delete(request)
          resume(exit)
        })
        return Effect.sync(() => {
          running.delete(request)
          forget()
          fiber.interruptUnsafe()
        })
      })
    })
})
