import { Effect } from "effect"
import { WebhookNotFound } from "../../domain/errors/WebhookErrors.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { SubscriptionReads } from "../../domain/ports/webhooks/SubscriptionReads.ts"
import { isUuid } from "../../domain/Uuid.ts"
import type { SubscriptionRecord } from "../../domain/webhooks/SubscriptionRecord.ts"
import type { SubscriptionId, WorkspaceId } from "../../domain/BrandedIds.ts"

export type OwnSubscription = (
  workspace_id: WorkspaceId,
  id: SubscriptionId
) => Effect.Effect<SubscriptionRecord, WebhookNotFound | ReadFailed>

/** Finds a subscription of the workspace. Deleted ones and those of other workspaces are not found. */
export const ownSubscription: Effect.Effect<OwnSubscription, never, SubscriptionReads> = Effect.map(
  SubscriptionReads,
  (reads) => (workspace_id, id) =>
    Effect.filterOrFail(
      isUuid(id) ? reads.find(workspace_id, id) : Effect.undefined,
      (record) => record !== undefined,
      () => new WebhookNotFound()
    )
)
