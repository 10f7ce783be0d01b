// What the journal's writer needs of its database connection.
import { Data, type Effect } from "effect"
import type { SubscriptionId } from "../../../domain/BrandedIds.ts"
import type { Batch } from "./JournalBatch.ts"

/**
 * `away`: no connection, nothing was sent. `lost`: the connection broke, and it is unknown whether the statement was
 * executed. `busy`: the database accepts no such statement at the moment. `refused`: the rows were refused.
 */
export class SessionFailure extends Data.TaggedError("SessionFailure")<{
  readonly kind: "away" | "lost" | "busy" | "refused"
  /** The name of the violated constraint, if there is one. */
  readonly constraint?: string
  readonly cause: unknown
}> {}

export interface JournalSession {
  /**
   * Writes the batch under its id: as a whole or not at all. `written_at` is in epoch milliseconds. Returns the
   * subscriptions that got deliveries. Statements that are sent at once are executed in the order of sending.
   */
  readonly write: (
    id: string,
    written_at: number,
    batch: Batch
  ) => Effect.Effect<ReadonlyArray<SubscriptionId>, SessionFailure>
  /** Claims the id of a batch whose outcome is unknown. `void`: the batch was not written, and never will be. */
  readonly claim: (id: string, at: number) => Effect.Effect<"written" | "void", SessionFailure>
  /** Removes the ids of batches that were written before. */
  readonly forget: (before: number) => Effect.Effect<void, SessionFailure>
  /** Plans the statements again. */
  readonly replan: Effect.Effect<void, SessionFailure>
}
