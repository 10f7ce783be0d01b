// The tables that only operators read and write. An engine in memory has no operators: no request reaches them.
import { Effect, Layer } from "effect"
import { StoragePrices } from "../../domain/ports/calls/StoragePrices.ts"
import { ProviderStore } from "../../domain/ports/numbers/ProviderStore.ts"
import { RateTable } from "../../domain/ports/numbers/RateTable.ts"
import { SeriesStore } from "../../domain/ports/numbers/SeriesStore.ts"

export const noOperatorTables = Layer.mergeAll(
  Layer.mock(ProviderStore)({}),
  Layer.mock(RateTable)({}),
  Layer.mock(SeriesStore)({}),
  Layer.succeed(StoragePrices)({ set: () => Effect.void, list: Effect.succeed([]) })
)
