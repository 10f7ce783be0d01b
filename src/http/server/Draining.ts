import { Context, type Effect } from "effect"

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
>()("trunkline/http/Draining") {}
