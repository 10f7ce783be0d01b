import { instantOrNull, isoInstant } from "../kit/Instants.ts"
import { recordOf } from "../kit/RecordOf.ts"
import { isLive } from "../kit/Sandbox.ts"
import type { LiveData } from "./Subscription.ts"
import { SubscriptionRecord } from "./SubscriptionRecord.ts"
import type { SubscriptionId } from "../BrandedIds.ts"

/** The subscription as its workspace sees it. */
export const subscriptionView = (id: SubscriptionId, data: LiveData): SubscriptionRecord =>
  recordOf(SubscriptionRecord, data, {
    id,
    secret_set: data.secret !== null,
    filters: { number_ids: data.number_ids },
    created_at: isoInstant(data.created_at),
    updated_at: isoInstant(data.updated_at),
    last_success_at: instantOrNull(data.last_success_at),
    failing_since: instantOrNull(data.failing_since),
    livemode: isLive(data.workspace_id)
  })
