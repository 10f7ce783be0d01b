// Questions about a workspace's numbers, answered by the database.
import { Context, type Effect } from "effect"
import type { NumberRecord } from "../numbers/NumberRecord.ts"
import type { After } from "../paging/After.ts"
import type { ReadFailed } from "./ReadFailed.ts"

export class NumberReads extends Context.Service<NumberReads, {
  readonly find: (workspace_id: string, id: string) => Effect.Effect<NumberRecord | undefined, ReadFailed>
  /** Last claimed first. */
  readonly list: (
    workspace_id: string,
    after: After | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<NumberRecord>, ReadFailed>
}>()("trunkline/domain/ports/NumberReads") {}
