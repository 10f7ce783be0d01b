import { Context, Effect, Latch, Layer } from "effect"

/** Graceful shutdown: the server refuses new requests, ends live streams and finishes the requests in flight. */
export class Draining extends Context.Service<
  Draining,
  {
    readonly begin: Effect.Effect<void>
    readonly hasBegun: () => boolean
    /** Returns when the shutdown begins. */
    readonly wait: Effect.Effect<void>
    /** Counts the requests in flight. */
    readonly requestStarted: () => void
    readonly requestFinished: () => void
    /** Returns once no request is in flight. */
    readonly idle: Effect.Effect<void>
  }
>()("trunkline/http/Draining") {
  static readonly layer = Layer.sync(Draining, () => {
    const begun = Latch.makeUnsafe(false)
    const idle = Latch.makeUnsafe(true)
    let hasBegun = false
    let requestsInFlight = 0
    return Draining.of({
      begin: Effect.suspend(() => {
        hasBegun = true
        return begun.open
      }),
      hasBegun: () => hasBegun,
      wait: begun.await,
      requestStarted: () => {
        if (requestsInFlight++ === 0) idle.closeUnsafe()
      },
      requestFinished: () => {
        if (--requestsInFlight === 0) idle.openUnsafe()
      },
      idle: idle.await
    })
  })
}
