// Lets the wallet count the legs that the calling policy refuses, for the alerts of the workspace (docs/webhooks.md).
import { Effect } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { isBurstLimit, type RefusalReason } from "../../domain/wallet/SecurityAlerts.ts"
import type { ActorSystem } from "../runtime/ActorSystem.ts"

export interface Refused {
  readonly _tag: string
  readonly reason?: string | undefined
}

/** What the wallet counts a refusal as; undefined for those that are not the calling policy's. */
const refusalReason = ({ _tag, reason }: Refused): RefusalReason | undefined => {
  switch (_tag) {
    case "calls.rate_limited":
    case "calls.concurrency_limit_reached":
      return isBurstLimit(reason) ? reason : "other"
    case "calls.spend_limit_reached":
      return "daily_spend_limit_minor"
    case "calls.destination_refused":
      return "other"
    default:
      return undefined
  }
}

/**
 * Counts the policy's refusals of an effect. The refusal stands whether or not it could be counted.
 * `dailySpendLimit` is in minor units; null: none.
 */
export const makeCountRefusals =
  <E, R>(
    system: ActorSystem["Service"],
    dailySpendLimit: (workspace_id: WorkspaceId) => Effect.Effect<number | null, E, R>
  ) =>
  (workspace_id: WorkspaceId) => {
    const count = Effect.fnUntraced(function* (reason: RefusalReason) {
      const limit = reason === "daily_spend_limit_minor" ? yield* dailySpendLimit(workspace_id) : null
      yield* system.ask(WalletCommands.CountRefusal, workspace_id, {
        reason,
        ...(limit !== null && { daily_spend_limit_minor: limit })
      })
    })
    return <A, Refusal extends Refused, Needs>(placing: Effect.Effect<A, Refusal, Needs>) =>
      Effect.tapError(placing, (error) => {
        const reason = refusalReason(error)
        return reason === undefined ? Effect.void : Effect.ignore(count(reason))
      })
  }
