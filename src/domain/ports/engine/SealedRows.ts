// Rows with secrets that a previous master key sealed.
import { Context, type Effect } from "effect"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { SealedKind, SealedRow } from "../../state/SealedRow.ts"

export class SealedRows extends Context.Service<
  SealedRows,
  {
    /**
     * The id of the current key. Texts that it sealed begin with the id and a dot. Undefined if there is no previous
     * key.
     */
    readonly current: string | undefined
    /** Rows with ids after `after`, in the order of their ids. */
    readonly others: (
      kind: SealedKind,
      after: string | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SealedRow>, ReadFailed>
    /** Replaces the password of a provider, if it has not changed meanwhile. */
    readonly replacePassword: (provider_id: string, sealed: string, resealed: string) => Effect.Effect<void, ReadFailed>
  }
>()("trunkline/domain/ports/SealedRows") {}
