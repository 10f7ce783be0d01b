import { Context, type Effect } from "effect"

/** The server is going away: it takes no new request, and what would last is told to end. */
export class Draining extends Context.Service<
  Draining,
  {
    readonly begin: Effect.Effect<void>
    readonly begun: () => boolean
    /** Returns once it has begun. */
    readonly wait: Effect.Effect<void>
    /** Counts the requests that are not answered yet. */
    readonly entered: () => void
    readonly left: () => void
    /** Returns once there are none. */
    readonly idle: Effect.Effect<void>
  }
>()("trunkline/http/Draining") {}
