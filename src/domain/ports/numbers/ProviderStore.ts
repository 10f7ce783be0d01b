// Stores the providers of the platform's numbers. Passwords are never read back.
import { Context, type Effect } from "effect"
import type { ProviderFacts, ProviderRecord } from "../../numbers/Provider.ts"
import type { AuditRow, IdempotencyRow } from "../../journal/Rows.ts"
import type { NotCommitted } from "../../errors/NotCommitted.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"

/** Each change is written together with its audit row and the row of its Idempotency-Key, or not at all. */
export class ProviderStore extends Context.Service<
  ProviderStore,
  {
    readonly create: (
      id: string,
      facts: ProviderFacts,
      audit: (after: ProviderRecord) => AuditRow,
      answer: (after: ProviderRecord) => IdempotencyRow | undefined
    ) => Effect.Effect<ProviderRecord, NotCommitted>
    readonly change: (
      before: ProviderRecord,
      facts: ProviderFacts,
      audit: (after: ProviderRecord) => AuditRow
    ) => Effect.Effect<ProviderRecord, NotCommitted>
    /** False if the provider has active series. Then nothing is changed. */
    readonly retire: (id: string, audit: AuditRow) => Effect.Effect<boolean, NotCommitted>
    readonly find: (id: string) => Effect.Effect<ProviderRecord | undefined, ReadFailed>
    /** All providers, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<ProviderRecord>, ReadFailed>
  }
>()("trunkline/domain/ports/ProviderStore") {}
