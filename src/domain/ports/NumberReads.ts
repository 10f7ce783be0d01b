// Questions about a workspace's numbers and about inventory, answered by the database.
import { Context, type Effect } from "effect"
import type { InventoryItem } from "../numbers/InventoryItem.ts"
import type { Capability, NumberRecord } from "../numbers/NumberRecord.ts"
import type { NumberStatus } from "../numbers/NumberStatus.ts"
import type { NumberTerms } from "../numbers/PhoneNumber.ts"
import type { After } from "../paging/After.ts"
import type { Currency } from "../wallet/Currency.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

export interface NumberFilter {
  readonly status?: NumberRecord["status"]
  readonly source?: NumberRecord["source"]
  readonly country?: string
}

export interface InventoryFilter {
  readonly country?: string
  readonly type?: NumberRecord["type"]
  readonly capability?: Capability
  /** Digits that follow each other somewhere in the number. */
  readonly contains?: string
}

/** What a number costs, whoever has it. */
export interface Offer {
  /** `retired` too where its series is and nobody has it. */
  readonly status: NumberStatus
  /** Null: its series has no price in the currency. */
  readonly terms: NumberTerms | null
}

export interface HeldNumber {
  readonly id: string
  readonly source: NumberRecord["source"]
  /** A claim is under way. */
  readonly claiming: boolean
}

export class NumberReads extends Context.Service<
  NumberReads,
  {
    readonly find: (workspace_id: WorkspaceId, id: string) => Effect.Effect<NumberRecord | undefined, ReadFailed>
    /** Last claimed first. */
    readonly list: (
      workspace_id: WorkspaceId,
      filter: NumberFilter,
      after: After | undefined,
      limit: number
    ) => Effect.Effect<ReadonlyArray<NumberRecord>, ReadFailed>
    /** What can be claimed for money of the currency, in the order of the numbers. */
    readonly available: (
      currency: Currency,
      filter: InventoryFilter,
      limit: number
    ) => Effect.Effect<ReadonlyArray<InventoryItem>, ReadFailed>
    /** Of whomever's number, too. Undefined where the platform has no such number. */
    readonly offer: (id: string, currency: Currency) => Effect.Effect<Offer | undefined, ReadFailed>
    /** Everything that the workspace has, whatever its status, and what it is claiming. */
    readonly held: (workspace_id: WorkspaceId) => Effect.Effect<ReadonlyArray<HeldNumber>, ReadFailed>
    /** The id of the number that is this one, whoever has it. */
    readonly holder: (e164: string) => Effect.Effect<string | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/NumberReads") {}
