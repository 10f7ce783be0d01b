import { Context, type Effect } from "effect"
import type { StoragePrice } from "../../storage/StoragePrice.ts"
import type { AuditRow } from "../../journal/Rows.ts"
import type { NotCommitted } from "../../errors/NotCommitted.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"

export class StoragePrices extends Context.Service<
  StoragePrices,
  {
    /**
     * Writes all prices, with the audit line, or none. They apply from the next change or renewal of each storage.
     */
    readonly set: (prices: ReadonlyArray<StoragePrice>, audit: AuditRow) => Effect.Effect<void, NotCommitted>
    /** All prices, ordered by currency and size. */
    readonly list: Effect.Effect<ReadonlyArray<StoragePrice>, ReadFailed>
  }
>()("trunkline/domain/ports/StoragePrices") {}
