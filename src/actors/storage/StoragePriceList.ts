// What a workspace pays a month for of each size: the operator's prices, or in a sandbox those of test mode.
import { Effect } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { StorageReads } from "../../domain/ports/calls/StorageReads.ts"
import { testStoragePrices } from "../../domain/storage/TestStoragePrices.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { isSandbox } from "../../domain/kit/Sandbox.ts"

/** By size in MB, minor units. A size without a price is not in the list. */
type PriceList = (
  workspace_id: WorkspaceId,
  currency: Currency
) => Effect.Effect<Readonly<Record<string, number>>, ReadFailed>

export const makePriceList = Effect.map(
  StorageReads,
  (reads): PriceList =>
    (workspace_id, currency) =>
      isSandbox(workspace_id) ? Effect.succeed(testStoragePrices(currency)) : reads.prices(currency)
)
