import type { NumberRecord } from "./NumberRecord.ts"
import type { NumberData } from "./PhoneNumber.ts"
import type { NumberId } from "../BrandedIds.ts"

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** The number as its workspace sees it. The caller makes sure that it is neither in inventory nor removed. */
export const numberView = (id: NumberId, data: NumberData): NumberRecord => ({
  id,
  number: data.number,
  status: data.status as NumberRecord["status"],
  source: data.source,
  country: data.country,
  type: data.type,
  capabilities: data.capabilities,
  label: data.label,
  currency: data.currency,
  monthly_price_minor: data.monthly_price_minor,
  inbound_per_min_minor: data.inbound_per_min_minor,
  outbound_per_min_minor: data.outbound_per_min_minor,
  routing: data.routing,
  claimed_at: instant(data.claimed_at),
  renews_at: instant(data.renews_at),
  past_due_since: instant(data.past_due_since),
  released_at: instant(data.released_at)
})
