// Reads numbers of workspaces and inventory from the database.
import { Context, type Effect } from "effect"
import type { InventoryFilter, InventoryItem, Offer } from "../../numbers/InventoryItem.ts"
import type { HeldNumber, NumberFilter, NumberRecord } from "../../numbers/NumberRecord.ts"
import type { After } from "../../paging/After.ts"
import type { Currency } from "../../wallet/Currency.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { NumberId, WorkspaceId } from "../../BrandedIds.ts"

export class NumberReads extends Context.Service<
  NumberReads,
  {
    readonly find: (workspace_id: WorkspaceId, id: NumberId) => Effect.Effect<NumberRecord | undefined, ReadFailed>
    /** Last claimed first. */
    readonly list: (
      workspace_id: WorkspaceId,
      filter: NumberFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<NumberRecord>, ReadFailed>
    /**
     * Numbers that the workspace can claim and that have a price in the currency, ordered by country and
     * number. A sandbox claims those of the test network.
     */
    readonly available: (
      workspace_id: WorkspaceId,
      currency: Currency,
      filter: InventoryFilter,
      limit: number,
      after?: Pick<InventoryItem, "country" | "number">
    ) => Effect.Effect<ReadonlyArray<InventoryItem>, ReadFailed>
    /** Also for numbers that a workspace has. Undefined: the platform has no such number. */
    readonly offer: (id: NumberId, currency: Currency) => Effect.Effect<Offer | undefined, ReadFailed>
    /** All numbers that the workspace has or is claiming, in any status. */
    readonly held: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<HeldNumber>, ReadFailed>
    /** The id of the number, whichever workspace has it. */
    readonly holder: (e164: string) => Effect.Effect<NumberId | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/NumberReads") {}
