import { Context, Effect, Latch, Layer } from "effect"

/**
 * Graceful shutdown. It is announced first: load balancers send requests elsewhere, and what arrives is served. Then
 * the server refuses new requests, ends live streams and finishes the requests in flight.
 */
export class Draining extends Context.Service<
  Draining,
  {
    readonly announce: Effect.Effect<void>
    readonly isAnnounced: () => boolean
    /** Announces the shutdown too. */
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
    let isAnnounced = false
    let hasBegun = false
    let requestsInFlight = 0
    return Draining.of({
      announce: Effect.sync(() => {
        isAnnounced = true
      }),
      isAnnounced: () => isAnnounced,
      begin: Effect.suspend(() => {
        isAnnounced = true
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
