import type { Live } from "./Subscription.ts"
import type { SubscriptionRecord } from "./SubscriptionRecord.ts"

const instant = (at: number): string => new Date(at).toISOString()
const instantOrNull = (at: number | null): string | null => (at === null ? null : instant(at))

/** The subscription as its workspace sees it. */
export const recordOf = (id: string, kept: Live): SubscriptionRecord => ({
  id,
  url: kept.url,
  description: kept.description,
  events: kept.events,
  status: kept.status,
  disabled_reason: kept.disabled_reason,
  signature_format: kept.signature_format,
  api_version: kept.api_version,
  source: kept.source,
  secret_set: kept.secret !== null,
  filters: { number_ids: kept.number_ids },
  created_at: instant(kept.created_at),
  updated_at: instant(kept.updated_at),
  last_success_at: instantOrNull(kept.last_success_at),
  failing_since: instantOrNull(kept.failing_since)
})
