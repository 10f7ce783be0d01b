import { Context, type Effect } from "effect"
import type { TopUpLimit } from "../topups/TopUpLimit.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { AuditRow } from "../journal/Rows.ts"
import type { NotCommitted } from "../errors/NotCommitted.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"

export class TopUpLimitTable extends Context.Service<
  TopUpLimitTable,
  {
    /** All of them or none, with the line in the audit log. They hold for every top-up that begins afterwards. */
    readonly set: (limits: ReadonlyArray<TopUpLimit>, audit: AuditRow) => Effect.Effect<void, NotCommitted>
    /** By currency: every one has its limits. */
    readonly list: Effect.Effect<ReadonlyArray<TopUpLimit>, ReadFailed>
    readonly of: (currency: Currency) => Effect.Effect<TopUpLimit, ReadFailed>
  }
>()("trunkline/domain/ports/TopUpLimitTable") {}
