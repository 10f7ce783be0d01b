// Stores series of numbers and the inventory generated from them.
import { Context, type Effect } from "effect"
import type { SeriesSuffixCollision } from "../../errors/NumberErrors.ts"
import type {
  PriceFilter,
  PriceRecord,
  SeriesFacts,
  SeriesFilter,
  SeriesRecord,
  SuffixRange
} from "../../numbers/Series.ts"
import type { After } from "../../paging/After.ts"
import type { AuditRow, IdempotencyRow } from "../../journal/Rows.ts"
import type { NotCommitted } from "../../errors/NotCommitted.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"

/** Each change is written together with its audit row and the row of its Idempotency-Key, or not at all. */
export class SeriesStore extends Context.Service<
  SeriesStore,
  {
    /** Undefined: the provider does not exist or is retired. */
    readonly create: (
      id: string,
      facts: SeriesFacts,
      audit: AuditRow,
      answer: (created: SeriesRecord) => IdempotencyRow | undefined
    ) => Effect.Effect<SeriesRecord | undefined, NotCommitted>
    readonly find: (id: string) => Effect.Effect<SeriesRecord | undefined, ReadFailed>
    /** Newest first. */
    readonly list: (
      filter: SeriesFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SeriesRecord>, ReadFailed>
    /** The count of new numbers; 0 if exactly this range was generated before. */
    readonly generate: (
      series: SeriesRecord,
      range: SuffixRange,
      audit: (generated: number) => AuditRow,
      answer: (generated: number) => IdempotencyRow | undefined
    ) => Effect.Effect<number, NotCommitted | SeriesSuffixCollision>
    /** Retires the series and its numbers that no workspace has. Returns their count. */
    readonly retire: (id: string, audit: (numbers: number) => AuditRow) => Effect.Effect<number, NotCommitted>
    /** False if a series does not exist. Then nothing is changed. */
    readonly setPrices: (prices: ReadonlyArray<PriceRecord>, audit: AuditRow) => Effect.Effect<boolean, NotCommitted>
    readonly prices: (filter: PriceFilter) => Effect.Effect<ReadonlyArray<PriceRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/SeriesStore") {}
