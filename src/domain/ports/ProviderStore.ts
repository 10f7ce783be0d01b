// The providers of the platform's numbers. Passwords go in and never come out.
import { Context, type Effect } from "effect"
import type { ProviderFacts, ProviderRecord } from "../numbers/Provider.ts"
import type { AuditRow } from "../journal/Rows.ts"
import type { NotCommitted } from "../errors/NotCommitted.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"

/** Every change is made whole, with its line in the audit log, or not at all. */
export class ProviderStore extends Context.Service<
  ProviderStore,
  {
    readonly create: (
      id: string,
      facts: ProviderFacts,
      audit: (after: ProviderRecord) => AuditRow
    ) => Effect.Effect<ProviderRecord, NotCommitted>
    readonly change: (
      before: ProviderRecord,
      facts: ProviderFacts,
      audit: (after: ProviderRecord) => AuditRow
    ) => Effect.Effect<ProviderRecord, NotCommitted>
    /** False where it has active series: then it stays. */
    readonly retire: (id: string, audit: AuditRow) => Effect.Effect<boolean, NotCommitted>
    readonly find: (id: string) => Effect.Effect<ProviderRecord | undefined, ReadFailed>
    /** Newest first, all of them. */
    readonly list: Effect.Effect<ReadonlyArray<ProviderRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/ProviderStore") {}
