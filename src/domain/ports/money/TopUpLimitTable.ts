import { Context, type Effect } from "effect"
import type { TopUpLimit } from "../../topups/TopUpLimit.ts"
import type { Currency } from "../../wallet/Currency.ts"
import type { AuditRow } from "../../journal/Rows.ts"
import type { NotCommitted } from "../../errors/NotCommitted.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"

export class TopUpLimitTable extends Context.Service<
  TopUpLimitTable,
  {
    /** Writes all limits, with the audit line, or none. They apply to top-ups started afterwards. */
    readonly set: (limits: ReadonlyArray<TopUpLimit>, audit: AuditRow) => Effect.Effect<void, NotCommitted>
    /** The limits of every currency. */
    readonly list: Effect.Effect<ReadonlyArray<TopUpLimit>, ReadFailed>
    readonly of: (currency: Currency) => Effect.Effect<TopUpLimit, ReadFailed>
  }
>()("trunkline/domain/ports/TopUpLimitTable") {}
