// Rows that hold what another master key sealed.
import { Context, type Effect } from "effect"
import type { ReadFailed } from "../errors/ReadFailed.ts"

/** The types of actors that have a secret for good, and what belongs to no actor. */
export const sealedKinds = ["Workspace", "Subscription", "SipCredentials", "SipTrunk", "Provider"] as const
export type SealedKind = (typeof sealedKinds)[number]

export interface SealedRow {
  readonly id: string
  /** The whole row, as JSON. */
  readonly row: string
}

export class SealedRows extends Context.Service<
  SealedRows,
  {
    /** The id of the key in use: what it sealed begins with it and a dot. Undefined where there has been no other. */
    readonly current: string | undefined
    /** In the order of their ids, those behind `after`. */
    readonly others: (
      kind: SealedKind,
      after: string | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<SealedRow>, ReadFailed>
    /** Of a provider, where it still is the one that is replaced. */
    readonly replacePassword: (provider_id: string, sealed: string, resealed: string) => Effect.Effect<void, ReadFailed>
  }
>()("trunkline/domain/ports/SealedRows") {}
