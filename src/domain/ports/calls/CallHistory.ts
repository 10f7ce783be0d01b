// Reads what is known of a call and of the legs that it dialled.
import { Context, type Effect } from "effect"
import type { CallTrail, LoggedEvent, TrailWindow } from "../../calls/views/CallTrail.ts"
import type { CallMoney, RateProof } from "../../calls/views/ChargeBreakdown.ts"
import type { ReadFailed } from "../../errors/ReadFailed.ts"
import type { CallId, WorkspaceId } from "../../BrandedIds.ts"

export class CallHistory extends Context.Service<
  CallHistory,
  {
    readonly money: (workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>) => Effect.Effect<CallMoney, ReadFailed>
    readonly trail: (
      workspace_id: WorkspaceId,
      call_ids: ReadonlyArray<CallId>,
      window: TrailWindow
    ) => Effect.Effect<CallTrail, ReadFailed>
    /** The last event of each call up to an instant that has the record of the call. */
    readonly latest: (
      workspace_id: WorkspaceId,
      call_ids: ReadonlyArray<CallId>,
      at: number
    ) => Effect.Effect<ReadonlyArray<LoggedEvent>, ReadFailed>
    /** The row of the rate table with this very prefix that was in force then. */
    readonly rate: (
      currency: string,
      direction: string,
      prefix: string,
      at: number
    ) => Effect.Effect<RateProof | undefined, ReadFailed>
    /** The wallet's balance after its last movement before or at this instant; undefined where there was none. */
    readonly balance: (workspace_id: WorkspaceId, at: number) => Effect.Effect<number | undefined, ReadFailed>
  }
>()("trunkline/domain/ports/CallHistory") {}
