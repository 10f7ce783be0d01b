import { isLive } from "../kit/Sandbox.ts"
import type { LiveData } from "./Subscription.ts"
import type { SubscriptionRecord } from "./SubscriptionRecord.ts"
import type { SubscriptionId } from "../BrandedIds.ts"

const instant = (at: number): string => new Date(at).toISOString()
const instantOrNull = (at: number | null): string | null => (at === null ? null : instant(at))

/** The subscription as its workspace sees it. */
export const subscriptionView = (id: SubscriptionId, data: LiveData): SubscriptionRecord => ({
  id,
  url: data.url,
  description: data.description,
  events: data.events,
  status: data.status,
  disabled_reason: data.disabled_reason,
  signature_format: data.signature_format,
  api_version: data.api_version,
  source: data.source,
  secret_set: data.secret !== null,
  filters: { number_ids: data.number_ids },
  created_at: instant(data.created_at),
  updated_at: instant(data.updated_at),
  last_success_at: instantOrNull(data.last_success_at),
  failing_since: instantOrNull(data.failing_since),
  livemode: isLive(data.workspace_id)
})
