import { Context, type Effect } from "effect"
import type { BadRequest } from "../../errors/GeneralErrors.ts"
import type { RateRecord, RatesChanged, RateWrite } from "../../numbers/RateSheet.ts"
import type { After } from "../../paging/After.ts"
import type { AuditRow, IdempotencyRow } from "../../journal/Rows.ts"
import type { NotCommitted } from "../../errors/NotCommitted.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { RateFilter } from "../../numbers/Rate.ts"

export class RateTable extends Context.Service<
  RateTable,
  {
    /**
     * Writes all rates, with the audit row and the row of the Idempotency-Key, or none. Every process uses them within
     * a second.
     */
    readonly upsert: (
      rates: ReadonlyArray<RateWrite>,
      audit: (changed: RatesChanged) => AuditRow,
      answer: (changed: RatesChanged) => IdempotencyRow | undefined
    ) => Effect.Effect<RatesChanged, NotCommitted>
    /** Newest `effective_from` first. */
    readonly list: (
      filter: RateFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<RateRecord>, ReadFailed>
    /** Reads CSV (RFC 4180) whose first line has the column names. */
    readonly rows: (csv: string) => Effect.Effect<ReadonlyArray<Readonly<Record<string, string>>>, BadRequest>
  }
>()("trunkline/domain/ports/RateTable") {}
