// Requests read the facts of a workspace from memory, which notices of the database keep fresh. A change that is
// answered before its notice has come would not hold for the next request.
import { Effect } from "effect"
import { Directory } from "../../domain/ports/access/Directory.ts"

/** Succeeds once the directory of this process shows what the change stored. */
export const makeSeenAfterwards = Effect.map(
  Directory,
  ({ caughtUp }) =>
    <A, E, R>(change: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.tap(change, () => caughtUp())
)
